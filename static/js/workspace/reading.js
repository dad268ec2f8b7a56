/** What has been read: each row is unread, read or marked. Going on ticks it, a key or a click ticks or unticks it. */

import { t, tn } from "./messages.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Patch} Patch */

export class Reading {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./cursor.js").Cursor} cursor
   * @param {(words: string) => void} say
   */
  constructor(store, view, cursor, say) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.say = say;
    /** @type {number | null} The row that the annotator is in; null until they have put the cursor anywhere. */
    this.row = null;
    store.on("cursor", () => this.moved());
    store.on("doc", (patch) => this.changed(patch));
    for (const [row, tick] of view.ticks) tick.addEventListener("click", () => this.toggle(row));
    store.rows.forEach((_, row) => this.draw(row));
  }

  /** @param {number} row @returns {[Side, number][]} */
  paragraphs(row) {
    return SIDES.flatMap((side, n) => this.store.rows[row][n].map((index) => /** @type {[Side, number]} */ ([side, index])));
  }

  /** @param {number} row @returns {"unread" | "read" | "marked"} */
  state(row) {
    const { store } = this;
    const parts = this.paragraphs(row);
    for (const [side, index] of parts) {
      const [from, to] = store.grids[side].paragraphTokens[index];
      for (let token = from; token < to; token += 1) if (store.cover.at(side, token).length) return "marked";
    }
    const words = parts.filter(([side, index]) => store.grids[side].paragraphTokens[index][0] < store.grids[side].paragraphTokens[index][1]);
    return words.every(([side, index]) => store.doc.read[side].has(index)) ? "read" : "unread";
  }

  unread() {
    return this.store.rows.flatMap((_, row) => (this.state(row) === "unread" ? [row] : []));
  }

  /**
   * @param {number} row
   * @param {boolean} value
   * @returns {Patch}
   */
  patch(row, value) {
    return this.paragraphs(row)
      .filter(([side, index]) => this.store.doc.read[side].has(index) !== value)
      .map(([side, index]) => ({ kind: "read", id: `${side}:${index}`, before: !value, after: value }));
  }

  /** Going on to a later row ticks the one that is left; it is saved, but is no step to undo. */
  moved() {
    const { side, index } = this.store.cursor;
    const row = this.store.rowOf[side][this.store.grids[side].paragraphOf(index)];
    if (this.row !== null && row > this.row) this.store.commit(this.patch(this.row, true), { silent: true });
    this.row = row;
  }

  /** @param {number} row */
  toggle(row) {
    const ticked = this.paragraphs(row).every(([side, index]) => this.store.doc.read[side].has(index));
    this.store.commit(this.patch(row, !ticked));
    this.say(t(ticked ? "said.unticked" : "said.ticked"));
    return !ticked;
  }

  /** Tick the row of the cursor and go on to the next unread one; a ticked row is unticked. */
  tickHere() {
    const { side, index } = this.store.cursor;
    const row = this.store.rowOf[side][this.store.grids[side].paragraphOf(index)];
    this.row = row;
    if (this.toggle(row)) this.next();
  }

  /** To the next unread row after the cursor, or the first one. */
  next() {
    const { side, index } = this.store.cursor;
    const here = this.store.rowOf[side][this.store.grids[side].paragraphOf(index)];
    const rows = this.unread();
    const row = rows.find((one) => one > here) ?? rows.find((one) => one !== here) ?? null;
    if (row === null) return this.say(t("said.allread"));
    this.go(row);
  }

  /** Put the cursor on a row's first word, on the side where it is if it can be. @param {number} row */
  go(row) {
    const parts = this.paragraphs(row);
    const [side, index] = parts.find((part) => part[0] === this.store.cursor.side) ?? parts[0];
    this.cursor.place(side, this.store.grids[side].paragraphTokens[index][0]);
  }

  /** @param {Patch} patch */
  changed(patch) {
    /** @type {Set<number>} */
    const rows = new Set();
    for (const change of patch) {
      if (change.kind === "read") {
        const [side, index] = change.id.split(":");
        rows.add(this.store.rowOf[side === "a" ? "a" : "b"][Number(index)]);
      } else if (change.kind === "span") {
        for (const span of [change.before, change.after])
          for (const { side, start, end } of span?.fragments ?? []) {
            const last = this.store.rowAt(side, end - 1);
            for (let row = this.store.rowAt(side, start); row <= last; row += 1) rows.add(row);
          }
      }
    }
    for (const row of rows) this.draw(row);
  }

  /** @param {number} row */
  draw(row) {
    const state = this.state(row);
    const tick = this.view.ticks.get(row);
    if (tick && tick.dataset.state !== state) {
      tick.dataset.state = state;
      tick.setAttribute("aria-pressed", String(state !== "unread"));
      tick.setAttribute("aria-label", t("tick", { n: row + 1, state: t(`read.${state}`) }));
      tick.title = t(`read.${state}`);
    }
    for (const [side, index] of this.paragraphs(row)) {
      const words = t("paragraph", { n: index + 1, of: this.store.grids[side].paragraphs.length, state: t(`read.${state}`) });
      this.view.paragraphs[side][index].setAttribute("aria-label", words);
    }
  }

  /** The sentence about what is unread, for the foot. */
  words() {
    const { length } = this.unread();
    return length ? tn("unread", length) : t("unread.none");
  }
}
