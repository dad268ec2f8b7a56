/** What a model suggests: runs of tokens that found no counterpart, each known by a key, in text order. Pure. */

import { fragmentsOf, SIDES, tokensOf } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {{key: string, label: string, fragments: import("./types.js").Fragment[],
 *   tokens: Record<Side, number[]>, strength: number}} Suggestion */

/** Scores from which a token is underlined, and from which more heavily. */
export const LEVELS = [0.5, 0.7, 0.85];

/**
 * How strongly a token stands out: 0 (not at all) to 3.
 * @param {number | null | undefined} score
 */
export function level(score) {
  return score === null || score === undefined ? 0 : LEVELS.filter((bound) => score >= bound).length;
}

/**
 * The scores of a side, or an empty list.
 * @param {import("./types.js").Highlights} highlights
 * @param {Side} side
 * @returns {readonly number[]}
 */
export function scoresOf(highlights, side) {
  return (side === "a" ? highlights.scores_a : highlights.scores_b) ?? [];
}

/**
 * The suggestions of a pair. Without proposals of the method's own, runs of underlined tokens make them.
 * @param {import("./types.js").Highlights} highlights
 * @param {import("./spans.js").Grids} grids
 * @param {readonly Side[]} sides The sides that may be marked: on others a suggestion would be of no use.
 * @param {(side: Side, start: number) => number} rowAt
 * @returns {Suggestion[]}
 */
export function suggestionsOf(highlights, grids, sides, rowAt) {
  /** @type {import("./types.js").Proposal[]} */
  const given = highlights.proposals.length ? highlights.proposals : runs(highlights, grids);
  const list = given
    .map((proposal) => {
      const fragments = proposal.fragments.filter((fragment) => sides.includes(fragment.side));
      const tokens = tokensOf({ fragments }, grids);
      const scores = SIDES.flatMap((side) => tokens[side].map((index) => scoresOf(highlights, side)[index] ?? 0));
      const strength = scores.reduce((sum, score) => sum + score, 0) / (scores.length || 1);
      return { key: proposal.id ?? keyOf(proposal.fragments), label: proposal.label ?? "", fragments, tokens, strength };
    })
    .filter((suggestion) => suggestion.tokens.a.length + suggestion.tokens.b.length > 0);
  return list
    .map((one) => ({ one, side: one.fragments[0].side === "a" ? 0 : 1, row: rowAt(one.fragments[0].side, one.fragments[0].start) }))
    .sort((x, y) => x.row - y.row || x.side - y.side || x.one.fragments[0].start - y.one.fragments[0].start)
    .map(({ one }) => one);
}

/**
 * What a proposal without an id is known by: short, the same at every visit, and different where the words are.
 * @param {import("./types.js").Fragment[]} fragments
 */
function keyOf(fragments) {
  const [first] = fragments;
  const words = fragments.reduce((sum, { start, end }) => sum + end - start, 0);
  return `${first.side}:${first.start}-${first.end}/${fragments.length}/${words}`;
}

/**
 * @param {import("./types.js").Highlights} highlights
 * @param {import("./spans.js").Grids} grids
 */
function runs(highlights, grids) {
  return SIDES.flatMap((side) => {
    const tokens = scoresOf(highlights, side).flatMap((score, index) => (level(score) ? [index] : []));
    /** @type {Record<Side, number[]>} */
    const chosen = { a: [], b: [], [side]: tokens };
    return fragmentsOf(chosen, grids).map((fragment) => ({ fragments: [fragment] }));
  });
}

/**
 * Whether a suggestion is dealt with: put aside, or at least half of its tokens marked.
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
