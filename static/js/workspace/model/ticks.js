/** The rows of the texts as read, marked or unread, and what R does to the cursor's. Pure. */

import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */

/**
 * The paragraphs of a row.
 * @param {import("./annotation-model.js").AnnotationModel} model
 * @param {number} row
 * @returns {[Side, number][]}
 */
export function paragraphsOf({ rows }, row) {
  return SIDES.flatMap((side, n) => rows[row][n].map((index) => /** @type {[Side, number]} */ ([side, index])));
}

/**
 * @param {import("./annotation-model.js").AnnotationModel} model
 * @param {number} row
 * @returns {"unread" | "read" | "marked"}
 */
export function rowState(model, row) {
  const parts = paragraphsOf(model, row);
  for (const [side, index] of parts) {
    const [from, to] = model.grids[side].paragraphTokens[index];
    for (let token = from; token < to; token += 1) if (model.cover.at(side, token).length) return "marked";
  }
  const words = parts.filter(
    ([side, index]) => model.grids[side].paragraphTokens[index][0] < model.grids[side].paragraphTokens[index][1],
  );
  return words.every(([side, index]) => model.doc.read[side].has(index)) ? "read" : "unread";
}

/** Whether every paragraph of a row is ticked. @param {import("./annotation-model.js").AnnotationModel} model @param {number} row */
export function isTicked(model, row) {
  return paragraphsOf(model, row).every(([side, index]) => model.doc.read[side].has(index));
}

/** The row of the cursor. @param {import("./store.js").Store} store */
export function cursorRow({ cursor: { side, index }, rowOf, grids }) {
  return rowOf[side][grids[side].paragraphOf(index)];
}

/** Whether R only confirms the tick of the cursor's row: time in view has ticked it, and the user has not. @param {import("./store.js").Store} store */
export function confirmsTick(store) {
  const row = cursorRow(store);
  return rowState(store, row) === "read" && !store.tickedByUser.has(row);
}

/** Whether R unticks the cursor's row. @param {import("./store.js").Store} store */
export function removesTick(store) {
  return !confirmsTick(store) && isTicked(store, cursorRow(store));
}
