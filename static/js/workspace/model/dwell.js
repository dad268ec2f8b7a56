/** How long paragraphs have been in view, and whether that was long enough to read them. Pure. */

/** ms in view before reading starts, and ms for each word after that. The documentation states both. */
export const MIN_MS_IN_VIEW = 2000;
export const MS_PER_WORD = 150;

/**
 * @typedef {object} VisibleParagraph A visible paragraph.
 * @property {string} id
 * @property {number} words
 * @property {boolean} start Whether its first line is in view.
 * @property {boolean} end Whether its last line is in view.
 */

export class Dwell {
  constructor() {
    /** @type {Map<string, {view: number, reading: number, start: boolean, end: boolean}>} */
    this.times = new Map();
  }

  /**
   * Count time spent on what is in view. Paragraphs are read one at a time: the time for words goes to one after
   * another, in the given order.
   * @param {number} ms
   * @param {VisibleParagraph[]} sights In the order in which they are read.
   * @returns {string[]} Those that have now been in view long enough.
   */
  count(ms, sights) {
    let rest = ms;
    /** @type {string[]} */
    const read = [];
    for (const { id, words, start, end } of sights) {
      const times = this.times.get(id) ?? { view: 0, reading: 0, start: false, end: false };
      this.times.set(id, times);
      times.view += ms;
      // A paragraph taller than the window is read once both its ends have been seen.
      times.start ||= start;
      times.end ||= end;
      const spent = Math.max(0, Math.min(rest, times.view - MIN_MS_IN_VIEW, words * MS_PER_WORD - times.reading));
      times.reading += spent;
      rest -= spent;
      if (times.view >= MIN_MS_IN_VIEW && times.reading >= words * MS_PER_WORD && times.start && times.end)
        read.push(id);
    }
    return read;
  }

  /** @param {string} id */
  forget(id) {
    this.times.delete(id);
  }
}
