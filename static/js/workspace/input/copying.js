/** Copying the selection: exactly the characters of the texts, in every script, with nothing added between words. */

import { takesText } from "../view/dom.js";
import { fragmentsOf } from "../model/spans.js";

/**
 * The selected words as in the texts, including spaces and line breaks between them. Separate fragments are on separate
 * lines.
 * @param {Record<import("../model/types.js").Side, Iterable<number>>} tokens
 * @param {import("../model/spans.js").Grids} grids
 */
export function copied(tokens, grids) {
  return fragmentsOf(tokens, grids)
    .map(({ side, start, end }) => grids[side].slice(start, end))
    .join("\n");
}

/** @param {import("../model/store.js").Store} store */
export function connectCopy(store) {
  document.addEventListener("copy", (event) => {
    const words = copied(store.selected, store.grids);
    if (takesText(event.target) || !words || String(getSelection())) return;
    event.clipboardData?.setData("text/plain", words);
    event.preventDefault();
  });
}
