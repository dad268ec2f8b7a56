/** Copying the selection: exactly the characters of the texts, in every script, with nothing added between words. */

import { acceptsText } from "../view/dom.js";
import { fragmentsOf, SIDES } from "../model/spans.js";

/**
 * The selected words as in the texts, including spaces and line breaks between them. Separate fragments are on separate
 * lines.
 * @param {Record<import("../model/types.js").Side, Iterable<number>>} tokens
 * @param {import("../model/spans.js").Grids} grids
 */
export function selectedText(tokens, grids) {
  return fragmentsOf(tokens, grids)
    .map(({ side, start, end }) => grids[side].slice(start, end))
    .join("\n");
}

/**
 * What the browser has selected in the texts, with the line breaks of the texts: browsers add others between paragraphs,
 * and the headings of the columns. Empty if it has selected nothing there, or something else too.
 * @param {import("../view/render.js").View} view
 */
export function browserSelectedText(view) {
  const selected = getSelection();
  if (!selected?.rangeCount || selected.isCollapsed) return "";
  const range = selected.getRangeAt(0);
  if (!view.sheet.contains(range.commonAncestorContainer)) return "";
  return SIDES.map((side) => {
    const grid = view.store.grids[side];
    const within = view.paragraphs[side].flatMap((element, n) => (range.intersectsNode(element) ? [n] : []));
    if (!within.length) return "";
    const [first, last] = [within[0], within[within.length - 1]];
    return grid.text.slice(
      boundaryOffset(grid, first, view.paragraphs[side][first], range, "start"),
      boundaryOffset(grid, last, view.paragraphs[side][last], range, "end"),
    );
  })
    .filter(Boolean)
    .join("\n");
}

/**
 * Where an end of a range is in the text, in UTF-16 units; the paragraph's own end if the range goes beyond it.
 * @param {import("../model/grid.js").Grid} grid
 * @param {number} paragraph
 * @param {HTMLElement} element
 * @param {Range} range
 * @param {"start" | "end"} which
 */
function boundaryOffset(grid, paragraph, element, range, which) {
  const [from, to] = grid.paragraphs[paragraph].map((point) => grid.offsets.toUnits(point));
  const [node, offset] =
    which === "start" ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  if (!element.contains(node)) return which === "start" ? from : to;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(node, offset);
  return from + before.toString().length;
}

/** @param {import("../model/store.js").Store} store @param {import("../view/render.js").View} view */
export function connectCopy(store, view) {
  document.addEventListener("copy", (event) => {
    if (acceptsText(event.target)) return;
    const chosen =
      store.picked && !store.selected.a.size && !store.selected.b.size ? store.cover.of(store.picked) : store.selected;
    const words = String(getSelection()) ? browserSelectedText(view) : selectedText(chosen, store.grids);
    if (!words) return;
    event.clipboardData?.setData("text/plain", words);
    event.preventDefault();
  });
}
