/** The mouse and the finger: a point on the page becomes a word, a drag a run of words, wherever it begins and ends. */

import { sideAt, wordAt } from "./hit.js";
import * as selection from "./selection.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {{side: Side, index: number}} Place */

/** Pixels from the edge of the texts at which a drag scrolls. */
const EDGE = 48;

export class Pointer {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./cursor.js").Cursor} cursor
   * @param {import("./actions.js").Actions} actions
   */
  constructor(store, view, cursor, actions) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.actions = actions;
    /** @type {{place: Place, add: boolean, count: number, moved: boolean, beside: boolean} | null} */
    this.drag = null;
    this.touch = false;
    /** @type {MouseEvent | null} */
    this.last = null;
    const { sheet } = view;
    sheet.addEventListener("pointerdown", (event) => (this.touch = event.pointerType === "touch"));
    // The margins belong to the texts: a drag may begin there.
    const texts = sheet.parentElement ?? sheet;
    texts.addEventListener("mousedown", (event) => {
      const margin = event.target === texts && event.offsetX < texts.clientWidth && event.offsetY < texts.clientHeight;
      if (margin || (event.target instanceof Element && sheet.contains(event.target))) this.down(event);
    });
    addEventListener("mousemove", (event) => this.drag && this.move(event));
    addEventListener("mouseup", () => this.drag && this.up());
    sheet.addEventListener("mouseover", (event) => !this.drag && !this.touch && store.point(view.placeOf(event.target)));
    sheet.addEventListener("mouseleave", () => store.point(null));
  }

  /** @param {MouseEvent} event */
  down(event) {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest("button, .divider, .handle"))) return;
    const { store } = this;
    const hit = wordAt(this.view, event.clientX, event.clientY);
    const place = hit ?? wordAt(this.view, event.clientX, event.clientY, sideAt(this.view, event.clientX, event.clientY));
    event.preventDefault();
    if (!place) return this.blank();
    const add = event.ctrlKey || event.metaKey || (store.adding && store.marks(place.side));
    if (hit && event.shiftKey && store.cursor.side === place.side) {
      this.extend(place);
      return;
    }
    this.drag = { place, add, count: event.detail, moved: false, beside: !hit };
    store.dragging = true;
    if (hit && event.detail >= 2 && store.marks(place.side) && !store.readOnly) this.multiple(event.detail);
  }

  /** Shift and a click: the run reaches from where it began, or from the cursor, to the word. @param {Place} place */
  extend({ side, index }) {
    const { store } = this;
    if (store.readOnly || !store.marks(side)) return;
    const { active } = store.selection;
    const anchor = active?.side === side ? active.anchor : store.cursor.index;
    store.select(selection.begin(store.selection, side, anchor, index, store.adding || store.picked !== null));
    if (store.picked) this.actions.follow();
    this.cursor.place(side, index, { reveal: false });
  }

  /** Two clicks take the word, three the sentence. @param {number} count */
  multiple(count) {
    if (!this.drag) return;
    const { store } = this;
    const { place, add } = this.drag;
    const [from, to] = count === 2 ? [place.index, place.index + 1] : store.grids[place.side].sentenceOf(place.index);
    if (!add) store.pick(null);
    store.suggest(null);
    store.select(selection.begin(store.selection, place.side, from, to - 1, add));
    this.drag.moved = true;
  }

  /** @param {MouseEvent} event */
  move(event) {
    const { store, drag } = this;
    if (!drag) return;
    if (!(event.buttons & 1)) return this.up();
    this.last = event;
    const place = wordAt(this.view, event.clientX, event.clientY, drag.place.side);
    if (!place || store.readOnly || !store.marks(place.side)) return;
    if (!drag.moved) {
      if (place.index === drag.place.index) return;
      drag.moved = true;
      if (!drag.add) store.pick(null);
      store.suggest(null);
      store.select(selection.begin(store.selection, place.side, drag.place.index, place.index, drag.add));
    } else if (store.selection.active?.head !== place.index) {
      store.select(selection.extend(store.selection, place.index));
    }
    this.scroll();
  }

  up() {
    const { store, drag } = this;
    if (!drag) return;
    this.drag = null;
    this.last = null;
    store.dragging = false;
    if (drag.beside && !drag.moved) return this.blank();
    const { side, index } = drag.place;
    const at = store.selection.active?.side === side && drag.moved ? store.selection.active.head : index;
    this.cursor.place(side, at, { reveal: false });
    if (!drag.moved) this.click(drag);
    else if (store.picked && drag.add) this.actions.follow();
    store.emit("selection");
  }

  /**
   * A click without a drag: with Ctrl it gives or takes the word; on a span it picks it (again: the one below it).
   * @param {{place: Place, add: boolean, count: number}} drag
   */
  click({ place: { side, index }, add }) {
    const { store, actions } = this;
    const free = !store.readOnly && store.marks(side);
    if (add && free) {
      actions.toggle();
      store.adding = store.adding && this.touch;
      return;
    }
    if (actions.pickHere()) return;
    const { fixed } = selection.settle(store.selection);
    const was = store.picked;
    store.pick(null);
    store.suggest(null);
    store.select({ fixed: was ? { a: [], b: [] } : { ...fixed, [side]: [] }, active: null });
    if (this.touch && free) store.select(selection.begin(store.selection, side, index, index, false));
  }

  /** Beside the texts: nothing is meant any more. */
  blank() {
    this.store.suggest(null);
    this.actions.clear();
  }

  /** While a drag stands near the edge, the text moves on below it. */
  scroll() {
    const { drag, last, view } = this;
    if (!drag || !last) return;
    const scroller = view.scroller(drag.place.side);
    const frame = scroller.getBoundingClientRect();
    const by = last.clientY < frame.top + EDGE ? -12 : last.clientY > frame.bottom - EDGE ? 12 : 0;
    if (!by || this.scrolling) return;
    this.scrolling = true;
    requestAnimationFrame(() => {
      this.scrolling = false;
      const before = scroller.scrollTop;
      scroller.scrollTop += by;
      if (this.last && scroller.scrollTop !== before) this.move(this.last);
    });
  }

  scrolling = false;
}
