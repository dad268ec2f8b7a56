/** Two versions of one annotation: their differences, and merging them. Pure. */

import { sameSpan } from "./spans.js";

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {import("./types.js").Span} Span */
/** @typedef {import("./types.js").DisputedRegion} DisputedRegion */
/** @typedef {{mine: Span | null, theirs: Span | null}} SpanDifference */

/**
 * The spans in which two versions differ, mine first.
 * @param {Doc} mine
 * @param {Doc} theirs
 * @returns {SpanDifference[]}
 */
export function differingSpans(mine, theirs) {
  const others = [...theirs.spans.values()];
  /** @type {SpanDifference[]} */
  const list = [];
  for (const span of mine.spans.values()) {
    const twin = theirs.spans.get(span.id) ?? others.find((one) => sameSpan(one, span)) ?? null;
    if (!twin || !sameSpan(span, twin)) list.push({ mine: span, theirs: twin });
  }
  for (const span of others) {
    const twin = mine.spans.has(span.id) || [...mine.spans.values()].some((one) => sameSpan(one, span));
    if (!twin) list.push({ mine: null, theirs: span });
  }
  return list;
}

/** The longest comment that the server accepts. */
const MAX_COMMENT_LENGTH = 10000;

/**
 * Merge both versions, relative to the version that both started from. Changes that only one version made are kept. If
 * both changed the same thing, mine is kept, except that comments are joined and changes win over deletions. With
 * `overlap` false, spans of theirs that overlap mine can't be kept: `dropped` holds them. A region with a span is not
 * left unmarked: `overruled` holds the keys of those that only they left unmarked.
 * @param {Doc} base
 * @param {Doc} mine
 * @param {Doc} theirs
 * @param {boolean} overlap
 * @param {readonly DisputedRegion[]} [regions]
 * @returns {{doc: Doc, dropped: Span[], overruled: string[]}}
 */
export function mergeVersions(base, mine, theirs, overlap, regions = []) {
  const { spans, dropped } = mergeSpans(base.spans, mine.spans, theirs.spans, overlap);
  const unmarked = mergeSets(base.unmarked, mine.unmarked, theirs.unmarked);
  for (const { key, spans: marked } of regions)
    if ([...spans.values()].some((span) => marked.some((one) => overlaps(one, span)))) unmarked.delete(key);
  const doc = {
    spans,
    answers: mergeAnswers(base.answers, mine.answers, theirs.answers),
    comment: mergeText(base.comment, mine.comment, theirs.comment),
    read: {
      a: mergeSets(base.read.a, mine.read.a, theirs.read.a),
      b: mergeSets(base.read.b, mine.read.b, theirs.read.b),
    },
    dismissed: mergeSets(base.dismissed, mine.dismissed, theirs.dismissed),
    unmarked,
  };
  const overruled = [...theirs.unmarked].filter((key) => !base.unmarked.has(key) && !unmarked.has(key));
  return { doc, dropped, overruled };
}

/**
 * @param {Map<string, Span>} base
 * @param {Map<string, Span>} mine
 * @param {Map<string, Span>} theirs
 * @param {boolean} overlap
 */
function mergeSpans(base, mine, theirs, overlap) {
  /** @type {Map<string, Span>} */
  const spans = new Map();
  /** @type {Span[]} */
  const dropped = [];
  // Mine first, so that theirs is checked against exactly what stays.
  for (const [id, here] of mine) {
    const there = theirs.get(id);
    if (there || !isEqual(base.get(id), here)) spans.set(id, here);
  }
  for (const [id, there] of theirs) {
    const [was, here] = [base.get(id), mine.get(id)];
    if (here ? isEqual(here, there) : isEqual(was, there)) continue;
    const merged = here ? mergeSpan(was, here, there) : there;
    const others = [...spans.values()].filter((one) => one.id !== id);
    // Both marked the same words with the same label: one span is enough.
    if (!was && !here && others.some((one) => sameSpan(one, there))) continue;
    if (overlap || !others.some((one) => overlaps(one, merged))) {
      spans.set(id, merged);
      continue;
    }
    dropped.push(there);
    if (here) spans.set(id, { ...merged, fragments: here.fragments });
  }
  return { spans, dropped };
}

/**
 * Merge label, words and comment of a span that both versions have.
 * @param {Span | undefined} was
 * @param {Span} here
 * @param {Span} there
 * @returns {Span}
 */
function mergeSpan(was, here, there) {
  const predicted = mergeValue(was?.predicted, here.predicted, there.predicted);
  return {
    id: here.id,
    label: mergeValue(was?.label, here.label, there.label),
    origin: mergeValue(was?.origin, here.origin, there.origin),
    comment: mergeText(was?.comment ?? "", here.comment, there.comment),
    fragments: mergeValue(was?.fragments, here.fragments, there.fragments),
    ...(predicted && { predicted }),
  };
}

/**
 * @param {Record<string, string>} base
 * @param {Record<string, string>} mine
 * @param {Record<string, string>} theirs
 */
function mergeAnswers(base, mine, theirs) {
  /** @type {Record<string, string>} */
  const answers = {};
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [was, here, there] = [base[key] ?? "", mine[key] ?? "", theirs[key] ?? ""];
    // An answer wins over none.
    const answer = mergeValue(was, here, there) || (here !== was && there !== was ? there : "");
    if (answer) answers[key] = answer;
  }
  return answers;
}

/**
 * @param {string} was
 * @param {string} here
 * @param {string} there
 */
function mergeText(was, here, there) {
  if (here === was || here === there) return there;
  if (there === was || here.includes(there)) return here;
  const joined = there.includes(here) ? there : `${here} / ${there}`;
  return [...joined].length > MAX_COMMENT_LENGTH ? here : joined;
}

/**
 * @template T
 * @param {Set<T>} base
 * @param {Set<T>} mine
 * @param {Set<T>} theirs
 */
function mergeSets(base, mine, theirs) {
  const all = new Set([...mine, ...theirs]);
  return new Set([...all].filter((one) => mergeValue(base.has(one), mine.has(one), theirs.has(one))));
}

/**
 * Mine, unless only they changed it.
 * @template T
 * @param {T | undefined} was
 * @param {T} here
 * @param {T} there
 */
function mergeValue(was, here, there) {
  return isEqual(was, here) ? there : here;
}

/** @param {unknown} x @param {unknown} y */
function isEqual(x, y) {
  return JSON.stringify(x) === JSON.stringify(y);
}

/**
 * @param {Span} x
 * @param {Span} y
 */
function overlaps(x, y) {
  return x.fragments.some((one) =>
    y.fragments.some((two) => one.side === two.side && one.start < two.end && two.start < one.end),
  );
}
