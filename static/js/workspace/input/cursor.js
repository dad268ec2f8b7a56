/** The cursor that stands on a word: moved by keys as the eye sees the text (right is right in every script), revealed, focused. */

import { show } from "../view/scrolling.js";
import { joined } from "../model/selection.js";
import { other } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/store.js").Store} Store */
/** @typedef {import("../view/render.js").View} View */
/** @typedef {import("./actions.js").Actions} Actions */

export class Cursor {
  /**
   * @param {Store} store
   * @param {View} view
   * @param {Actions} actions
   */
  constructor(store, view, actions) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    /** @type {Record<Side, HTMLElement | undefined>} The word of each side that Tab reaches. */
    this.stops = { a: view.word("a", 0), b: view.word("b", 0) };
    /** @type {number | null} Where the eye is while lines are passed: kept over short lines. */
    this.x = null;
    for (const word of [this.stops.a, this.stops.b]) word?.setAttribute("tabindex", "0");
    this.stops[store.cursor.side]?.setAttribute("data-cursor", "");
  }

  /**
   * Put the cursor on a word; the focus goes there and the word is brought into view.
   * @param {Side} side
   * @param {number} index
   * @param {{reveal?: boolean, focus?: boolean}} [how]
   */
  place(side, index, { reveal = true, focus = true } = {}) {
    const { store, view } = this;
    if (!store.grids[side].count) return;
    this.stops[side]?.removeAttribute("tabindex");
    this.stops[store.cursor.side]?.removeAttribute("data-cursor");
    store.moveTo(side, index);
    const element = view.word(side, store.cursor.index);
    element.tabIndex = 0;
    element.setAttribute("data-cursor", "");
    this.stops[side] = element;
    if (focus) element.focus({ preventScroll: true });
    if (reveal) show(element, view.scroller(side));
  }

  /**
   * Move to a word, alone or drawing the selection along.
   * @param {number} index
   * @param {boolean} extend
   */
  go(index, extend) {
    const { store } = this;
    const { side } = store.cursor;
    const { active } = joined(store.selection);
    // Inside a run that is being worked on, its moving end goes, wherever in it the cursor stands.
    const inside = extend && active?.side === side && within(store.cursor.index, active);
    const from = inside ? active.head : store.cursor.index;
    const to = Math.max(0, Math.min(store.grids[side].count - 1, index - store.cursor.index + from));
    // What is selected stays so while the cursor moves: it is lost neither by a step aside nor on the way to a fragment.
    if (extend) this.actions.reach(to, true);
    // A run that met another one ends where that does.
    const reached = extend ? store.selection.active : null;
    this.place(side, reached?.side === side && within(to, reached) ? reached.head : to);
  }

  /** One word to the right (1) or left (-1) as seen. @param {number} step @param {boolean} extend */
  word(step, extend) {
    this.x = null;
    this.go(this.store.cursor.index + this.seen(step), extend);
  }

  /** A step to the right as seen, in the order of the text. @param {number} step */
  seen(step) {
    return this.store.grids[this.store.cursor.side].direction === "rtl" ? -step : step;
  }

  /** One line down (1) or up (-1): the word nearest to where the eye was. @param {number} step @param {boolean} extend */
  line(step, extend) {
    const { side, index } = this.store.cursor;
    const here = this.view.word(side, index).getBoundingClientRect();
    const x = this.x ?? (here.left + here.right) / 2;
    let best = index;
    let near = Infinity;
    /** @type {number | null} */
    let line = null;
    for (let at = index + step; at >= 0 && at < this.store.grids[side].count; at += step) {
      const box = this.view.word(side, at).getBoundingClientRect();
      if (line === null && Math.abs(box.top - here.top) < here.height / 2) continue;
      line ??= box.top;
      if (Math.abs(box.top - line) >= box.height / 2) break;
      const distance = x < box.left ? box.left - x : x > box.right ? x - box.right : 0;
      if (distance < near) [best, near] = [at, distance];
    }
    this.go(best, extend);
    this.x = x;
  }

  /** To the start of the next or this sentence, as seen. @param {number} step @param {boolean} extend */
  sentence(step, extend) {
    const { side, index } = this.store.cursor;
    const [from, to] = this.store.grids[side].sentenceOf(index);
    if (this.seen(step) > 0) this.go(extend && index < to - 1 ? to - 1 : to, extend);
    else this.go(index > from ? from : this.store.grids[side].sentenceOf(Math.max(0, from - 1))[0], extend);
  }

  /** To the next or previous paragraph's first word. @param {number} step @param {boolean} extend */
  paragraph(step, extend) {
    const { side, index } = this.store.cursor;
    const grid = this.store.grids[side];
    const here = grid.paragraphOf(index);
    const [from, to] = grid.paragraphTokens[here];
    if (extend) return this.go(step > 0 ? (index < to - 1 ? to - 1 : to) : index > from ? from : from - 1, true);
    let next = step < 0 && index > from ? here : here + step;
    while (grid.paragraphTokens[next] && grid.paragraphTokens[next][0] === grid.paragraphTokens[next][1]) next += step;
    const target = grid.paragraphTokens[next];
    this.go(target ? target[0] : step > 0 ? grid.count - 1 : 0, false);
  }

  /** To the first or last word of the paragraph, or of the text. @param {number} step @param {boolean} text @param {boolean} extend */
  edge(step, text, extend) {
    const { side, index } = this.store.cursor;
    const grid = this.store.grids[side];
    const [from, to] = text ? [0, grid.count] : grid.paragraphTokens[grid.paragraphOf(index)];
    this.go(step > 0 ? to - 1 : from, extend);
  }

  /** To the end of the run that does not move yet, which then does. */
  otherEnd() {
    const index = this.actions.otherEnd();
    if (index !== null) this.place(this.store.cursor.side, index);
  }

  /** To the other side: to the word's counterpart, to the picked span there, or to the paragraph that stands opposite. */
  across() {
    const { store } = this;
    const { side, index } = store.cursor;
    const there = other(side);
    const span = store.picked ? store.cover.of(store.picked)[there] : [];
    const [aligned] = store.showSuggestions ? store.counterparts.get(side, index) : [];
    this.x = null;
    this.place(there, span[0] ?? aligned ?? this.opposite(side, index));
  }

  /**
   * The word at the same share of the row that stands opposite.
   * @param {Side} side
   * @param {number} index
   */
  opposite(side, index) {
    const { grids, rows, rowOf } = this.store;
    const there = other(side);
    const paragraph = grids[side].paragraphOf(index);
    const row = rowOf[side][paragraph];
    const near = rows.slice(0, row + 1).reverse().concat(rows.slice(row + 1));
    const found = near.find((one) => one[there === "a" ? 0 : 1].length);
    const [from, to] = grids[there].paragraphTokens[found?.[there === "a" ? 0 : 1][0] ?? 0] ?? [0, 1];
    const [left, right] = grids[side].paragraphTokens[paragraph];
    return from + Math.floor(((index - left) / Math.max(1, right - left)) * Math.max(0, to - from));
  }
}

/** @param {number} index @param {import("../model/types.js").Active} run */
function within(index, { anchor, head }) {
  return index >= Math.min(anchor, head) && index <= Math.max(anchor, head);
}
