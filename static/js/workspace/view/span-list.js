/** The list of spans next to the texts, in text order, with quotes from both sides. The suggestions below it are in
 * suggestion-list.js. */

import { labelChip, make, requireElement } from "./dom.js";
import { kindText } from "./phrases.js";
import { wording } from "../model/wording.js";
import { format, ngettext } from "../../gettext.js";
import { kindOf, quote, SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Span} Span */
/** @typedef {import("../model/types.js").Side} Side */

/** How many spans are listed when the page opens: more than fit into the tallest window. */
const INITIAL_ROWS = 40;

export class SpanList {
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
    this.showBothEnds = both;
    this.list = requireElement("spans");
    /** The lists of suggestions below, which have the same keys; a page may lack that of the less certain ones. */
    this.suggestionLists = [requireElement("suggestions"), document.getElementById("more-suggestion-list")];
    const first = [...store.doc.spans.values()].sort(store.order).slice(0, INITIAL_ROWS);
    /** @type {{span: Span, row: HTMLElement}[]} In text order. */
    this.rows = first.map((span) => ({ span, row: this.row(span) }));
    this.list.append(...this.rows.map(({ row }) => row));
    store.on("doc", (patch) => this.update(patch));
    store.on("picked", (before) => this.updateActive([before, store.picked]));
    store.on("hover", (before) => this.updateActive([before, store.hovered]));
    for (const list of [this.list, ...this.suggestionLists])
      list?.addEventListener("keydown", (event) => this.onKey(list, event));
    this.list.addEventListener("click", (event) => this.onClick(event));
    this.list.addEventListener("mouseover", (event) => store.hover(this.idOf(event.target)));
    this.list.addEventListener("mouseleave", () => store.hover(null));
    this.list.addEventListener("focusin", (event) => store.hover(this.idOf(event.target)));
    this.updateCount();
  }

  /** @param {EventTarget | null} target */
  idOf(target) {
    const row = target instanceof Element ? target.closest("[data-id]") : null;
    return row instanceof HTMLElement ? (row.dataset.id ?? null) : null;
  }

  /** @param {Span} span */
  row(span) {
    const { store } = this;
    const label = store.label(span.label);
    const quotes = SIDES.filter((side) => span.fragments.some((fragment) => fragment.side === side)).map((side) =>
      make("span", {
        class: `quotation ${side}`,
        lang: store.grids[side].language,
        dir: store.grids[side].direction,
        text: quote(span, side, store.grids[side]),
      }),
    );
    const notes = kindOf(span) === "linked" || store.scheme.sides.length < 2 ? [] : [kindText(store, span)];
    if (span.origin !== "manual") notes.push(wording.origins[span.origin]);
    if (span.comment) notes.push(`“${span.comment}”`);
    const row = make("li", { class: "row", "data-id": span.id }, [
      make("button", { type: "button", class: "plain", tabindex: -1 }, [
        labelChip(label, span.label),
        make("span", { class: "sr-only", text: label?.name ?? span.label }),
        make("span", { class: "quotes" }, [
          ...quotes,
          notes.length ? make("small", { text: notes.join(" · ") }) : null,
        ]),
      ]),
    ]);
    row.classList.toggle("active", span.id === store.picked || span.id === store.hovered);
    return row;
  }

  /** List the spans that were not listed when the page opened. */
  listRemaining() {
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
  update(patch) {
    const { rows } = this;
    let spans = false;
    for (const change of patch) {
      if (change.kind !== "span") continue;
      spans = true;
      const at = rows.findIndex(({ span }) => span.id === change.id);
      if (at >= 0) rows.splice(at, 1)[0].row.remove();
      if (change.after) this.insert(change.after);
    }
    if (spans) this.updateCount();
  }

  updateCount() {
    const { size } = this.store.doc.spans;
    requireElement("span-count").textContent = format(ngettext("{n} span", "{n} spans", size), { n: size });
    requireElement("no-spans").hidden = size > 0;
    const stop = this.list.querySelector("button");
    if (stop && !this.list.querySelector("button[tabindex='0']")) stop.tabIndex = 0;
  }

  /** @param {(string | null)[]} ids */
  updateActive(ids) {
    for (const id of ids) {
      const entry = id ? this.rows.find(({ span }) => span.id === id) : null;
      if (!entry) continue;
      entry.row.classList.toggle("active", id === this.store.picked || id === this.store.hovered);
      if (id === this.store.picked) this.reveal(entry.row);
    }
  }

  /** Scroll a row of the list into view without moving the page. @param {HTMLElement} row */
  reveal(row) {
    const panel = requireElement("span-list");
    if (!panel.offsetWidth) return;
    const [box, frame] = [row.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) panel.scrollTop += box.top - frame.top - frame.height / 3;
  }

  /** @param {Event} event */
  onClick(event) {
    const row = event.target instanceof Element ? event.target.closest(".row") : null;
    if (!(row instanceof HTMLElement)) return;
    const id = row.dataset.id ?? "";
    const tokens = this.store.cover.of(id);
    const side = SIDES.find((one) => tokens[one].length);
    if (side) this.go(side, tokens[side][0]);
    this.pick(id);
    this.showBothEnds(tokens);
  }

  /** @param {HTMLElement} list @param {KeyboardEvent} event */
  onKey(list, event) {
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
