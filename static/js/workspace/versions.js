/** Two versions of one annotation: what differs, and what both together would be. Pure. */

import { sameSpan } from "./spans.js";

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {import("./types.js").Span} Span */
/** @typedef {{mine: Span | null, theirs: Span | null}} Differing */

/**
 * The spans in which two versions differ, mine first.
 * @param {Doc} mine
 * @param {Doc} theirs
 * @returns {Differing[]}
 */
export function differing(mine, theirs) {
  const others = [...theirs.spans.values()];
  /** @type {Differing[]} */
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

/**
 * Both versions in one, against the version that both began from: what only one of them changed is taken from it; where
 * both changed the same thing, mine stays. With `overlap` false, a span of theirs that meets one of mine is left out.
 * @param {Doc} base
 * @param {Doc} mine
 * @param {Doc} theirs
 * @param {boolean} overlap
 * @returns {Doc}
 */
export function merge(base, mine, theirs, overlap) {
  const spans = new Map(mine.spans);
  for (const id of new Set([...base.spans.keys(), ...theirs.spans.keys()])) {
    const [was, here, there] = [base.spans.get(id), mine.spans.get(id), theirs.spans.get(id)];
    if (JSON.stringify(was) !== JSON.stringify(here) || JSON.stringify(was) === JSON.stringify(there)) continue;
    if (!there) spans.delete(id);
    else if (overlap || ![...mine.spans.values()].some((one) => one.id !== id && meets(one, there))) spans.set(id, there);
  }
  /** @param {Doc} doc */
  const marks = (doc) => ({ a: new Set([...mine.read.a, ...doc.read.a]), b: new Set([...mine.read.b, ...doc.read.b]) });
  return {
    spans,
    answers: { ...theirs.answers, ...mine.answers },
    comment: mine.comment === base.comment ? theirs.comment : mine.comment,
    read: marks(theirs),
    dismissed: new Set([...mine.dismissed, ...theirs.dismissed]),
  };
}

/**
 * @param {Span} x
 * @param {Span} y
 */
function meets(x, y) {
  return x.fragments.some((one) =>
    y.fragments.some((two) => one.side === two.side && one.start < two.end && two.start < one.end),
  );
}
