/** Finding words in both texts at once. Matches are painted with the CSS Custom Highlight API, without changing elements. */

import { requireElement } from "../view/dom.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { foldText, occurrences, wholeWords } from "../model/text-search.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */

export class Find {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/render.js").View} view
   * @param {import("./cursor.js").Cursor} cursor
   * @param {import("./preferences.js").Preferences} preferences
   */
  constructor(store, view, cursor, preferences) {
    this.store = store;
    this.view = view;
    this.cursor = cursor;
    this.preferences = preferences;
    this.bar = requireElement("find");
    this.input = /** @type {HTMLInputElement} */ (requireElement("find-words"));
    this.count = requireElement("find-count");
    /** @type {{side: Side, index: number}[]} */
    this.matches = [];
    this.at = -1;
    /** @type {Record<Side, ReturnType<typeof foldText>> | null} */
    this.texts = null;
    this.whole = requireElement("find-whole");
    this.input.addEventListener("input", () => this.search());
    this.whole.addEventListener("click", () => this.toggleWhole());
    preferences.on(() => this.onPreference());
    this.whole.setAttribute("aria-pressed", String(preferences.values.whole));
    this.bar.addEventListener("keydown", (event) => {
      // Enter and Escape then end a word of an input method.
      if (event.isComposing) return;
      if (event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " "))
        return event.stopPropagation();
      else if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && this.close()) this.cursor.place(store.cursor.side, store.cursor.index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    requireElement("find-next").addEventListener("click", () => this.step(1));
    requireElement("find-previous").addEventListener("click", () => this.step(-1));
    requireElement("find-close").addEventListener("click", () => this.close());
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

  /** Toggle whole words only; kept for the next search. */
  toggleWhole() {
    if (this.bar.hidden) this.open();
    this.preferences.toggle("whole");
  }

  /** The option was changed, here or in the preferences: update the matches at once. */
  onPreference() {
    const { whole: words } = this.preferences.values;
    if (this.whole.getAttribute("aria-pressed") === String(words)) return;
    this.whole.setAttribute("aria-pressed", String(words));
    if (!this.bar.hidden) this.search();
  }

  search() {
    const { grids } = this.store;
    const words = this.input.value.trim();
    this.texts ??= { a: foldText(grids.a.text), b: foldText(grids.b.text) };
    this.matches = [];
    this.at = -1;
    /** @type {Range[]} */
    const ranges = [];
    for (const side of SIDES) {
      const all = occurrences(this.texts[side], words);
      for (const match of this.preferences.values.whole ? wholeWords(all, grids[side]) : all) {
        const [from, to] = grids[side].touched(match);
        if (from === to) continue;
        this.matches.push({ side, index: from });
        const range = new Range();
        range.setStartBefore(this.view.word(side, from));
        range.setEndAfter(this.view.word(side, to - 1));
        ranges.push(range);
      }
    }
    const row = ({ side, index } = this.matches[0]) => this.store.rowAt(side, grids[side].tokens[index][0]);
    this.matches.sort((x, y) => row(x) - row(y) || (x.side < y.side ? -1 : x.side > y.side ? 1 : x.index - y.index));
    this.paint(ranges);
    const each = SIDES.map((side) => this.matches.filter((hit) => hit.side === side).length);
    const { length: n } = this.matches;
    const summary = n
      ? `${format(ngettext("{n} match", "{n} matches", n), { n })} (${each.join(" + ")})`
      : gettext("Not found");
    this.count.textContent = words ? summary : "";
  }

  /** @param {number} step */
  step(step) {
    if (!this.matches.length) return;
    // Before the first step, backwards is the last match.
    this.at = (Math.max(this.at, step < 0 ? 0 : -1) + step + this.matches.length) % this.matches.length;
    const { side, index } = this.matches[this.at];
    this.cursor.place(side, index, { focus: false });
    this.count.textContent = format(gettext("{n} of {of}"), { n: this.at + 1, of: this.matches.length });
  }

  /** @param {Range[]} ranges */
  paint(ranges) {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete("find");
    if (ranges.length) CSS.highlights.set("find", new Highlight(...ranges));
  }
}
