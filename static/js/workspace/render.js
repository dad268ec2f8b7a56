/** The two texts as elements: made once, word by word; from then on only what a change touches is painted (paint.js). */

import { make } from "./dom.js";
import { ownName, t } from "./messages.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./store.js").Store} Store */

/** How many characters a line of a column holds, roughly: for the height of paragraphs not yet laid out. */
const LINE = 64;

export class View {
  /**
   * @param {Store} store
   * @param {HTMLElement} sheet
   */
  constructor(store, sheet) {
    this.store = store;
    this.sheet = sheet;
    /** @type {Record<Side, HTMLElement[]>} */
    this.words = { a: [], b: [] };
    /** @type {Record<Side, (HTMLElement | null)[]>} The space after each word; null where there is none. */
    this.gaps = { a: [], b: [] };
    /** @type {Record<Side, HTMLElement[]>} */
    this.paragraphs = { a: [], b: [] };
    /** @type {Record<Side, HTMLElement>} */
    this.columns = { a: this.column("a"), b: this.column("b") };
    /** @type {WeakMap<Element, {side: Side, index: number}>} */
    this.places = new WeakMap();
    /** @type {Map<number, HTMLButtonElement>} */
    this.ticks = new Map();
    for (const side of SIDES) this.fill(side);
    sheet.append(this.columns.a, this.columns.b);
  }

  /** @param {Side} side */
  column(side) {
    const { language, direction } = this.store.grids[side];
    const readable = this.store.scheme.labels.length > 0 && !this.store.marks(side);
    const heading = make("h2", { class: "side label", id: `side-${side}` }, [
      make("span", { text: ownName(language), lang: language }),
      readable ? make("span", { class: "readonly", text: t("side.readonly") }) : null,
    ]);
    return make("section", { class: `col ${side}`, lang: language, dir: direction, "aria-labelledby": `side-${side}` }, [
      heading,
    ]);
  }

  /** @param {Side} side */
  fill(side) {
    const { rows } = this.store;
    rows.forEach((row, n) => {
      const paragraphs = row[side === "a" ? 0 : 1];
      const opposite = row[side === "a" ? 1 : 0];
      if (!paragraphs.length) return;
      const cell = make("div", { class: opposite.length ? "cell" : "cell alone" });
      cell.dataset.row = String(n);
      cell.style.gridRow = String(n + 2);
      let lines = 0;
      for (const paragraph of paragraphs) {
        const element = this.paragraph(side, paragraph, n);
        lines += Math.ceil((element.textContent?.length ?? 0) / LINE) + 0.4;
        cell.append(element);
      }
      cell.style.setProperty("--lines", lines.toFixed(1));
      if (side === "a" || !opposite.length) cell.append(this.tick(n));
      this.columns[side].append(cell);
    });
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
    const [start, end] = grid.paragraphs[paragraph];
    let at = grid.offsets.toUnits(start);
    const stop = grid.offsets.toUnits(end);
    /** @param {number} until */
    const between = (until) => {
      const space = SPACE.cloneNode(false);
      space.textContent = grid.text.slice(at, until);
      element.append(space);
      return /** @type {HTMLElement} */ (space);
    };
    for (let index = from; index < to; index += 1) {
      const [left, right] = [grid.offsets.toUnits(grid.tokens[index][0]), grid.offsets.toUnits(grid.tokens[index][1])];
      const gap = left > at ? between(left) : null;
      if (index > from) this.gaps[side][index - 1] = gap;
      const word = /** @type {HTMLElement} */ (WORD.cloneNode(false));
      word.textContent = grid.text.slice(left, right);
      this.words[side][index] = word;
      this.places.set(word, { side, index });
      element.append(word);
      at = right;
    }
    if (at < stop) between(stop);
    if (paragraph === 0 && to - from < 16 && !/[.!?。।…]\s*$/u.test(element.textContent ?? "")) element.classList.add("title");
    this.paragraphs[side][paragraph] = element;
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
   * What scrolls a side: its column where the two scroll apart, else both texts together.
   * @param {Side} side
   * @returns {HTMLElement}
   */
  scroller(side) {
    const apart = this.sheet.classList.contains("apart");
    return apart ? this.columns[side] : this.sheet.parentElement ?? this.sheet;
  }

  /**
   * The place of a word's element, or of what is inside it.
   * @param {EventTarget | null} target
   */
  placeOf(target) {
    const word = target instanceof Element ? target.closest(".t") : null;
    return word ? this.places.get(word) ?? null : null;
  }
}

const WORD = make("span", { class: "t", role: "option" });
const SPACE = make("span", { class: "g" });
