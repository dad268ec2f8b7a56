/** Unlimited undo and redo over patches; every change can be recorded elsewhere as it is made. Pure. */

import { invertPatch, joinPatches } from "./patches.js";

/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {{writeStep(index: number, patch: Patch): void, setSteps(cursor: number, length: number, was: number): void}} StepRecorder */

/** Steps of one group within this time (in ms) are one undo step. */
export const MERGE_WINDOW = 1200;

export class History {
  /**
   * @param {Patch[]} [patches] All steps, done and undone, in order.
   * @param {number} [cursor] How many of them are done.
   * @param {StepRecorder} [recorder] Notified of each step and each move of the cursor.
   */
  constructor(patches = [], cursor = patches.length, recorder) {
    this.patches = patches;
    this.cursor = cursor;
    this.recorder = recorder;
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
    const joins = group !== "" && group === this.group && now - this.at < MERGE_WINDOW && this.canUndo && !this.canRedo;
    if (joins) {
      const joined = joinPatches(this.patches[this.cursor - 1], patch);
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
    if (this.cursor) this.recorder?.writeStep(this.cursor - 1, this.patches[this.cursor - 1]);
    this.recorder?.setSteps(this.cursor, this.patches.length, was);
  }

  /** The patch that undoes the last step, or null if there is none. @returns {Patch | null} */
  undo() {
    if (!this.canUndo) return null;
    this.cursor -= 1;
    return this.recordMove(invertPatch(this.patches[this.cursor]));
  }

  /** The patch that redoes the next undone step, or null. @returns {Patch | null} */
  redo() {
    if (!this.canRedo) return null;
    this.cursor += 1;
    return this.recordMove(this.patches[this.cursor - 1]);
  }

  /**
   * @param {Patch} patch
   * @returns {Patch}
   */
  recordMove(patch) {
    this.group = "";
    this.recorder?.setSteps(this.cursor, this.patches.length, this.patches.length);
    return patch;
  }
}
