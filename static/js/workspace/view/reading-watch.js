/** Watches which paragraphs are in view while the user is active, and reports those that have been long enough to be read. */

import { requireElement } from "./dom.js";
import { Dwell } from "../model/dwell.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {{side: Side, index: number, element: HTMLElement}} Paragraph */

/** ms between two checks, and the most that counts between them: browsers delay the timers of idle pages. */
const CHECK_INTERVAL = 500;
const MAX_INTERVAL = 1000;
/** The share of a paragraph, or of the window, that must be in view. */
const MIN_SHARE = 0.6;
/** What lies over the texts; guidelines and messages do in a narrow window, and stand beside them in a wide one. */
const OVERLAYS = "dialog[open], .span-list-open .span-list";
const NARROW = matchMedia("(max-width: 1100px)");

export class ReadingWatch {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("../model/clock.js").Clock} clock
   * @param {(read: [Side, number][]) => void} onRead
   */
  constructor(store, view, clock, onRead) {
    this.store = store;
    this.view = view;
    this.clock = clock;
    this.onRead = onRead;
    this.dwell = new Dwell();
    /** @type {Map<Element, Paragraph>} Paragraphs that are at least partly in view. */
    this.inView = new Map();
    /** @type {Set<string>} Paragraphs that the user set back to unread: only the user ticks them again. */
    this.markedUnread = new Set();
    /** The row of the pointer or the cursor, whichever moved last: it counts as read first. */
    this.row = 0;
    /** @type {Map<Element, Paragraph>} */
    const all = new Map();
    for (const side of SIDES)
      view.paragraphs[side].forEach((element, index) => all.set(element, { side, index, element }));
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) this.inView.set(target, /** @type {Paragraph} */ (all.get(target)));
        else this.inView.delete(target);
    });
    for (const element of all.keys()) observer.observe(element);
    view.sheet.addEventListener("pointermove", (event) => this.setRow(event.target), { passive: true });
    store.on(
      "cursor",
      () => (this.row = store.rowOf[store.cursor.side][store.grids[store.cursor.side].paragraphOf(store.cursor.index)]),
    );
    this.last = performance.now();
    setInterval(() => this.check(), CHECK_INTERVAL);
  }

  /** @param {EventTarget | null} target */
  setRow(target) {
    const paragraph = target instanceof Element ? target.closest(".para") : null;
    if (paragraph instanceof HTMLElement) this.row = Number(paragraph.dataset.row);
  }

  /** Whether the user is looking at the texts now. */
  get isUserReading() {
    const covered =
      document.querySelector(NARROW.matches ? `${OVERLAYS}, .guidelines:not([hidden])` : OVERLAYS) !== null;
    return document.visibilityState === "visible" && this.clock.active && !this.store.readOnly && !covered;
  }

  check() {
    const now = performance.now();
    const ms = Math.min(now - this.last, MAX_INTERVAL);
    this.last = now;
    if (!this.isUserReading) return;
    const read = this.dwell.count(ms, this.visibleParagraphs());
    if (read.length) this.onRead(read.map(positionOf));
  }

  /** Visible unread paragraphs, in reading order. @returns {import("../model/dwell.js").VisibleParagraph[]} */
  visibleParagraphs() {
    const { store } = this;
    const paragraphs = [...this.inView.values()]
      .filter(({ side, index }) => !store.doc.read[side].has(index) && !this.markedUnread.has(`${side}:${index}`))
      .map((one) => ({ ...one, box: one.element.getBoundingClientRect(), row: Number(one.element.dataset.row) }))
      .map((one) => ({ ...one, seen: this.visibleEnds(one.side, one.box) }))
      .filter(({ seen }) => seen !== null);
    const first = (/** @type {{row: number}} */ { row }) => (row === this.row ? 0 : 1);
    paragraphs.sort(
      (x, y) => first(x) - first(y) || x.row - y.row || x.side.localeCompare(y.side) || x.index - y.index,
    );
    return paragraphs.flatMap(({ side, index, seen }) =>
      seen ? [{ id: `${side}:${index}`, words: this.wordCount(side, index), ...seen }] : [],
    );
  }

  /**
   * Which ends of a paragraph are in view, or null if too little of it is.
   * @param {Side} side
   * @param {DOMRect} box
   */
  visibleEnds(side, box) {
    // A column may be partly out of view, below or above the questions.
    const frames = [this.view.scroller(side), requireElement("texts")].map((one) => one.getBoundingClientRect());
    const [top, bottom] = [
      Math.max(0, ...frames.map((one) => one.top)),
      Math.min(innerHeight, ...frames.map((one) => one.bottom)),
    ];
    const shown = Math.min(box.bottom, bottom) - Math.max(box.top, top);
    if (shown <= 0 || shown < MIN_SHARE * Math.min(box.height, bottom - top)) return null;
    return { start: box.top >= top - 2, end: box.bottom <= bottom + 2 };
  }

  /** The words of a paragraph: tokens that are more than punctuation. @param {Side} side @param {number} index */
  wordCount(side, index) {
    const grid = this.store.grids[side];
    const [from, to] = grid.paragraphTokens[index];
    let words = 0;
    for (let token = from; token < to; token += 1) if (/[\p{L}\p{N}]/u.test(grid.word(token))) words += 1;
    return words;
  }

  /** Ticked or unticked by the user. @param {string} id @param {boolean} read */
  setByUser(id, read) {
    this.dwell.forget(id);
    if (read) this.markedUnread.delete(id);
    else this.markedUnread.add(id);
  }
}

/** @param {string} id @returns {[Side, number]} */
function positionOf(id) {
  const [side, index] = id.split(":");
  return [side === "a" ? "a" : "b", Number(index)];
}
