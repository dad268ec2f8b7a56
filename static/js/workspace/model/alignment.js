/** Alignment: rows of paragraphs, and counterparts of tokens. Pure. */

import { firstIndex } from "./grid.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Bead} Bead */

/**
 * The rows of the page: every paragraph of both sides once, in order. Paragraphs missing from the server's beads are
 * added, so that no text is ever missing from the page.
 * @param {readonly Bead[]} beads
 * @param {number} countA
 * @param {number} countB
 * @returns {Bead[]}
 */
export function rowsOf(beads, countA, countB) {
  const seen = { a: new Set(beads.flatMap((bead) => bead[0])), b: new Set(beads.flatMap((bead) => bead[1])) };
  /** @type {Bead[]} */
  const rows = beads.map(([a, b]) => [[...a], [...b]]);
  if (!rows.length && countA === countB)
    return Array.from({ length: countA }, (_, index) => /** @type {Bead} */ ([[index], [index]]));
  for (const [position, side, count] of /** @type {[0 | 1, Side, number][]} */ ([
    [0, "a", countA],
    [1, "b", countB],
  ])) {
    for (let index = 0; index < count; index += 1) {
      if (seen[side].has(index)) continue;
      const after = rows.findIndex((row) => row[position].length > 0 && row[position][0] > index);
      /** @type {Bead} */
      const row = position === 0 ? [[index], []] : [[], [index]];
      rows.splice(after < 0 ? rows.length : after, 0, row);
    }
  }
  return rows;
}

/**
 * The row of each paragraph of a side.
 * @param {readonly Bead[]} rows
 * @param {Side} side
 * @returns {number[]}
 */
export function rowIndex(rows, side) {
  /** @type {number[]} */
  const result = [];
  rows.forEach((row, n) => row[side === "a" ? 0 : 1].forEach((paragraph) => (result[paragraph] = n)));
  return result;
}

/** Alignment edges between tokens, both ways. */
export class Counterparts {
  /** @param {readonly import("./types.js").Range[]} edges Pairs of a token of side A and one of side B. */
  constructor(edges) {
    /** @type {Record<Side, Map<number, number[]>>} */
    this.of = { a: new Map(), b: new Map() };
    for (const [i, j] of edges) {
      addToList(this.of.a, i, j);
      addToList(this.of.b, j, i);
    }
  }

  /**
   * The tokens of the other side that a token was aligned to.
   * @param {Side} side
   * @param {number} index
   * @returns {readonly number[]}
   */
  get(side, index) {
    return this.of[side].get(index) ?? [];
  }
}

/**
 * @param {Map<number, number[]>} map
 * @param {number} key
 * @param {number} value
 */
function addToList(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/**
 * Convert a scroll position to the other side: by row, and within a row proportionally.
 * `tops` and `otherTops` are ascending and end with the bottom of the last row; a side without a paragraph in a row has
 * a row of no height there.
 * @param {number} position
 * @param {readonly number[]} tops
 * @param {readonly number[]} otherTops
 */
export function alignedScroll(position, tops, otherTops) {
  const rows = tops.length - 1;
  if (rows < 1) return 0;
  const row = Math.min(
    rows - 1,
    Math.max(
      0,
      firstIndex(rows, (n) => tops[n + 1] > position),
    ),
  );
  const height = tops[row + 1] - tops[row];
  const share = height > 0 ? Math.min(1, Math.max(0, (position - tops[row]) / height)) : 0;
  return otherTops[row] + share * (otherTops[row + 1] - otherTops[row]);
}
