/** What a message is about: the picked span, or the words selected, or else the whole pair. Pure. */

import { fragmentsOf, tokensOnSide } from "./spans.js";
import { tokensOn } from "./selection.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {{span: string, words: import("./types.js").Fragment[]}} About No words: the whole pair. */

/** How many runs of words the server accepts. */
export const MAX_RUNS = 20;

/**
 * @param {import("./store.js").Store} store
 * @param {Record<Side, number[]>} [marked] The tokens that the browser has selected: it does that where nothing can be marked.
 * @returns {About}
 */
export function aboutOf(store, marked = { a: [], b: [] }) {
  const span = store.picked ? store.doc.spans.get(store.picked) : null;
  if (span)
    return {
      span: span.id,
      words: span.fragments.slice(0, MAX_RUNS).map(({ side, start, end }) => ({ side, start, end })),
    };
  /** @param {Side} side */
  const chosen = (side) => (store.selected[side].size ? tokensOn(store.selection, side) : marked[side]);
  const tokens = { a: chosen("a"), b: chosen("b") };
  return { span: "", words: fragmentsOf(tokens, store.grids).slice(0, MAX_RUNS) };
}

/**
 * The words of each run, with single spaces.
 * @param {About["words"]} words
 * @param {import("./spans.js").Grids} grids
 */
export function quoteRuns(words, grids) {
  return words.map(({ side, start, end }) => grids[side].slice(start, end).replace(/\s+/gu, " "));
}

/**
 * The tokens of words on each side.
 * @param {About["words"]} words
 * @param {import("./spans.js").Grids} grids
 * @returns {Record<Side, number[]>}
 */
export function tokensIn(words, grids) {
  return { a: tokensOnSide({ fragments: words }, "a", grids.a), b: tokensOnSide({ fragments: words }, "b", grids.b) };
}
