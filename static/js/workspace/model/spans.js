/** Spans: tokens to fragments and back, order, shape. The same rules as `annotation/text/spans.py`. Pure. */

/** @typedef {import("./types.js").Span} Span */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Fragment} Fragment */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {Record<Side, Grid>} Grids */

/** @type {Side[]} */
export const SIDES = ["a", "b"];

/**
 * The other side.
 * @param {Side} side
 * @returns {Side}
 */
export function otherSide(side) {
  return side === "a" ? "b" : "a";
}

/**
 * Token indices as the fewest ranges of code points: consecutive tokens form one.
 * @param {Iterable<number>} indices
 * @param {readonly import("./types.js").Range[]} tokens
 * @returns {import("./types.js").Range[]}
 */
export function rangesOf(indices, tokens) {
  /** @type {import("./types.js").Range[]} */
  const ranges = [];
  let last = -2;
  for (const index of [...new Set(indices)].sort((x, y) => x - y)) {
    if (index === last + 1) ranges[ranges.length - 1][1] = tokens[index][1];
    else ranges.push([tokens[index][0], tokens[index][1]]);
    last = index;
  }
  return ranges;
}

/**
 * The fragments of given tokens, side A first, in text order.
 * @param {Record<Side, Iterable<number>>} tokens
 * @param {Grids} grids
 * @returns {Fragment[]}
 */
export function fragmentsOf(tokens, grids) {
  return SIDES.flatMap((side) =>
    rangesOf(tokens[side], grids[side].tokens).map(([start, end]) => ({ side, start, end })),
  );
}

/**
 * The tokens that a span touches on a side, ascending.
 * @param {{fragments: Fragment[]}} span
 * @param {Side} side
 * @param {Grid} grid
 * @returns {number[]}
 */
export function tokensOnSide(span, side, grid) {
  /** @type {Set<number>} */
  const tokens = new Set();
  for (const fragment of span.fragments) {
    if (fragment.side !== side) continue;
    const [from, to] = grid.touched([fragment.start, fragment.end]);
    for (let index = from; index < to; index += 1) tokens.add(index);
  }
  return [...tokens].sort((x, y) => x - y);
}

/**
 * The tokens of a span on both sides.
 * @param {{fragments: Fragment[]}} span
 * @param {Grids} grids
 * @returns {Record<Side, number[]>}
 */
export function tokensOf(span, grids) {
  return { a: tokensOnSide(span, "a", grids.a), b: tokensOnSide(span, "b", grids.b) };
}

/**
 * The kind of a span: linked, on one side only, or broken (without any fragment, as some imported ones are).
 * @param {{fragments: Fragment[]}} span
 * @returns {"linked" | "a" | "b" | "broken"}
 */
export function kindOf(span) {
  const a = span.fragments.some((fragment) => fragment.side === "a");
  const b = span.fragments.some((fragment) => fragment.side === "b");
  if (a && b) return "linked";
  if (a) return "a";
  return b ? "b" : "broken";
}

/**
 * The words of a span on one side, its fragments joined by an ellipsis.
 * @param {{fragments: Fragment[]}} span
 * @param {Side} side
 * @param {Grid} grid
 */
export function quote(span, side, grid) {
  return span.fragments
    .filter((fragment) => fragment.side === side)
    .sort((x, y) => x.start - y.start)
    .map((fragment) => grid.slice(fragment.start, fragment.end).replace(/\s+/gu, " "))
    .join(" … ");
}

/**
 * Text order: by row of the aligned texts, then side A before B, then position, then the longer first.
 * @param {(side: Side, start: number) => number} rowAt
 * @returns {(x: Span, y: Span) => number}
 */
export function textOrder(rowAt) {
  /** @param {Span} span */
  const key = (span) => {
    let best = [Infinity, 2, Infinity, 0];
    for (const fragment of span.fragments) {
      const position = [
        rowAt(fragment.side, fragment.start),
        fragment.side === "a" ? 0 : 1,
        fragment.start,
        -fragment.end,
      ];
      if (compare(position, best) < 0) best = position;
    }
    return best;
  };
  return (x, y) => compare(key(x), key(y)) || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
}

/**
 * @param {number[]} x
 * @param {number[]} y
 */
function compare(x, y) {
  for (let index = 0; index < x.length; index += 1) if (x[index] !== y[index]) return x[index] < y[index] ? -1 : 1;
  return 0;
}

/**
 * Whether two spans are the same apart from their ids and the order of their fragments.
 * @param {Span} x
 * @param {Span} y
 */
export function sameSpan(x, y) {
  if (x.label !== y.label || x.comment !== y.comment || x.fragments.length !== y.fragments.length) return false;
  /** @param {Span} span */
  const keys = (span) => fragmentsKey(span.fragments);
  return keys(x) === keys(y);
}

/**
 * A canonical key of fragments, which identifies suggestions without an id.
 * @param {readonly Fragment[]} fragments
 */
export function fragmentsKey(fragments) {
  return fragments
    .map(({ side, start, end }) => `${side}:${start}-${end}`)
    .sort()
    .join(";");
}

/** A new span id, unique for all practical purposes. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * How many words a span has.
 * @param {Record<Side, readonly number[]>} tokens
 */
export function wordCount(tokens) {
  return tokens.a.length + tokens.b.length;
}
