/** Mouse and touch input: a point becomes a word, a drag a run of words, wherever it begins and ends. */

import { currentSituation, keepsSelection, selectionEffect } from "../model/effects.js";
import { sideAt, wordAt } from "./hit-testing.js";
import { whySuggested } from "../view/phrases.js";
import { EdgeScroll } from "../view/scrolling.js";
import * as selection from "../model/selection.js";
import { suggestionAt } from "../model/suggestions.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {{side: Side, index: number}} Position */

/** How far the mouse must move within a word to select it, in px: less is part of a click. */
const MIN_DRAG = 8;

export class Pointer {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/render.js").View} view
   * @param {import("./cursor.js").Cursor} cursor
   * @param {import("./actions.js").Actions} actions
   * @param {import("./suggestion-actions.js").SuggestionActions} suggestionActions
   */
  constructor(store, view, cursor, actions, suggestionActions) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.actions = actions;
    this.suggestionActions = suggestionActions;
    /** @type {{position: Position, add: boolean, count: number, x: number, moved: boolean, beside: boolean} | null} */
    this.drag = null;
    this.touch = false;
    /** What the last drag or double click did. */
    this.effect = "";
    /** @type {string | null} The span that was picked before a double or triple click. */
    this.before = null;
    this.edge = new EdgeScroll();
    /** @type {MouseEvent | null} */
    this.last = null;
    const { sheet } = view;
    sheet.addEventListener("pointerdown", (event) => {
      this.touch = event.pointerType === "touch";
      store.setDevice(this.touch ? "touch" : "mouse");
    });
    // The margins belong to the texts: a drag may start there.
    const texts = sheet.parentElement ?? sheet;
    texts.addEventListener("mousedown", (event) => {
      const margin = event.target === texts && event.offsetX < texts.clientWidth && event.offsetY < texts.clientHeight;
      if (margin || (event.target instanceof Element && sheet.contains(event.target))) this.down(event);
    });
    addEventListener("mousemove", (event) => this.drag && this.move(event));
    addEventListener("mouseup", () => this.drag && this.up());
    sheet.addEventListener("mouseover", (event) => {
      if (this.drag || this.touch) return;
      const position = view.positionOf(event.target);
      store.hoverWord(position);
      this.explain(position);
    });
    // After a tap some browsers also send mouseleave: the tapped word stays the hovered one.
    sheet.addEventListener("mouseleave", () => !this.touch && store.hoverWord(null));
  }

  /** @param {MouseEvent} event */
  down(event) {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest("button, .divider, .handle")))
      return;
    const { store } = this;
    const hit = wordAt(this.view, event.clientX, event.clientY);
    const position =
      hit ?? wordAt(this.view, event.clientX, event.clientY, sideAt(this.view, event.clientX, event.clientY));
    if (this.isBrowserSelection(position?.side)) {
      if (event.shiftKey) return;
    } else event.preventDefault();
    if (!position) return this.clearAll();
    const add = event.ctrlKey || event.metaKey || (store.adding && store.canMark(position.side));
    if (hit && event.shiftKey && store.cursor.side === position.side) {
      this.actions.extendTo(position.index);
      this.cursor.place(position.side, position.index, { reveal: false });
      return;
    }
    this.drag = { position, add, count: event.detail, x: event.clientX, moved: false, beside: !hit };
    if (event.detail < 2) this.before = store.picked;
    store.setDragging(true);
    if (hit && event.detail >= 2 && store.canMark(position.side) && !store.readOnly) this.selectUnit(event.detail);
  }

  /**
   * Where nothing can be marked, drags and double clicks are left to the browser, to select words for copying and for
   * messages.
   * @param {Side} [side] None: beside both texts.
   */
  isBrowserSelection(side) {
    const { store } = this;
    return store.readOnly || !(side ? store.canMark(side) : store.scheme.labels.length);
  }

  /** A double click selects the word, a triple click the sentence. @param {number} count */
  selectUnit(count) {
    if (!this.drag) return;
    const { store } = this;
    const { position, add } = this.drag;
    const [from, to] =
      count === 2 ? [position.index, position.index + 1] : store.grids[position.side].sentenceOf(position.index);
    // The third click extends what the second selected.
    if (count > 2 && keepsSelection(this.effect))
      store.select(selection.beginRun(store.selection, position.side, from, to - 1, true));
    else {
      this.repick(position, add);
      this.begin(position.side, from, to - 1, add);
    }
    this.drag.moved = true;
  }

  /** The first click of a double click unpicks the span: if these words would be linked to it, pick it again. @param {Position} position @param {boolean} add */
  repick({ side }, add) {
    const { store, before } = this;
    if (!before || store.picked === before || !store.span(before)) return;
    const has = store.cover.of(before);
    const picked = { a: has.a.length > 0, b: has.b.length > 0 };
    if (selectionEffect({ ...currentSituation(store), picked }, side, add) === "span.join") this.actions.pick(before);
  }

  /** @param {Side} side @param {number} anchor @param {number} head @param {boolean} add */
  begin(side, anchor, head, add) {
    this.effect = this.actions.beginSelection(side, anchor, head, add);
    this.store.setDragging(true, this.effect);
  }

  /** @param {MouseEvent} event */
  move(event) {
    const { store, drag } = this;
    if (!drag) return;
    if (!(event.buttons & 1)) return this.up();
    this.last = event;
    const position = wordAt(this.view, event.clientX, event.clientY, drag.position.side);
    if (!position || store.readOnly || !store.canMark(position.side)) return;
    if (!drag.moved) {
      if (position.index === drag.position.index && (drag.beside || Math.abs(event.clientX - drag.x) < MIN_DRAG))
        return;
      drag.moved = true;
      this.begin(position.side, drag.position.index, position.index, drag.add);
    } else if (store.selection.active?.head !== position.index) {
      store.select(selection.extendRun(store.selection, position.index));
    }
    this.scroll();
  }

  up() {
    const { store, drag } = this;
    if (!drag) return;
    this.drag = null;
    this.last = null;
    store.setDragging(false);
    if (this.isBrowserSelection(drag.position.side) && String(getSelection())) return;
    if (drag.beside && !drag.moved) return this.clearAll();
    const { side, index } = drag.position;
    const at = store.selection.active?.side === side && drag.moved ? store.selection.active.head : index;
    this.cursor.place(side, at, { reveal: false });
    if (!drag.moved) this.click(drag);
    else if (store.picked) this.actions.updatePicked();
    store.emit("selection");
  }

  /**
   * A click without a drag: with Ctrl it toggles the word; on a span it picks it (again: the one below).
   * @param {{position: Position, add: boolean, count: number}} drag
   */
  click({ position: { side, index }, add }) {
    const { store, actions } = this;
    const free = !store.readOnly && store.canMark(side);
    if (add && free) {
      // Ctrl applies to one click, the command until it is given again.
      const { adding } = store;
      actions.toggle();
      store.setAdding(adding && !selection.isEmpty(store.selection));
      return;
    }
    if (actions.pickHere()) return;
    const suggestion = store.showSuggestions ? suggestionAt(store.openSuggestions(), side, index) : null;
    // A second click on the same suggestion counts as a click on its word.
    if (suggestion && suggestion.key !== store.suggestion)
      return this.suggestionActions.show(suggestion.key, { side, index });
    if (this.touch && free) {
      actions.beginSelection(side, index, index, false);
      if (store.picked) actions.updatePicked();
    } else if (store.picked) actions.clear();
    else store.select({ fixed: { ...selection.fixActiveRun(store.selection).fixed, [side]: [] }, active: null });
  }

  /** Show why a suggested word is suggested. @param {Position | null} position */
  explain(position) {
    if (!position) return;
    const { store, view } = this;
    const { side, index } = position;
    // Most words are not suggested, and cost only one look-up.
    const suggested = store.showSuggestions && store.levels[side].has(index);
    const suggestion = suggested ? suggestionAt(store.openSuggestions(), side, index) : null;
    const word = view.word(side, index);
    if (suggestion) word.title = whySuggested(suggestion, store.grids);
    else word.removeAttribute("title");
  }

  /** A click outside the texts clears everything. */
  clearAll() {
    this.actions.clear();
  }

  /** While a drag is at the edge, the text keeps scrolling. */
  scroll() {
    const { drag, last, view } = this;
    if (drag && last)
      this.edge.at(view.scroller(drag.position.side), last.clientY, () => this.last && this.move(this.last));
  }
}
