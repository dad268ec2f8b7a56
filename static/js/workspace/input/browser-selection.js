/** The browser's own selection in the texts: it selects where nothing can be marked, for copying and for messages. */

import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */

/**
 * The words that the browser has selected. Null if its selection is not in the texts: it is in a field, for example.
 * @param {import("../view/render.js").View} view
 * @returns {Record<Side, number[]> | null}
 */
export function browserWords(view) {
  const selected = getSelection();
  if (!selected?.rangeCount || !view.sheet.parentElement?.contains(selected.anchorNode)) return null;
  /** @type {Record<Side, number[]>} */
  const tokens = { a: [], b: [] };
  if (selected.isCollapsed) return tokens;
  const range = selected.getRangeAt(0);
  for (const side of SIDES)
    view.words[side].forEach((word, index) => {
      if (word && containsPartOf(range, word)) tokens[side].push(index);
    });
  return tokens;
}

/** Whether a range has a character of a word: one that ends where the word begins only touches it. @param {Range} range @param {HTMLElement} word */
function containsPartOf(range, word) {
  if (!range.intersectsNode(word)) return false;
  const inside = document.createRange();
  inside.selectNodeContents(word.firstChild ?? word);
  return (
    range.compareBoundaryPoints(Range.END_TO_START, inside) < 0 &&
    range.compareBoundaryPoints(Range.START_TO_END, inside) > 0
  );
}

/**
 * Have the browser select from one word to another.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} head
 * @param {boolean} backwards Whether the head is before the anchor.
 */
export function selectWords(anchor, head, backwards) {
  const [from, to] = backwards ? [anchor.childNodes.length, 0] : [0, head.childNodes.length];
  getSelection()?.setBaseAndExtent(anchor, from, head, to);
}
