/** Below the spans: open suggestions, how many are hidden, and dismissed ones, which can be restored. */

import { labelChip, make, requireElement } from "./dom.js";
import { predictedLabel, whySuggested } from "./phrases.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { quote, SIDES } from "../model/spans.js";
import { splitByCertainty } from "../model/suggestions.js";

/** @typedef {import("../model/suggestions.js").Suggestion} Suggestion */

export class SuggestionList {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../input/suggestion-actions.js").SuggestionActions} suggestionActions
   */
  constructor(store, suggestionActions) {
    this.store = store;
    this.suggestionActions = suggestionActions;
    this.list = requireElement("suggestions");
    this.more = /** @type {HTMLDetailsElement | null} */ (document.getElementById("more-suggestions"));
    this.moreList = document.getElementById("more-suggestion-list");
    this.waiting = false;
    if (!store.assignment.highlights) return;
    this.switch = requireElement("suggestion-switch");
    this.dismissed = /** @type {HTMLDetailsElement} */ (requireElement("dismissed"));
    this.dismissedList = requireElement("dismissed-list");
    this.restoreAll = requireElement("restore-all");
    for (const topic of /** @type {const} */ (["suggestion", "view"])) store.on(topic, () => this.scheduleDraw());
    store.on("doc", (patch) => {
      if (
        patch.some(
          (/** @type {import("../model/types.js").Change} */ { kind }) => kind === "span" || kind === "dismissed",
        )
      )
        this.scheduleDraw();
    });
    for (const list of [this.list, this.moreList])
      list?.addEventListener("click", (event) => {
        const key = keyOf(event.target);
        if (key) suggestionActions.show(key);
      });
    this.more?.addEventListener("toggle", () => this.scheduleDraw());
    this.dismissedList.addEventListener("click", (event) => {
      const key = event.target instanceof Element && event.target.closest("button") ? keyOf(event.target) : null;
      if (key) this.restore([key]);
    });
    this.restoreAll.addEventListener("click", () => this.restore(store.dismissedSuggestions().map((one) => one.key)));
  }

  /** Restore dismissed suggestions; the focus moves to the next one that can be restored. @param {string[]} keys */
  restore(keys) {
    const list = this.dismissedList;
    if (!list) return;
    const at = [...list.children].findIndex((row) => row instanceof HTMLElement && row.dataset.key === keys[0]);
    this.suggestionActions.restore(keys);
    this.draw();
    const buttons = list.querySelectorAll("button");
    const next = buttons[Math.min(at, buttons.length - 1)];
    if (next) next.focus();
    else this.switch?.focus();
  }

  /** Draw when the browser is idle. */
  scheduleDraw() {
    if (this.waiting || !this.store.assignment.highlights) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.draw();
    }, 120);
  }

  /** Create the rows again; the focused one keeps the focus. */
  draw() {
    const list = document.activeElement?.closest("#suggestions, #more-suggestion-list, #dismissed-list");
    const key = keyOf(document.activeElement);
    this.drawRows();
    const row = key && [...(list?.children ?? [])].find((one) => one instanceof HTMLElement && one.dataset.key === key);
    if (row) row.querySelector("button")?.focus();
  }

  drawRows() {
    const { store } = this;
    const open = store.openSuggestions();
    const shown = store.showSuggestions;
    requireElement("suggestion-count").textContent = this.countText(open.length);
    if (this.switch) {
      this.switch.replaceChildren(shown ? gettext("Hide") : gettext("Show"), make("kbd", { text: "H" }));
      this.switch.hidden = !store.suggestions.length;
    }
    this.drawDismissed();
    const [surest, rest] = shown ? splitByCertainty(open) : [[], []];
    this.list.replaceChildren(...this.rows(surest));
    if (!this.more || !this.moreList) return;
    this.more.hidden = !rest.length;
    const n = rest.length;
    requireElement("more-suggestion-count").textContent = format(
      ngettext("{n} less certain suggestion", "{n} less certain suggestions", n),
      { n },
    );
    // The current suggestion is always visible.
    if (rest.some((one) => one.key === store.suggestion)) this.more.open = true;
    this.moreList.replaceChildren(...(this.more.open ? this.rows(rest) : []));
  }

  /** How many suggestions are open, or hidden. @param {number} n */
  countText(n) {
    if (!this.store.suggestions.length) return gettext("No suggestions for this pair");
    const hidden = n > 0 && !this.store.showSuggestions;
    const text = hidden
      ? ngettext("{n} suggestion hidden", "{n} suggestions hidden", n)
      : ngettext("{n} suggestion remaining", "{n} suggestions remaining", n);
    return format(text, { n });
  }

  /** The next few are enough: the list is an entry point, and the texts show them all. @param {Suggestion[]}
   * suggestions */
  rows(suggestions) {
    const { store } = this;
    const at = Math.max(
      0,
      suggestions.findIndex((one) => one.key === store.suggestion),
    );
    return suggestions.slice(Math.max(0, at - 2), at + 10).map((one, n) => {
      const label = predictedLabel(one, store);
      const why = whySuggested(one, store.grids);
      const button = make("button", { type: "button", class: "plain", tabindex: n ? -1 : 0 }, [
        label && labelChip(label),
        make("span", { class: "quotes" }, [
          ...this.words(one),
          make("small", {
            text: label ? format(gettext("{why} · predicted: {label}"), { why, label: label.name }) : why,
          }),
        ]),
      ]);
      const kinds = ["row", one.key === store.suggestion ? "active" : "", label ? "predicted" : ""];
      return make("li", { class: kinds.filter(Boolean).join(" "), "data-key": one.key }, [button]);
    });
  }

  drawDismissed() {
    const { store } = this;
    if (!this.dismissed || !this.dismissedList || !this.restoreAll) return;
    const dismissed = store.dismissedSuggestions();
    this.dismissed.hidden = !dismissed.length;
    const n = dismissed.length;
    requireElement("dismissed-count").textContent = format(
      ngettext("{n} suggestion dismissed", "{n} suggestions dismissed", n),
      { n },
    );
    this.restoreAll.hidden = dismissed.length < 2 || store.readOnly;
    this.dismissedList.replaceChildren(
      ...dismissed.map((one) => {
        const name = format(gettext("Restore: {words}"), {
          words: quote(one, one.fragments[0].side, store.grids[one.fragments[0].side]),
        });
        const restore = make("button", {
          type: "button",
          class: "plain",
          "aria-label": name,
          text: gettext("Restore"),
        });
        return make("li", { class: "row dismissed", "data-key": one.key }, [
          make("span", { class: "quotes" }, this.words(one)),
          store.readOnly ? null : restore,
        ]);
      }),
    );
  }

  /** The words of each side that has some. @param {Suggestion} one */
  words(one) {
    return SIDES.filter((side) => one.tokens[side].length).map((side) => {
      const grid = this.store.grids[side];
      return make("span", {
        class: "quotation",
        lang: grid.language,
        dir: grid.direction,
        text: quote(one, side, grid),
      });
    });
  }
}

/** The suggestion of the row that an element is in. @param {EventTarget | null} target */
function keyOf(target) {
  const row = target instanceof Element ? target.closest("[data-key]") : null;
  return row instanceof HTMLElement ? (row.dataset.key ?? null) : null;
}
