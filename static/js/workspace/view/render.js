/** The two texts as elements, aligned by paragraph and complete from the start. Words: words.js; their look: paint.js. */

import { make } from "./dom.js";
import { nativeName } from "./phrases.js";
import { gettext } from "../../gettext.js";
import { SIDES } from "../model/spans.js";
import { Words } from "./words.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/store.js").Store} Store */

/** Approximate number of characters per line of a column, to estimate the height of paragraphs not laid out yet. */
const CHARACTERS_PER_LINE = 64;

export class View extends Words {
  /**
   * @param {Store} store
   * @param {HTMLElement} sheet
   */
  constructor(store, sheet) {
    super(store);
    this.sheet = sheet;
    /** @type {Record<Side, HTMLElement>} */
    this.columns = { a: this.column("a"), b: this.column("b") };
    /** @type {Map<number, HTMLButtonElement>} */
    this.ticks = new Map();
    store.rows.forEach((_, row) => SIDES.forEach((side) => this.cell(side, row)));
    this.renderInitialWords();
    sheet.append(this.columns.a, this.columns.b);
  }

  /** @param {Side} side */
  column(side) {
    const { language, direction } = this.store.grids[side];
    const readable = this.store.scheme.labels.length > 0 && !this.store.canMark(side);
    const heading = make("h2", { class: "side label", id: `side-${side}` }, [
      make("span", { text: nativeName(language), lang: language }),
      readable ? make("span", { class: "readonly", text: gettext("read only") }) : null,
    ]);
    return make(
      "section",
      {
        class: `col ${side}${readable ? " readable" : ""}`,
        lang: language,
        dir: direction,
        "aria-labelledby": `side-${side}`,
      },
      [heading],
    );
  }

  /**
   * @param {Side} side
   * @param {number} row
   */
  cell(side, row) {
    const [paragraphs, opposite] = this.partsOf(row, side);
    if (!paragraphs.length) return;
    const cell = make("div", { class: opposite.length ? "cell" : "cell alone" });
    cell.dataset.row = String(row);
    cell.style.gridRow = String(row + 2);
    cell.append(...paragraphs.map((paragraph) => this.paragraph(side, paragraph, row)));
    cell.style.setProperty("--lines", this.lines(side, paragraphs).toFixed(1));
    if (side === "a" || !opposite.length) cell.append(this.tick(row));
    this.columns[side].append(cell);
  }

  /** A side's paragraphs of a row, and the aligned ones. @param {number} row @param {Side} side */
  partsOf(row, side) {
    const [a, b] = this.store.rows[row];
    return side === "a" ? [a, b] : [b, a];
  }

  /** Approximate number of lines of some paragraphs. @param {Side} side @param {number[]} paragraphs */
  lines(side, paragraphs) {
    const { paragraphs: ranges } = this.store.grids[side];
    return paragraphs.reduce(
      (sum, one) => sum + Math.ceil((ranges[one][1] - ranges[one][0]) / CHARACTERS_PER_LINE) + 0.4,
      0,
    );
  }

  /** Create the words of the rows that are visible at first: half as many again as seem to fit. */
  renderInitialWords() {
    const { style } = document.documentElement;
    const line = parseFloat(style.getPropertyValue("--text-size")) * parseFloat(style.getPropertyValue("--text-line"));
    let room = (1.5 * innerHeight) / (line || 20);
    for (let row = 0; row < this.store.rows.length && room > 0; row += 1) {
      for (const side of SIDES)
        for (const one of this.partsOf(row, side)[0]) this.renderWords(this.paragraphs[side][one]);
      room -= Math.max(...SIDES.map((side) => this.lines(side, this.partsOf(row, side)[0])));
    }
  }

  /**
   * @param {Side} side
   * @param {number} paragraph
   * @param {number} row
   */
  paragraph(side, paragraph, row) {
    const grid = this.store.grids[side];
    const [from, to] = grid.paragraphTokens[paragraph];
    const element = make("p", { class: "para" });
    element.dataset.row = String(row);
    if (to > from) {
      element.setAttribute("role", "listbox");
      element.setAttribute("aria-multiselectable", "true");
    }
    const text = grid.slice(...grid.paragraphs[paragraph]);
    element.textContent = text;
    if (paragraph === 0 && to - from < 16 && !/[.!?。।…]\s*$/u.test(text)) element.classList.add("title");
    this.paragraphs[side][paragraph] = element;
    if (to > from) this.unrendered.set(element, () => this.fillParagraph(side, paragraph, element));
    return element;
  }

  /** @param {number} row */
  tick(row) {
    const button = make("button", { type: "button", class: "tick", tabindex: -1 });
    button.dataset.row = String(row);
    this.ticks.set(row, button);
    return button;
  }

  /**
   * The scrolling element of a side: its column if the two scroll separately, else that of both texts.
   * @param {Side} side
   * @returns {HTMLElement}
   */
  scroller(side) {
    const apart = this.sheet.classList.contains("apart");
    return apart ? this.columns[side] : (this.sheet.parentElement ?? this.sheet);
  }
}
