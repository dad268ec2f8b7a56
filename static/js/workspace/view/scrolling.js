/** Scrolling: scrolling a word into view, and keeping the two texts aligned if they scroll separately. */

import { alignedScroll } from "../model/alignment.js";
import { prefersReducedMotion } from "./dom.js";
import { otherSide, SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("./render.js").View} View */

/**
 * Scroll an element into view with some margin: no further than needed, unless it is far away.
 * @param {HTMLElement} element
 * @param {HTMLElement} scroller
 */
export function scrollIntoView(element, scroller) {
  const box = element.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const room = Math.min(96, frame.height / 4);
  let by = 0;
  if (box.top < frame.top + room) by = box.top - frame.top - room;
  else if (box.bottom > frame.bottom - room) by = box.bottom - frame.bottom + room;
  const far = Math.abs(by) > frame.height;
  if (by) scroller.scrollBy({ top: far ? box.top - frame.top - frame.height / 3 : by, behavior: "instant" });
  // A column may itself be out of view, below or above the questions.
  const outer = /** @type {HTMLElement | null} */ (scroller.parentElement?.closest("#texts"));
  if (outer && outer.scrollHeight > outer.clientHeight) scrollIntoView(element, outer);
}

/** Scrolls the other column along, row by row, while the annotator scrolls one. */
export class LinkedScrolling {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.on = true;
    /** @type {Side | null} The side that the user scrolls; the other one follows and must not scroll the first. */
    this.leader = null;
    this.waiting = false;
    for (const side of SIDES) {
      const column = view.columns[side];
      for (const type of ["wheel", "touchstart", "pointerdown", "keydown"])
        column.addEventListener(type, () => (this.leader = side), { passive: true });
      column.addEventListener("scroll", () => this.follow(side), { passive: true });
    }
  }

  /** @param {Side} side */
  follow(side) {
    if (!this.on || this.waiting || this.leader === otherSide(side) || !this.view.sheet.classList.contains("apart"))
      return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const [here, there] = [this.view.columns[side], this.view.columns[otherSide(side)]];
      // The line being read is assumed a third down the column.
      const eye = here.clientHeight / 3;
      const target = alignedScroll(here.scrollTop + eye, this.tops(side), this.tops(otherSide(side)));
      this.leader = side;
      there.scrollTo({ top: target - there.clientHeight / 3, behavior: prefersReducedMotion() ? "instant" : "auto" });
    });
  }

  /**
   * The top of each row in a column, and the bottom of the last one.
   * @param {Side} side
   */
  tops(side) {
    const column = this.view.columns[side];
    const top = column.getBoundingClientRect().top - column.scrollTop;
    /** @type {number[]} */
    const tops = [];
    let end = 0;
    for (const cell of column.querySelectorAll(".cell")) {
      const box = cell.getBoundingClientRect();
      const row = Number(/** @type {HTMLElement} */ (cell).dataset.row);
      while (tops.length < row) tops.push(end || box.top - top);
      tops.push(box.top - top);
      end = box.bottom - top;
    }
    while (tops.length <= this.view.store.rows.length) tops.push(end);
    return tops;
  }
}

/** A drag scrolls this many pixels from the edge of a text, and beyond it: fully visible lines can still be reached. */
const EDGE_WIDTH = 8;

/** Scrolls a text while a drag is held at its edge. */
export class EdgeScroll {
  constructor() {
    this.waiting = false;
  }

  /**
   * @param {HTMLElement} scroller
   * @param {number} y The vertical position of the drag.
   * @param {() => void} again Called after scrolling.
   */
  at(scroller, y, again) {
    const frame = scroller.getBoundingClientRect();
    const by = y < frame.top + EDGE_WIDTH ? -12 : y > frame.bottom - EDGE_WIDTH ? 12 : 0;
    if (!by || this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const before = scroller.scrollTop;
      scroller.scrollTop += by;
      if (scroller.scrollTop !== before) again();
    });
  }
}
