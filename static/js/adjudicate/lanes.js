/** Everyone's marks in the texts: one line per person below the words, in the label's colour; and the current region. */

import { SIDES, tokensOf } from "../workspace/model/spans.js";

/** @typedef {import("../workspace/model/types.js").Side} Side */
/** @typedef {import("../workspace/model/types.js").Span} Span */

/** Pixels between the tops of two people's lines. */
const LANE_HEIGHT = 4;

export class Lanes {
  /**
   * @param {import("../workspace/model/store.js").Store} store
   * @param {import("../workspace/view/render.js").View} view
   * @param {{name: string, spans: Span[]}[]} people
   */
  constructor(store, view, people) {
    this.store = store;
    this.view = view;
    this.people = people;
    /** @type {HTMLElement[]} */
    this.highlighted = [];
    document.documentElement.style.setProperty("--lanes", `${people.length * LANE_HEIGHT + 2}px`);
    /** @type {Record<Side, Map<number, (Span | null)[]>>} Each person's span on a word (the last one if there are
     * several). */
    this.spansByWord = { a: this.spans("a"), b: this.spans("b") };
    for (const side of SIDES) this.draw(side, 0, store.grids[side].count);
    view.onRendered((side, from, to) => this.draw(side, from, to));
  }

  /** @param {Side} side */
  spans(side) {
    const { store, people } = this;
    /** @type {Map<number, (Span | null)[]>} */
    const byWord = new Map();
    people.forEach(({ spans }, lane) => {
      for (const span of spans)
        for (const index of tokensOf(span, store.grids)[side]) {
          const row = byWord.get(index) ?? people.map(() => null);
          row[lane] = span;
          byWord.set(index, row);
        }
    });
    return byWord;
  }

  /** Draw the lines of those words of a range that have an element. @param {Side} side @param {number} from @param {number} to */
  draw(side, from, to) {
    const { view } = this;
    for (let index = from; index < to; index += 1) {
      const [row, next] = [this.spansByWord[side].get(index), this.spansByWord[side].get(index + 1)];
      if (!row || !view.words[side][index]) continue;
      this.line(view.words[side][index], row);
      const shared = row.map((span, lane) => (span && next?.[lane] === span ? span : null));
      if (shared.some(Boolean)) this.line(view.gap(side, index), shared);
    }
  }

  /** @param {HTMLElement | null} element @param {(Span | null)[]} row */
  line(element, row) {
    if (!element) return;
    const layers = row.flatMap((span, lane) => {
      const colour = span ? (this.store.label(span.label)?.colour ?? "p8") : "";
      return span ? [`var(--${colour}-draw) 0 ${lane * LANE_HEIGHT}px / 100% 3px no-repeat`] : [];
    });
    element.dataset.lanes = "";
    element.style.setProperty("--lines", layers.join(","));
  }

  /** Highlight the words of the current region. @param {import("./types.js").Region | null} region */
  highlight(region) {
    for (const element of this.highlighted) delete element.dataset.here;
    this.highlighted = [];
    for (const side of SIDES)
      for (const index of region?.tokens[side] ?? []) {
        const parts = [
          this.view.word(side, index),
          region?.tokens[side].has(index + 1) ? this.view.gap(side, index) : null,
        ];
        for (const element of parts) if (element) this.highlighted.push(element);
      }
    for (const element of this.highlighted) element.dataset.here = "";
  }
}
