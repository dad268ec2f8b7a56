/** Compares the annotator's spans with the reference, as shown after submitting a qualification pair. Pure. */

import { SIDES, tokensOf } from "./spans.js";

/** @typedef {import("./types.js").Span} Span */
/** @typedef {{mine: Span | null, gold: Span | null, kind: "same" | "label" | "near" | "extra" | "missing"}} SpanComparison */

/**
 * Each span of both annotations once, the annotator's own first and then the reference's, paired by largest overlap,
 * each with at most one span of the other.
 * @param {readonly Span[]} mine
 * @param {readonly Span[]} gold
 * @param {import("./spans.js").Grids} grids
 * @returns {SpanComparison[]}
 */
export function compareSpans(mine, gold, grids) {
  const [own, reference] = [mine, gold].map((spans) => spans.map((span) => wordsOf(span, grids)));
  const pairs = own
    .flatMap((words, i) => reference.map((others, j) => ({ i, j, share: overlap(words, others) })))
    .filter(({ share }) => share > 0)
    // Ties go to the span with the same label.
    .sort((x, y) => y.share - x.share || same(y) - same(x));
  /** @param {{i: number, j: number}} pair */
  function same({ i, j }) {
    return Number(mine[i].label === gold[j].label);
  }
  /** @type {Map<number, {j: number, share: number}>} */
  const taken = new Map();
  const matched = new Set();
  for (const { i, j, share } of pairs) {
    if (taken.has(i) || matched.has(j)) continue;
    taken.set(i, { j, share });
    matched.add(j);
  }
  /** @type {SpanComparison[]} */
  const list = mine.map((span, i) => {
    const match = taken.get(i);
    if (!match) return { mine: span, gold: null, kind: "extra" };
    const twin = gold[match.j];
    return { mine: span, gold: twin, kind: match.share < 1 ? "near" : twin.label === span.label ? "same" : "label" };
  });
  return list.concat(gold.flatMap((span, j) => (matched.has(j) ? [] : [{ mine: null, gold: span, kind: "missing" }])));
}

/**
 * The words that both marked divided by those that either marked, regardless of labels; null if there are none.
 * @param {readonly Span[]} mine
 * @param {readonly Span[]} gold
 * @param {import("./spans.js").Grids} grids
 */
export function overlapShare(mine, gold, grids) {
  const [own, reference] = [mine, gold].map((spans) => new Set(spans.flatMap((span) => [...wordsOf(span, grids)])));
  return own.size + reference.size ? overlap(own, reference) : null;
}

/**
 * @param {Span} span
 * @param {import("./spans.js").Grids} grids
 */
function wordsOf(span, grids) {
  const tokens = tokensOf(span, grids);
  return new Set(SIDES.flatMap((side) => tokens[side].map((index) => `${side}${index}`)));
}

/**
 * @param {Set<string>} x
 * @param {Set<string>} y
 */
function overlap(x, y) {
  const both = [...x].filter((word) => y.has(word)).length;
  return both / (x.size + y.size - both || 1);
}
