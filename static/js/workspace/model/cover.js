/** Which spans cover which token, updated span by span. Pure. */

import { SIDES, tokensOf } from "./spans.js";

/** @typedef {import("./types.js").Span} Span */
/** @typedef {import("./types.js").Side} Side */

export class Cover {
  /** @param {import("./spans.js").Grids} grids */
  constructor(grids) {
    this.grids = grids;
    /** @type {Record<Side, (string[] | undefined)[]>} Span ids on each token: longer spans below, shorter on top. */
    this.stacks = { a: new Array(grids.a.count), b: new Array(grids.b.count) };
    /** @type {Map<string, Record<Side, number[]>>} */
    this.tokens = new Map();
  }

  /**
   * Add, remove (null) or replace a span; returns the tokens that it covered before or covers now.
   * @param {string} id
   * @param {Span | null} span
   * @returns {Record<Side, Set<number>>}
   */
  set(id, span) {
    const before = this.tokens.get(id);
    const after = span ? tokensOf(span, this.grids) : { a: [], b: [] };
    if (span) this.tokens.set(id, after);
    else this.tokens.delete(id);
    /** @type {Record<Side, Set<number>>} */
    const touched = { a: new Set(), b: new Set() };
    for (const side of SIDES) {
      for (const index of before?.[side] ?? []) {
        this.stacks[side][index] = this.stacks[side][index]?.filter((one) => one !== id);
        touched[side].add(index);
      }
      for (const index of after[side]) {
        const stack = this.stacks[side][index] ?? [];
        const position = stack.findIndex((one) => this.size(one) < this.size(id));
        stack.splice(position < 0 ? stack.length : position, 0, id);
        this.stacks[side][index] = stack;
        touched[side].add(index);
      }
    }
    return touched;
  }

  /**
   * The spans on a token, the one on top last.
   * @param {Side} side
   * @param {number} index
   * @returns {readonly string[]}
   */
  at(side, index) {
    return this.stacks[side][index] ?? [];
  }

  /**
   * The tokens of a span.
   * @param {string} id
   * @returns {Record<Side, number[]>}
   */
  of(id) {
    return this.tokens.get(id) ?? { a: [], b: [] };
  }

  /** @param {string} id */
  size(id) {
    const tokens = this.of(id);
    return tokens.a.length + tokens.b.length;
  }
}
