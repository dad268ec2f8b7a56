/**
 * The words of both texts as elements, created paragraph by paragraph: visible ones when the page opens, others on
 * demand, the rest while the page is idle. Until then a paragraph is a single text node of the same size.
 */

import { make } from "./dom.js";

/** @typedef {import("../model/types.js").Side} Side */

/** The longest time in ms to create words without a break, so that key presses need not wait. */
const MAX_BLOCKING_MS = 8;

export class Words {
  /** @param {import("../model/store.js").Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Record<Side, HTMLElement[]>} */
    this.words = { a: [], b: [] };
    /** @type {Record<Side, (Text | HTMLElement | null)[]>} The space after each word: a text node until it has to look different. */
    this.gaps = { a: [], b: [] };
    /** @type {Map<Element, () => void>} Functions that create the words of paragraphs without any, in the order of the rows. */
    this.unrendered = new Map();
    /** @type {((side: Side, from: number, to: number) => void)[]} */
    this.listeners = [];
    /** @type {Record<Side, HTMLElement[]>} */
    this.paragraphs = { a: [], b: [] };
    /** @type {WeakMap<Element, {side: Side, index: number}>} */
    this.positions = new WeakMap();
  }

  /**
   * @param {Side} side
   * @param {number} paragraph
   * @param {HTMLElement} element
   */
  fillParagraph(side, paragraph, element) {
    const { offsets, paragraphs, paragraphTokens, text, tokens } = this.store.grids[side];
    const [from, to] = paragraphTokens[paragraph];
    const [start, stop] = paragraphs[paragraph].map((point) => offsets.toUnits(point));
    const parts = document.createDocumentFragment();
    let at = start;
    for (let index = from; index < to; index += 1) {
      const [left, right] = [offsets.toUnits(tokens[index][0]), offsets.toUnits(tokens[index][1])];
      const space = left > at ? new Text(text.slice(at, left)) : null;
      if (space) parts.append(space);
      if (index > from) this.gaps[side][index - 1] = space;
      const word = /** @type {HTMLElement} */ (WORD.cloneNode(false));
      word.textContent = text.slice(left, right);
      this.words[side][index] = word;
      this.positions.set(word, { side, index });
      parts.append(word);
      at = right;
    }
    if (at < stop) parts.append(text.slice(at, stop));
    element.replaceChildren(parts);
    for (const listener of this.listeners) listener(side, from, to);
  }

  /** Create the remaining words, a few at a time. */
  renderRemaining() {
    const end = performance.now() + MAX_BLOCKING_MS;
    for (const paragraph of this.unrendered.keys()) {
      if (performance.now() > end) return void setTimeout(() => this.renderRemaining());
      this.renderWords(paragraph);
    }
    performance.mark("workspace-whole");
  }

  /** Create the words of a paragraph. @param {Element} paragraph @returns {boolean} whether there had been none */
  renderWords(paragraph) {
    const making = this.unrendered.get(paragraph);
    this.unrendered.delete(paragraph);
    making?.();
    return making !== undefined;
  }

  /** Listen for words created from now on. @param {(side: Side, from: number, to: number) => void} listener */
  onRendered(listener) {
    this.listeners.push(listener);
  }

  /**
   * A word's element.
   * @param {Side} side
   * @param {number} index
   * @returns {HTMLElement}
   */
  word(side, index) {
    const { grids } = this.store;
    if (!this.words[side][index] && index >= 0 && index < grids[side].count)
      this.renderWords(this.paragraphs[side][grids[side].paragraphOf(index)]);
    return this.words[side][index];
  }

  /**
   * The element of the space after a word, if there is one.
   * @param {Side} side
   * @param {number} index
   * @returns {HTMLElement | null}
   */
  gap(side, index) {
    this.word(side, index);
    const space = this.gaps[side][index] ?? null;
    if (!(space instanceof Text)) return space;
    const element = /** @type {HTMLElement} */ (SPACE.cloneNode(false));
    space.replaceWith(element);
    element.append(space);
    return (this.gaps[side][index] = element);
  }

  /**
   * The position of a word's element, or of what is inside it.
   * @param {EventTarget | null} target
   */
  positionOf(target) {
    const word = target instanceof Element ? target.closest(".token") : null;
    return word ? (this.positions.get(word) ?? null) : null;
  }
}

const WORD = make("span", { class: "token", role: "option" });
const SPACE = make("span", { class: "gap" });
