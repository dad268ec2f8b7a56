/** Active time: seconds of work, not of an open tab. It stops after `IDLE` without input, or while the page is hidden. */

/** ms without input after which the user counts as idle. */
export const IDLE = 60000;

export class Clock {
  /**
   * @param {number} seconds Active so far.
   * @param {() => number} now ms
   */
  constructor(seconds, now = () => performance.now()) {
    this.total = seconds * 1000;
    this.now = now;
    /** @type {number | null} When the current period was last counted; null while idle. */
    this.counted = null;
    this.input = -Infinity;
  }

  /** User activity: a key, the mouse, a finger, scrolling. */
  recordInput() {
    this.count();
    this.input = this.now();
    this.counted ??= this.input;
  }

  /** The page is hidden or closing: stop counting. */
  stop() {
    this.count();
    this.counted = null;
  }

  /** Add the time since the last count, up to `IDLE` after the last input. */
  count() {
    if (this.counted === null) return;
    const now = this.now();
    const until = Math.min(now, this.input + IDLE);
    if (until > this.counted) this.total += until - this.counted;
    this.counted = now - this.input >= IDLE ? null : now;
  }

  /** Whether the user is active now. */
  get active() {
    this.count();
    return this.counted !== null;
  }

  /** Active seconds, whole. */
  get seconds() {
    this.count();
    return Math.floor(this.total / 1000);
  }
}
