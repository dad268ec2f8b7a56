/** Everybody's marks in the texts: a line a person below the words, in the label's colour; and the place being decided. */

import { SIDES } from "../workspace/spans.js";
import { tokensOf } from "../workspace/spans.js";

/** @typedef {import("../workspace/types.js").Side} Side */
/** @typedef {import("../workspace/types.js").Span} Span */

/** Pixels between the tops of two people's lines. */
const LANE = 4;

export class Lanes {
  /**
   * @param {import("../workspace/store.js").Store} store
   * @param {import("../workspace/render.js").View} view
   * @param {{name: string, spans: Span[]}[]} people
   */
  constructor(store, view, people) {
    this.store = store;
    this.view = view;
    this.people = people;
    /** @type {HTMLElement[]} */
    this.lit = [];
    document.documentElement.style.setProperty("--lanes", `${people.length * LANE + 2}px`);
    for (const side of SIDES) this.draw(side);
  }

  /** @param {Side} side */
  draw(side) {
    const { store, view, people } = this;
    /** @type {Map<number, (Span | null)[]>} The span of each person on a word, the last where there are several. */
    const on = new Map();
    people.forEach(({ spans }, lane) => {
      for (const span of spans)
        for (const index of tokensOf(span, store.grids)[side]) {
          const row = on.get(index) ?? people.map(() => null);
          row[lane] = span;
          on.set(index, row);
        }
    });
    for (const [index, row] of on) {
      this.line(view.words[side][index], row);
      const next = on.get(index + 1);
      this.line(view.gaps[side][index], next ? row.map((span, lane) => (span && next[lane] === span ? span : null)) : []);
    }
  }

  /** @param {HTMLElement | null | undefined} element @param {(Span | null)[]} row */
  line(element, row) {
    if (!element || !row.some(Boolean)) return;
    const layers = row.flatMap((span, lane) => {
      const colour = span ? this.store.label(span.label)?.colour ?? "p8" : "";
      return span ? [`var(--${colour}-draw) 0 ${lane * LANE}px / 100% 3px no-repeat`] : [];
    });
    element.dataset.lanes = "";
    element.style.setProperty("--lines", layers.join(","));
  }

  /** The words of the place that is being decided. @param {import("./types.js").Place | null} place */
  light(place) {
    for (const element of this.lit) delete element.dataset.here;
    this.lit = [];
    for (const side of SIDES)
      for (const index of place?.tokens[side] ?? []) {
        const parts = [this.view.words[side][index], place?.tokens[side].has(index + 1) ? this.view.gaps[side][index] : null];
        for (const element of parts) if (element) this.lit.push(element);
      }
    for (const element of this.lit) element.dataset.here = "";
  }
}
