/** Sets the look and the accessible name of words from the state; called only for words affected by a change. */

import { labelSign } from "./dom.js";
import { gettext } from "../../gettext.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/store.js").Store} Store */
/** @typedef {import("./render.js").View} View */

export class Painter {
  /**
   * @param {Store} store
   * @param {View} view
   */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.highlights = store.assignment.highlights;
    store.on("touched", (touched) => {
      for (const side of SIDES) if (touched[side]) this.words(side, touched[side]);
    });
    view.onRendered((side, from, to) => this.range(side, from, to));
    this.all();
  }

  /** Paint all words that can differ from plain ones: when the page opens, and when suggestions are hidden or shown. */
  all() {
    for (const side of SIDES) this.range(side, 0, this.store.grids[side].count);
  }

  /**
   * Paint the words of a range that can differ from plain ones.
   * @param {Side} side
   * @param {number} from
   * @param {number} to
   */
  range(side, from, to) {
    const { cover, selected, highlighted, quoted, levels } = this.store;
    const others = [levels[side], selected[side], highlighted[side], quoted[side]];
    /** @type {number[]} */
    const special = [];
    for (let index = from; index < to; index += 1)
      if (cover.at(side, index).length || others.some((one) => one.has(index))) special.push(index);
    this.words(side, special);
  }

  /**
   * @param {Side} side
   * @param {Iterable<number>} indices
   */
  words(side, indices) {
    /** @type {Set<number>} */
    const gaps = new Set();
    for (const index of indices) {
      // Words without an element are painted when they get one.
      if (!this.view.words[side][index]) continue;
      this.word(side, index);
      gaps.add(index).add(index - 1);
    }
    for (const index of gaps) this.gap(side, index);
  }

  /**
   * @param {Side} side
   * @param {number} index
   */
  word(side, index) {
    const element = this.view.words[side][index];
    const { store } = this;
    const ids = store.cover.at(side, index);
    const classes = ["token"];
    const selected = store.selected[side].has(index);
    if (selected) classes.push("selected");
    if (store.highlighted[side].has(index)) classes.push("counterpart");
    if (store.quoted[side].has(index)) classes.push("quoted");
    this.marks(classes, element, ids);
    const active = ids.find((id) => id === store.picked) ?? ids.find((id) => id === store.hovered);
    if (active) {
      classes.push("active");
      if (!store.cover.at(side, index - 1).includes(active)) classes.push("span-start");
      if (!store.cover.at(side, index + 1).includes(active)) classes.push("span-end");
    }
    const strength = this.strength(side, index, ids.length > 0);
    if (strength) classes.push(`h${strength}`);
    const first = ids.filter((id) => store.cover.of(id)[side][0] === index);
    if (first.length) classes.push("has-sign");
    const name = classes.join(" ");
    if (element.className !== name) element.className = name;
    const signs = first.map((id) => labelSign(store.label(store.span(id)?.label ?? ""))).join(" ");
    if (signs) element.dataset.n = signs;
    else delete element.dataset.n;
    if (selected) element.setAttribute("aria-selected", "true");
    else element.removeAttribute("aria-selected");
    this.name(element, side, index, ids, strength);
  }

  /**
   * The background of the topmost span and an underline for each: drawn as layers, the longest span lowest.
   * @param {string[]} classes
   * @param {HTMLElement} element
   * @param {readonly string[]} ids
   */
  marks(classes, element, ids) {
    const colours = ids.map((id) => this.store.label(this.store.span(id)?.label ?? "")?.colour ?? "p8");
    if (colours.length) classes.push("marked", `c-${colours[colours.length - 1]}`);
    const { style } = element;
    if (colours.length < 2) {
      if (style.backgroundImage) style.backgroundImage = style.backgroundPosition = style.paddingBottom = "";
      return;
    }
    const layers = colours.slice().reverse();
    style.backgroundImage = layers.map((colour) => `var(--${colour}-draw)`).join(",");
    style.backgroundPosition = layers.map((_, n) => `0 calc(100% - ${(layers.length - 1 - n) * 3}px)`).join(",");
    style.paddingBottom = `${layers.length * 3}px`;
  }

  /**
   * @param {Side} side
   * @param {number} index
   * @param {boolean} marked
   */
  strength(side, index, marked) {
    const { store, highlights } = this;
    if (!highlights || !store.showSuggestions || marked) return 0;
    if (store.suggestion && store.suggestionsByKey.get(store.suggestion)?.tokens[side].includes(index)) return 4;
    if (store.dismissedTokens[side].has(index)) return 0;
    return store.levels[side].get(index) ?? 0;
  }

  /** Whether a word is highlighted now. */
  highlighted() {
    const { grids, cover } = this.store;
    return SIDES.some((side) =>
      grids[side].tokens.some((_, index) => this.strength(side, index, cover.at(side, index).length > 0)),
    );
  }

  /**
   * The accessible name of a word: the word alone, unless there is something to say about it.
   * @param {HTMLElement} element
   * @param {Side} side
   * @param {number} index
   * @param {readonly string[]} ids
   * @param {number} strength
   */
  name(element, side, index, ids, strength) {
    const { store } = this;
    const parts = ids.map((id) => store.labelOf(id)?.name ?? store.span(id)?.label ?? "");
    if (strength) parts.push(gettext("suggested"));
    if (parts.length) element.setAttribute("aria-label", [store.grids[side].word(index), ...parts].join(", "));
    else element.removeAttribute("aria-label");
  }

  /**
   * The space between two words of one fragment belongs to it.
   * @param {Side} side
   * @param {number} index The word before the space.
   */
  gap(side, index) {
    const space = this.view.gaps[side][index];
    if (!space) return;
    const { store } = this;
    const next = store.cover.at(side, index + 1);
    const ids = store.cover.at(side, index).filter((id) => next.includes(id));
    const classes = ["gap"];
    if (store.selected[side].has(index) && store.selected[side].has(index + 1)) classes.push("selected");
    if (ids.length) this.marks(classes, /** @type {HTMLElement} */ (this.view.gap(side, index)), ids);
    if (ids.some((id) => id === store.picked || id === store.hovered)) classes.push("active");
    const [left, right] = [this.strength(side, index, false), this.strength(side, index + 1, false)];
    if (!ids.length && left && right && !store.cover.at(side, index).length && !next.length)
      classes.push(`h${Math.min(left, right)}`);
    if (classes.length === 1 && space instanceof Text) return;
    const element = /** @type {HTMLElement} */ (this.view.gap(side, index));
    if (!ids.length) this.marks([], element, ids);
    const name = classes.join(" ");
    if (element.className !== name) element.className = name;
  }
}
