/** A model's suggestions: each has a key and a level; they are in text order. Pure. */

import { SIDES, tokensOf } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {{key: string, predicted: string, fragments: import("./types.js").Fragment[],
 *   tokens: Record<Side, number[]>, level: number, reason: import("./types.js").Reason | null}} Suggestion `predicted`:
 * the key of the label that the run predicts; empty if it predicts none. */

/** The level of the suggestions that are listed first. */
const CERTAIN_LEVEL = 3;

/**
 * The suggestions of a pair: exactly the proposals of its run.
 * @param {import("./types.js").Highlights} highlights
 * @param {import("./spans.js").Grids} grids
 * @param {readonly Side[]} sides The sides that may be marked: on others, suggestions would be useless.
 * @param {(side: Side, start: number) => number} rowAt
 * @returns {Suggestion[]}
 */
export function suggestionsOf(highlights, grids, sides, rowAt) {
  const list = highlights.proposals
    .map((proposal) => {
      const fragments = proposal.fragments.filter((fragment) => sides.includes(fragment.side));
      const tokens = tokensOf({ fragments }, grids);
      // Runs of earlier versions have no levels.
      const { id, predicted = "", level = 1, reason = null } = proposal;
      return { key: id ?? keyOf(proposal.fragments), predicted, fragments, tokens, level, reason };
    })
    .filter((suggestion) => suggestion.tokens.a.length + suggestion.tokens.b.length > 0);
  return list
    .map((one) => ({
      one,
      side: one.fragments[0].side === "a" ? 0 : 1,
      row: rowAt(one.fragments[0].side, one.fragments[0].start),
    }))
    .sort((x, y) => x.row - y.row || x.side - y.side || x.one.fragments[0].start - y.one.fragments[0].start)
    .map(({ one }) => one);
}

/**
 * The key of a proposal without an id: short, the same at every visit, and different for different words.
 * @param {import("./types.js").Fragment[]} fragments
 */
function keyOf(fragments) {
  const [first] = fragments;
  const words = fragments.reduce((sum, { start, end }) => sum + end - start, 0);
  return `${first.side}:${first.start}-${first.end}/${fragments.length}/${words}`;
}

/**
 * Whether a suggestion is neither dismissed nor marked by at least half of its tokens.
 * @param {Suggestion} suggestion
 * @param {Set<string>} dismissed
 * @param {import("./cover.js").Cover} cover
 */
export function isOpen(suggestion, dismissed, cover) {
  if (dismissed.has(suggestion.key)) return false;
  let marked = 0;
  let all = 0;
  for (const side of SIDES)
    for (const index of suggestion.tokens[side]) {
      all += 1;
      if (cover.at(side, index).length) marked += 1;
    }
  return marked * 2 < all;
}

/**
 * The most certain suggestions, and the rest; if none is certain, all of them come first.
 * @param {readonly Suggestion[]} suggestions
 * @returns {[Suggestion[], Suggestion[]]}
 */
export function splitByCertainty(suggestions) {
  const surest = suggestions.filter(({ level }) => level >= CERTAIN_LEVEL);
  const rest = suggestions.filter(({ level }) => level < CERTAIN_LEVEL);
  return surest.length ? [surest, rest] : [rest, []];
}

/**
 * The suggestion that a word belongs to; of several, the most certain.
 * @param {readonly Suggestion[]} suggestions
 * @param {Side} side
 * @param {number} index
 */
export function suggestionAt(suggestions, side, index) {
  const matching = suggestions.filter(({ tokens }) => tokens[side].includes(index));
  return matching.reduce(
    (/** @type {Suggestion | null} */ best, one) => (best && best.level >= one.level ? best : one),
    null,
  );
}
