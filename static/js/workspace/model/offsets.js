/**
 * Code points and UTF-16 units. Everything stored counts Unicode code points, every string method of JavaScript counts
 * UTF-16 units; only this module converts between them.
 */

/** Converts offsets of one immutable text, in constant time per offset after one pass over the text. */
export class Offsets {
  /** @param {string} text */
  constructor(text) {
    /** @type {Uint32Array | null} UTF-16 offset of each code point; null if the two agree throughout. */
    this.units = null;
    this.length = text.length;
    if (!/[\ud800-\udfff]/.test(text)) return;
    /** @type {number[]} */
    const units = [];
    let at = 0;
    for (const character of text) {
      units.push(at);
      at += character.length;
    }
    units.push(at);
    this.units = Uint32Array.from(units);
    this.length = units.length - 1;
  }

  /**
   * The UTF-16 offset of a code point offset; offsets beyond the text give its end.
   * @param {number} point
   */
  toUnits(point) {
    if (!this.units) return Math.min(Math.max(point, 0), this.length);
    return this.units[Math.min(Math.max(point, 0), this.length)];
  }
}

/**
 * The part of a text between two code point offsets.
 * @param {string} text
 * @param {Offsets} offsets
 * @param {number} start
 * @param {number} end
 */
export function slice(text, offsets, start, end) {
  return text.slice(offsets.toUnits(start), offsets.toUnits(end));
}
