/** The list of spans next to the texts, in text order, with quotes from both sides. The suggestions below it are in
 * suggestion-list.js. */

import { chip, make, need } from "./dom.js";
import { kindWords } from "./phrases.js";
import { wording } from "../model/wording.js";
import { format, ngettext } from "../../gettext.js";
import { kindOf, quote, SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Span} Span */
/** @typedef {import("../model/types.js").Side} Side */

/** How many spans are listed when the page opens: more than fit into the tallest window. */
const FIRST = 40;

export class Ledger {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {(side: Side, index: number) => void} go Puts the cursor on a word.
   * @param {(id: string) => void} pick
   * @param {(tokens: Record<Side, readonly number[]>) => void} both Scrolls both ends of a link into view.
   */
  constructor(store, go, pick, both) {
    this.store = store;
    this.go = go;
    this.pick = pick;
    this.both = both;
    this.list = need("spans");
    this.suggestions = need("suggestions");
    const first = [...store.doc.spans.values()].sort(store.order).slice(0, FIRST);
    /** @type {{span: Span, row: HTMLElement}[]} In text order. */
    this.rows = first.map((span) => ({ span, row: this.row(span) }));
    this.list.append(...this.rows.map(({ row }) => row));
    store.on("doc", (patch) => this.changed(patch));
    store.on("picked", (before) => this.mark([before, store.picked]));
    store.on("hover", (before) => this.mark([before, store.hovered]));
    for (const list of [this.list, this.suggestions]) list.addEventListener("keydown", (event) => this.keys(list, event));
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("mouseover", (event) => store.hover(this.idOf(event.target)));
    this.list.addEventListener("mouseleave", () => store.hover(null));
    this.list.addEventListener("focusin", (event) => store.hover(this.idOf(event.target)));
    this.count();
  }

  /** @param {EventTarget | null} target */
  idOf(target) {
    const row = target instanceof Element ? target.closest("[data-id]") : null;
    return row instanceof HTMLElement ? row.dataset.id ?? null : null;
  }

  /** @param {Span} span */
  row(span) {
    const { store } = this;
    const label = store.label(span.label);
    const quotes = SIDES.filter((side) => span.fragments.some((fragment) => fragment.side === side)).map((side) =>
      make("span", { class: `q ${side}`, lang: store.grids[side].language, dir: store.grids[side].direction, text: quote(span, side, store.grids[side]) }),
    );
    const notes = kindOf(span) === "linked" || store.scheme.sides.length < 2 ? [] : [kindWords(store, span)];
    if (span.origin !== "manual") notes.push(wording.origins[span.origin]);
    if (span.comment) notes.push(`“${span.comment}”`);
    const row = make("li", { class: "row", "data-id": span.id }, [
      make("button", { type: "button", class: "plain", tabindex: -1 }, [
        chip(label, span.label),
        make("span", { class: "sr-only", text: label?.name ?? span.label }),
        make("span", { class: "quotes" }, [...quotes, notes.length ? make("small", { text: notes.join(" · ") }) : null]),
      ]),
    ]);
    row.classList.toggle("on", span.id === store.picked || span.id === store.hovered);
    return row;
  }

  /** List the spans that were not listed when the page opened. */
  rest() {
    const listed = new Set(this.rows.map(({ span }) => span.id));
    for (const span of this.store.doc.spans.values()) if (!listed.has(span.id)) this.insert(span);
  }

  /** @param {Span} span */
  insert(span) {
    const { store, rows } = this;
    const row = this.row(span);
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (store.order(rows[middle].span, span) < 0) low = middle + 1;
      else high = middle;
    }
    this.list.insertBefore(row, rows[low]?.row ?? null);
    rows.splice(low, 0, { span, row });
  }

  /** Update the rows of the changed spans only. @param {import("../model/types.js").Patch} patch */
  changed(patch) {
    const { rows } = this;
    let spans = false;
    for (const change of patch) {
      if (change.kind !== "span") continue;
      spans = true;
      const at = rows.findIndex(({ span }) => span.id === change.id);
      if (at >= 0) rows.splice(at, 1)[0].row.remove();
      if (change.after) this.insert(change.after);
    }
    if (spans) this.count();
  }

  count() {
    const { size } = this.store.doc.spans;
    need("span-count").textContent = format(ngettext("{n} span", "{n} spans", size), { n: size });
    need("no-spans").hidden = size > 0;
    const stop = this.list.querySelector("button");
    if (stop && !this.list.querySelector("button[tabindex='0']")) stop.tabIndex = 0;
  }

  /** @param {(string | null)[]} ids */
  mark(ids) {
    for (const id of ids) {
      const entry = id ? this.rows.find(({ span }) => span.id === id) : null;
      if (!entry) continue;
      entry.row.classList.toggle("on", id === this.store.picked || id === this.store.hovered);
      if (id === this.store.picked) this.reveal(entry.row);
    }
  }

  /** Scroll a row of the list into view without moving the page. @param {HTMLElement} row */
  reveal(row) {
    const panel = need("ledger");
    if (!panel.offsetWidth) return;
    const [box, frame] = [row.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) panel.scrollTop += box.top - frame.top - frame.height / 3;
  }

  /** @param {Event} event */
  click(event) {
    const row = event.target instanceof Element ? event.target.closest(".row") : null;
    if (!(row instanceof HTMLElement)) return;
    const id = row.dataset.id ?? "";
    const tokens = this.store.cover.of(id);
    const side = SIDES.find((one) => tokens[one].length);
    if (side) this.go(side, tokens[side][0]);
    this.pick(id);
    this.both(tokens);
  }

  /** @param {HTMLElement} list @param {KeyboardEvent} event */
  keys(list, event) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step || !(event.target instanceof HTMLElement)) return;
    const buttons = [...list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step];
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
