/** Finding words in both texts at once. Hits are painted by the browser's own highlights: no element is touched. */

import { need } from "./dom.js";
import { t, tn } from "./messages.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */

/** Letters without case and marks, one for each UTF-16 unit, so that places stay what they were. @param {string} text */
export function folded(text) {
  return Array.from({ length: text.length }, (_, n) => {
    const parts = text[n].normalize("NFD");
    const bare = /^.\p{Mn}+$/u.test(parts) ? parts[0] : text[n];
    const lower = bare.toLowerCase();
    return lower.length === 1 ? lower : bare;
  }).join("");
}

export class Find {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./cursor.js").Cursor} cursor
   */
  constructor(store, view, cursor) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.bar = need("find");
    this.input = /** @type {HTMLInputElement} */ (need("find-words"));
    this.count = need("find-count");
    /** @type {{side: Side, index: number}[]} */
    this.hits = [];
    this.at = -1;
    /** @type {Record<Side, string> | null} */
    this.texts = null;
    this.input.addEventListener("input", () => this.search());
    this.bar.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && this.close()) this.cursor.place(store.cursor.side, store.cursor.index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    need("find-next").addEventListener("click", () => this.step(1));
    need("find-previous").addEventListener("click", () => this.step(-1));
    need("find-close").addEventListener("click", () => this.close());
  }

  open() {
    this.bar.hidden = false;
    this.input.select();
    this.input.focus();
    if (this.input.value) this.search();
  }

  /** @returns {boolean} whether it was open */
  close() {
    if (this.bar.hidden) return false;
    this.bar.hidden = true;
    this.paint([]);
    return true;
  }

  search() {
    const { grids, rows } = this.store;
    const words = folded(this.input.value.trim());
    this.texts ??= { a: folded(grids.a.text), b: folded(grids.b.text) };
    this.hits = [];
    this.at = -1;
    /** @type {Range[]} */
    const ranges = [];
    for (const side of SIDES) {
      for (let at = words ? this.texts[side].indexOf(words) : -1; at >= 0; at = this.texts[side].indexOf(words, at + words.length)) {
        const [start, end] = [grids[side].offsets.toPoints(at), grids[side].offsets.toPoints(at + words.length)];
        const [from, to] = grids[side].touched([start, end]);
        if (from === to) continue;
        this.hits.push({ side, index: from });
        const range = new Range();
        range.setStartBefore(this.view.word(side, from));
        range.setEndAfter(this.view.word(side, to - 1));
        ranges.push(range);
      }
    }
    const row = ({ side, index } = this.hits[0]) => this.store.rowAt(side, grids[side].tokens[index][0]);
    this.hits.sort((x, y) => row(x) - row(y) || (x.side < y.side ? -1 : x.side > y.side ? 1 : x.index - y.index));
    this.paint(ranges);
    const each = SIDES.map((side) => this.hits.filter((hit) => hit.side === side).length);
    this.count.textContent = !words ? "" : rows.length ? `${tn("find.hits", this.hits.length)} (${each.join(" + ")})` : t("find.none");
  }

  /** @param {number} step */
  step(step) {
    if (!this.hits.length) return;
    this.at = (this.at + step + this.hits.length) % this.hits.length;
    const { side, index } = this.hits[this.at];
    this.cursor.place(side, index, { focus: false });
    this.count.textContent = t("find.at", { n: this.at + 1, of: this.hits.length });
  }

  /** @param {Range[]} ranges */
  paint(ranges) {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("find");
    if (ranges.length) CSS.highlights.set("find", new Highlight(...ranges));
  }
}
