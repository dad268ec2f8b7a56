/** Unlimited undo and redo over patches; every change can be recorded elsewhere as it is made. Pure. */

import { invert, join } from "./patches.js";

/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {{write(index: number, patch: Patch): void, cut(cursor: number, length: number, was: number): void}} Keeper */

/** Steps of one group within this time (in ms) are one undo step. */
export const JOINED_WITHIN = 1200;

export class History {
  /**
   * @param {Patch[]} [patches] All steps, done and undone, in order.
   * @param {number} [cursor] How many of them are done.
   * @param {Keeper} [keeper] Notified of each step and each move of the cursor.
   */
  constructor(patches = [], cursor = patches.length, keeper) {
    this.patches = patches;
    this.cursor = cursor;
    this.keeper = keeper;
    this.group = "";
    this.at = -Infinity;
  }

  get canUndo() {
    return this.cursor > 0;
  }

  get canRedo() {
    return this.cursor < this.patches.length;
  }

  /**
   * Add a step. Steps of one named group are joined if they follow each other closely.
   * @param {Patch} patch
   * @param {string} [group]
   * @param {number} [now] ms
   */
  push(patch, group = "", now = Date.now()) {
    const was = this.patches.length;
    const joins = group !== "" && group === this.group && now - this.at < JOINED_WITHIN && this.canUndo && !this.canRedo;
    if (joins) {
      const joined = join(this.patches[this.cursor - 1], patch);
      this.patches.pop();
      this.cursor -= 1;
      if (joined.length) this.patches.push(joined);
    } else {
      this.patches.length = this.cursor;
      this.patches.push(patch);
    }
    this.cursor = this.patches.length;
    this.group = group;
    this.at = now;
    if (this.cursor) this.keeper?.write(this.cursor - 1, this.patches[this.cursor - 1]);
    this.keeper?.cut(this.cursor, this.patches.length, was);
  }

  /** The patch that undoes the last step, or null if there is none. @returns {Patch | null} */
  undo() {
    if (!this.canUndo) return null;
    this.cursor -= 1;
    return this.moved(invert(this.patches[this.cursor]));
  }

  /** The patch that redoes the next undone step, or null. @returns {Patch | null} */
  redo() {
    if (!this.canRedo) return null;
    this.cursor += 1;
    return this.moved(this.patches[this.cursor - 1]);
  }

  /**
   * @param {Patch} patch
   * @returns {Patch}
   */
  moved(patch) {
    this.group = "";
    this.keeper?.cut(this.cursor, this.patches.length, this.patches.length);
    return patch;
  }
}
