/** The project's glossary in the texts: its terms are marked, and pointing at a word shows its agreed translations. */

import { make, requireElement } from "./dom.js";
import { gettext } from "../../gettext.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {{side: Side, index: number}} Position */

/** Distances in px, to the edges of the window and between a word and its entries: on touch screens there are handles.
 */
const EDGE = 6;
const GAP = { fine: 6, coarse: 40 };
const COARSE = matchMedia("(pointer: coarse)");

export class Glossary {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.element = requireElement("glossary-tip");
    /** @type {Record<Side, Map<number, number[]>>} The entries of each token that has any. */
    this.entries = { a: new Map(), b: new Map() };
    /** @type {Position | null} The word whose entries are shown. */
    this.shown = null;
    const { glossary } = store.assignment.pair;
    if (!glossary) return;
    for (const side of SIDES) {
      for (const [from, to, entry] of glossary.matches[side]) {
        for (let index = from; index < to; index += 1)
          this.entries[side].set(index, [...(this.entries[side].get(index) ?? []), entry]);
      }
      this.mark(side, 0, store.grids[side].count);
    }
    view.onRendered((side, from, to) => this.mark(side, from, to));
    store.on("pointed", () => this.show(store.hoveredWord));
    store.on("controls", () => store.dragging && this.show(null));
    addEventListener("keydown", (event) => event.key === "Escape" && this.show(null), true);
    // A word that a key went to is scrolled into view after its entries are shown.
    addEventListener("scroll", () => this.place(), { capture: true, passive: true });
  }

  /**
   * Mark the terms among the words of a range.
   * @param {Side} side
   * @param {number} from
   * @param {number} to
   */
  mark(side, from, to) {
    for (let index = from; index < to; index += 1)
      if (this.entries[side].has(index)) this.view.words[side][index]?.setAttribute("data-term", "");
  }

  /** Show the entries of a word, if it has any. @param {Position | null} position */
  show(position) {
    const numbers = position ? this.entries[position.side].get(position.index) : undefined;
    if (this.shown) this.view.word(this.shown.side, this.shown.index)?.removeAttribute("aria-describedby");
    this.shown = numbers ? position : null;
    this.element.hidden = !numbers;
    if (!position || !numbers) return;
    const { entries } = /** @type {import("../../api-types.js").PairGlossary} */ (this.store.assignment.pair.glossary);
    this.element.replaceChildren(
      make("span", { class: "label", text: gettext("Glossary") }),
      ...numbers.map((number) => entryElement(entries[number])),
    );
    this.view.word(position.side, position.index).setAttribute("aria-describedby", this.element.id);
    this.place();
  }

  /** Place it above the word, or below if there is no room or the label bar is there; hide it while the word is out of
   * view. */
  place() {
    if (!this.shown) return;
    const { side, index } = this.shown;
    const [word] = this.view.word(side, index).getClientRects();
    const frame = (this.view.sheet.parentElement ?? this.view.sheet).getBoundingClientRect();
    this.element.hidden = !word || word.bottom < frame.top || word.top > frame.bottom;
    if (this.element.hidden) return;
    const { width, height } = this.element.getBoundingClientRect();
    const bar = document.getElementById("label-bar");
    const taken = bar && !bar.hidden ? bar.getBoundingClientRect() : null;
    const gap = COARSE.matches ? GAP.coarse : GAP.fine;
    const above = word.top - height - gap;
    const covered = taken !== null && taken.top < word.top && taken.bottom > above;
    this.element.style.top = `${above < frame.top || covered ? word.bottom + gap : above}px`;
    this.element.style.left = `${Math.max(EDGE, Math.min(word.left, innerWidth - width - EDGE))}px`;
  }
}

/** @param {import("../../api-types.js").Term} entry */
function entryElement({ term, term_language, translations, translation_language, note }) {
  return make("p", {}, [
    make("b", { text: term, lang: term_language, dir: "auto" }),
    " – ",
    make("span", { text: translations.join("; "), lang: translation_language, dir: "auto" }),
    note ? make("small", { text: note, dir: "auto" }) : null,
  ]);
}
