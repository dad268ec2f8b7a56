/** The cursor on a word: moved by keys in visual direction (right is right in every script), revealed, focused. */

import { selectWords } from "./browser-selection.js";
import { scrollIntoView } from "../view/scrolling.js";
import { mergeTouchingRuns } from "../model/selection.js";
import { otherSide } from "../model/spans.js";

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
    /** @type {Record<Side, HTMLElement | undefined>} The word of each side that Tab focuses. */
    this.tabStops = { a: view.word("a", 0), b: view.word("b", 0) };
    /** @type {number | null} The horizontal position while moving by lines, kept across short lines, until the cursor moves otherwise. */
    this.x = null;
    /** @type {{side: Side, anchor: number, head: number} | null} The words that the browser was told to select. */
    this.browserRun = null;
    for (const word of [this.tabStops.a, this.tabStops.b]) word?.setAttribute("tabindex", "0");
    this.tabStops[store.cursor.side]?.setAttribute("data-cursor", "");
  }

  /**
   * Put the cursor on a word, focus it and scroll it into view.
   * @param {Side} side
   * @param {number} index
   * @param {{reveal?: boolean, focus?: boolean}} [how]
   */
  place(side, index, { reveal = true, focus = true } = {}) {
    const { store, view } = this;
    if (!store.grids[side].count) return;
    this.x = null;
    this.tabStops[side]?.removeAttribute("tabindex");
    this.tabStops[store.cursor.side]?.removeAttribute("data-cursor");
    store.moveTo(side, index);
    const element = view.word(side, store.cursor.index);
    element.tabIndex = 0;
    element.setAttribute("data-cursor", "");
    this.tabStops[side] = element;
    if (focus) element.focus({ preventScroll: true });
    if (reveal) scrollIntoView(element, view.scroller(side));
  }

  /**
   * Move to a word, with or without extending the selection.
   * @param {number} index
   * @param {boolean} extend
   */
  go(index, extend) {
    const { store } = this;
    const { side } = store.cursor;
    const { active } = mergeTouchingRuns(store.selection);
    // Inside the active run its moving end moves, wherever in it the cursor is.
    const inside = extend && active?.side === side && within(store.cursor.index, active);
    const from = inside ? active.head : store.cursor.index;
    const to = Math.max(0, Math.min(store.grids[side].count - 1, index - store.cursor.index + from));
    // The selection stays while the cursor moves, so that it is not lost on the way to another fragment.
    const here = store.cursor;
    const marks = extend && this.actions.extendTo(to, true);
    // A run that was joined with another one ends where that does.
    const reached = extend ? store.selection.active : null;
    this.place(side, reached?.side === side && within(to, reached) ? reached.head : to);
    if (extend && !marks) this.selectInBrowser(here);
  }

  /** What can't be marked is selected by the browser: from the word where that began to the cursor. @param {import("../model/store.js").Position} from */
  selectInBrowser(from) {
    const { side, index } = this.store.cursor;
    const goesOn = this.browserRun?.side === side && this.browserRun.head === from.index && String(getSelection());
    const anchor = goesOn && this.browserRun ? this.browserRun.anchor : from.index;
    this.browserRun = { side, anchor, head: index };
    selectWords(this.view.word(side, anchor), this.view.word(side, index), index < anchor);
  }

  /** Move one word to the right (1) or left (-1) visually. @param {number} step @param {boolean} extend */
  word(step, extend) {
    this.go(this.store.cursor.index + this.visualStep(step), extend);
  }

  /** A visual step to the right as a step in text order. @param {number} step */
  visualStep(step) {
    return this.store.grids[this.store.cursor.side].direction === "rtl" ? -step : step;
  }

  /** Move one line down (1) or up (-1), to the word nearest to the horizontal position. @param {number} step @param {boolean} extend */
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

  /** Move to the start of the next or this sentence, in visual direction. @param {number} step @param {boolean} extend */
  sentence(step, extend) {
    const { side, index } = this.store.cursor;
    const [from, to] = this.store.grids[side].sentenceOf(index);
    if (this.visualStep(step) > 0) this.go(extend && index < to - 1 ? to - 1 : to, extend);
    else this.go(index > from ? from : this.store.grids[side].sentenceOf(Math.max(0, from - 1))[0], extend);
  }

  /** Move to the first word of the next or previous paragraph. @param {number} step @param {boolean} extend */
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

  /** Move to the first or last word of the paragraph or of the text. @param {number} step @param {boolean} text @param {boolean} extend */
  edge(step, text, extend) {
    const { side, index } = this.store.cursor;
    const grid = this.store.grids[side];
    const [from, to] = text ? [0, grid.count] : grid.paragraphTokens[grid.paragraphOf(index)];
    this.go(step > 0 ? to - 1 : from, extend);
  }

  /** Move to the fixed end of the run, which then becomes the moving one. */
  otherEnd() {
    const index = this.actions.otherEnd();
    if (index !== null) this.place(this.store.cursor.side, index);
  }

  /** Move to the other side: to the picked span there, to the word's counterpart, or to the aligned paragraph. */
  across() {
    const { store } = this;
    const { side, index } = store.cursor;
    const there = otherSide(side);
    const span = store.picked ? store.cover.of(store.picked)[there] : [];
    const [aligned] = store.showSuggestions ? store.counterparts.get(side, index) : [];
    this.place(there, span[0] ?? aligned ?? this.opposite(side, index));
  }

  /**
   * The word at the same relative position in the aligned row of the other side.
   * @param {Side} side
   * @param {number} index
   */
  opposite(side, index) {
    const { grids, rows, rowOf } = this.store;
    const there = otherSide(side);
    const paragraph = grids[side].paragraphOf(index);
    const row = rowOf[side][paragraph];
    const near = rows
      .slice(0, row + 1)
      .reverse()
      .concat(rows.slice(row + 1));
    const nearest = near.find((one) => one[there === "a" ? 0 : 1].length);
    const [from, to] = grids[there].paragraphTokens[nearest?.[there === "a" ? 0 : 1][0] ?? 0] ?? [0, 1];
    const [left, right] = grids[side].paragraphTokens[paragraph];
    return from + Math.floor(((index - left) / Math.max(1, right - left)) * Math.max(0, to - from));
  }
}

/** @param {number} index @param {import("../model/types.js").Active} run */
function within(index, { anchor, head }) {
  return index >= Math.min(anchor, head) && index <= Math.max(anchor, head);
}
