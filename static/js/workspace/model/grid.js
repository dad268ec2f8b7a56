/** A text's tokens, with the paragraph and sentence of each. Pure. */

import { Offsets, slice } from "./offsets.js";

/** @typedef {import("./types.js").Range} Range */

/**
 * Index of the first of `count` items for which `test` is true; `count` if there is none. `test` must be monotone.
 * @param {number} count
 * @param {(index: number) => boolean} test
 */
export function firstIndex(count, test) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Grid {
  /** @param {import("./types.js").TextData} data */
  constructor(data) {
    this.text = data.text;
    this.language = data.language;
    this.direction = data.direction === "rtl" ? "rtl" : "ltr";
    this.offsets = new Offsets(data.text);
    this.tokens = data.tokens;
    this.count = data.tokens.length;
    /** @type {Range[]} */
    const whole = [[0, this.offsets.length]];
    this.paragraphs = data.paragraphs.length ? data.paragraphs : whole;
    /** The tokens of each paragraph and sentence, as half-open ranges of token indices. */
    this.paragraphTokens = this.paragraphs.map((range) => this.touched(range));
    this.sentenceTokens = (data.sentences.length ? data.sentences : this.paragraphs)
      .map((range) => this.touched(range))
      .filter(([from, to]) => from < to);
  }

  /**
   * The tokens that a range of code points touches, as a half-open range of indices (empty: both ends equal).
   * @param {Range} range
   * @returns {Range}
   */
  touched([start, end]) {
    const from = firstIndex(this.count, (index) => this.tokens[index][1] > start);
    const to = firstIndex(this.count, (index) => this.tokens[index][0] >= end);
    return [from, Math.max(from, to)];
  }

  /**
   * The words between two code point offsets.
   * @param {number} start
   * @param {number} end
   */
  slice(start, end) {
    return slice(this.text, this.offsets, start, end);
  }

  /** @param {number} index */
  word(index) {
    return this.slice(this.tokens[index][0], this.tokens[index][1]);
  }

  /**
   * The paragraph of a token; the nearest one before a token outside all paragraphs.
   * @param {number} index
   */
  paragraphOf(index) {
    const after = firstIndex(this.paragraphTokens.length, (n) => this.paragraphTokens[n][0] > index);
    return Math.max(0, after - 1);
  }

  /**
   * The tokens of a token's sentence.
   * @param {number} index
   * @returns {Range}
   */
  sentenceOf(index) {
    const after = firstIndex(this.sentenceTokens.length, (n) => this.sentenceTokens[n][0] > index);
    const sentence = this.sentenceTokens[Math.max(0, after - 1)];
    return sentence && index < sentence[1] ? sentence : [index, index + 1];
  }
}
