/** Unpacks the ranges of the embedded assignment, which `annotation/text/packed_ranges.py` packed. Pure. */

/** @typedef {import("./types.js").Range} Range */

/**
 * @param {readonly number[]} flat
 * @returns {Range[]}
 */
export function unpackRanges(flat) {
  /** @type {Range[]} */
  const pairs = [];
  let last = 0;
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const first = last + flat[at];
    last = first + flat[at + 1];
    pairs.push([first, last]);
  }
  return pairs;
}

/**
 * @param {any} embedded
 * @returns {import("./types.js").Assignment}
 */
export function unpackAssignment(embedded) {
  const { pair, highlights } = embedded;
  for (const side of [pair.a, pair.b])
    for (const name of ["tokens", "sentences", "paragraphs"]) side[name] = unpackRanges(side[name]);
  if (highlights) highlights.edges = unpackRanges(highlights.edges);
  return embedded;
}
