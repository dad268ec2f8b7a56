/** Read tracking: each row is unread, read or marked. Time in view ticks it; a key or a click ticks or unticks it. */

import { requireElement } from "./dom.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { ReadingWatch } from "./reading-watch.js";
import { confirmsTick, cursorRow, isTicked, paragraphsOf, rowState } from "../model/ticks.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/types.js").Patch} Patch */

/** ms after a row was ticked automatically during which a click does not untick it. */
const CLICK_GRACE = 1000;

/** A row's state in words. */
const STATES = {
  unread: gettext("not read yet"),
  read: gettext("read"),
  marked: gettext("marked"),
};

export class Reading {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("../input/cursor.js").Cursor} cursor
   * @param {(words: string) => void} say
   */
  constructor(store, view, cursor, say) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.say = say;
    /** @type {Set<number>} */
    this.unreadRows = new Set();
    /** @type {ReadingWatch | null} */
    this.watch = null;
    /** When rows were last ticked by time in view, in ms. */
    this.seenAt = /** @type {Map<number, number>} */ (new Map());
    /** The number of unread rows in the footer, if the page has it. */
    this.counter = document.getElementById("unread-count");
    store.on("doc", (patch) => this.update(patch));
    for (const [row, tick] of view.ticks) tick.addEventListener("click", () => this.onTickClick(row));
    store.rows.forEach((_, row) => this.draw(row));
    this.updateCount();
  }

  /** From now on, paragraphs that are in view long enough count as read. @param {import("../model/clock.js").Clock} clock */
  start(clock) {
    this.watch = new ReadingWatch(this.store, this.view, clock, (read) => this.markSeen(read));
  }

  /** These paragraphs have been in view long enough: saved, but not as an undo step. @param {[Side, number][]} paragraphs */
  markSeen(paragraphs) {
    for (const [side, index] of paragraphs) this.seenAt.set(this.store.rowOf[side][index], performance.now());
    this.store.commit(
      paragraphs.map(([side, index]) => ({ kind: "read", id: `${side}:${index}`, before: false, after: true })),
      { silent: true },
    );
  }

  /** The rows that are neither read nor marked, in order. */
  unread() {
    return [...this.unreadRows].sort((x, y) => x - y);
  }

  /**
   * @param {number} row
   * @param {boolean} value
   * @returns {Patch}
   */
  patch(row, value) {
    return paragraphsOf(this.store, row)
      .filter(([side, index]) => this.store.doc.read[side].has(index) !== value)
      .map(([side, index]) => ({ kind: "read", id: `${side}:${index}`, before: !value, after: value }));
  }

  /** @param {number} row */
  toggle(row) {
    const ticked = isTicked(this.store, row);
    for (const [side, index] of paragraphsOf(this.store, row)) this.watch?.setByUser(`${side}:${index}`, !ticked);
    this.store.commit(this.patch(row, !ticked));
    if (ticked) this.store.tickedByUser.delete(row);
    else this.store.tickedByUser.add(row);
    this.say(ticked ? gettext("Marked as unread") : gettext("Read"));
    return !ticked;
  }

  /** A click on a row's tick. If it was just ticked automatically, the click was meant to tick it. @param {number} row */
  onTickClick(row) {
    const since = performance.now() - (this.seenAt.get(row) ?? -Infinity);
    if (since > CLICK_GRACE || rowState(this.store, row) === "unread") this.toggle(row);
  }

  /** Tick the row of the cursor and go to the next unread one; a row that was ticked by the user is unticked. */
  tickHere() {
    const row = cursorRow(this.store);
    if (confirmsTick(this.store)) {
      this.store.tickedByUser.add(row);
      this.say(gettext("Read"));
      this.goToNextUnread();
    } else if (this.toggle(row)) this.goToNextUnread();
  }

  /** Go to the next unread row after the cursor, or the first one. */
  goToNextUnread() {
    const current = cursorRow(this.store);
    const rows = this.unread();
    const row = rows.find((one) => one > current) ?? rows.find((one) => one !== current) ?? null;
    if (row === null) return this.say(gettext("All paragraphs are read"));
    this.goToRow(row);
  }

  /** Put the cursor on a row's first word, on the current side if possible. @param {number} row */
  goToRow(row) {
    const parts = paragraphsOf(this.store, row);
    const [side, index] = parts.find((part) => part[0] === this.store.cursor.side) ?? parts[0];
    this.cursor.place(side, this.store.grids[side].paragraphTokens[index][0]);
  }

  /** @param {Patch} patch */
  update(patch) {
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
    if (rows.size) this.updateCount();
  }

  /** Show the number of unread rows in the footer. */
  updateCount() {
    if (!this.counter) return;
    const { size } = this.unreadRows;
    const [long, short] = [
      ngettext("{n} paragraph unread", "{n} paragraphs unread", size),
      ngettext("{n} unread", "{n} unread", size),
    ];
    this.counter.textContent = size ? format(long, { n: size }) : gettext("All read");
    requireElement("unread-short").textContent = size ? format(short, { n: size }) : gettext("All read");
    this.counter.closest("button")?.classList.toggle("none", size === 0);
  }

  /** @param {number} row */
  draw(row) {
    const state = rowState(this.store, row);
    if (state === "unread") this.unreadRows.add(row);
    else this.unreadRows.delete(row);
    const tick = this.view.ticks.get(row);
    if (tick && tick.dataset.state !== state) {
      tick.dataset.state = state;
      tick.setAttribute("aria-pressed", String(state !== "unread"));
      tick.setAttribute("aria-label", format(gettext("Row {n}: {state}"), { n: row + 1, state: STATES[state] }));
      tick.title = STATES[state];
    }
    for (const [side, index] of paragraphsOf(this.store, row)) {
      const of = this.store.grids[side].paragraphs.length;
      const words = format(gettext("Paragraph {n} of {of}, {state}"), { n: index + 1, of, state: STATES[state] });
      this.view.paragraphs[side][index].setAttribute("aria-label", words);
    }
  }
}
