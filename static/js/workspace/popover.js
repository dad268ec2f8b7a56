/** The label bar beside the selection, so that neither the hand nor the eye travels: digits, names, colours. */

import { chip, make } from "./dom.js";
import { has, kindWords, t } from "./messages.js";
import { isEmpty, lastRun } from "./selection.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */

export class Popover {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./actions.js").Actions} actions
   * @param {HTMLElement} element
   * @param {(command: string) => void} run
   */
  constructor(store, view, actions, element, run) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.element = element;
    this.run = run;
    /** @type {{side: Side, token: number} | null} */
    this.anchor = null;
    /** @type {Map<string, HTMLButtonElement>} */
    this.labels = new Map();
    this.kind = make("span", { class: "kind" });
    this.comment = make("input", { class: "span-comment", placeholder: t("span.comment"), "aria-label": t("span.comment") });
    this.build();
    for (const topic of /** @type {const} */ (["selection", "picked", "doc"])) store.on(topic, () => this.draw());
    this.comment.addEventListener("change", () => this.actions.comment(this.comment.value));
    this.comment.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter") this.actions.comment(this.comment.value);
      this.run("focus");
      this.draw();
    });
    element.addEventListener("mousedown", (event) => event.target !== this.comment && event.preventDefault());
    element.addEventListener("keydown", (event) => this.keys(event));
  }

  build() {
    const { element, store } = this;
    const row = make("div", { class: "labels", role: "group", "aria-label": t("labels") });
    for (const label of store.scheme.labels) {
      const button = make("button", { type: "button", class: "plain", title: label.description }, [
        chip(label),
        make("span", { text: label.name }),
      ]);
      button.addEventListener("click", () => {
        this.actions.label(label.key);
        this.run("focus");
      });
      this.labels.set(label.key, button);
      row.append(button);
    }
    this.tools = make("div", { class: "tools" }, [this.kind]);
    for (const command of ["fragment", "comment", "split", "remove", "suggestion.dismiss"]) {
      const name = has(`tool.${command}`) ? t(`tool.${command}`) : t(`key.${command}`);
      const button = make("button", { type: "button", class: "plain", "data-command": command, text: name });
      button.addEventListener("click", () => this.run(command));
      this.tools.append(button);
    }
    element.append(row, this.tools, this.comment);
  }

  /** Arrow keys move along the bar; Escape leaves it. @param {KeyboardEvent} event */
  keys(event) {
    if (event.target === this.comment) return;
    const buttons = [...this.element.querySelectorAll("button")].filter((one) => !one.hidden);
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 0;
    if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") this.run("focus");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Write, or change, what is to be said about the picked span. */
  write() {
    this.comment.hidden = false;
    this.comment.focus();
    this.place();
  }

  /** Put the focus into the bar. */
  enter() {
    if (this.element.hidden) return false;
    const current = this.labels.get(this.store.span(this.store.picked ?? "")?.label ?? "");
    (current ?? [...this.labels.values()][0])?.focus();
    return true;
  }

  draw() {
    const { store, element } = this;
    const shown = !store.dragging && !store.readOnly && (store.picked !== null || !isEmpty(store.selection));
    element.hidden = !shown;
    if (!shown) return;
    const span = store.span(store.picked ?? "");
    for (const [key, button] of this.labels) button.setAttribute("aria-pressed", String(span?.label === key));
    const fragments = SIDES.filter((side) => store.selected[side].size).map((side) => ({ side, start: 0, end: 0 }));
    // Where only one side is marked, every span is on it.
    this.kind.textContent = store.scheme.sides.length < 2 ? "" : kindWords(store, span ?? { fragments });
    for (const button of this.tools?.querySelectorAll("button") ?? []) {
      const { command } = button.dataset;
      button.hidden =
        (["comment", "split", "remove"].includes(command ?? "") && !span) ||
        (command === "suggestion.dismiss" && !store.suggestion) ||
        (command === "fragment" && !store.scheme.discontinuous && !store.scheme.links);
      if (command === "fragment") button.setAttribute("aria-pressed", String(store.adding));
    }
    this.comment.hidden = !span || (!span.comment && document.activeElement !== this.comment);
    if (span && document.activeElement !== this.comment) this.comment.value = span.comment;
    this.place();
  }

  /** Below the last selected word, within the texts; above it where there is no room below. */
  place() {
    const { store, element, view } = this;
    const side = store.selection.active?.side ?? (lastRun(store.selection, store.cursor.side) ? store.cursor.side : null);
    const at = side ?? SIDES.find((one) => lastRun(store.selection, one));
    const run = at && lastRun(store.selection, at);
    if (!at || !run) return;
    const frame = /** @type {HTMLElement} */ (element.offsetParent ?? view.sheet).getBoundingClientRect();
    const texts = view.scroller(at).getBoundingClientRect();
    const [first, last] = [view.word(at, run[0]).getBoundingClientRect(), view.word(at, run[1]).getBoundingClientRect()];
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = last.bottom + 10;
    const top = below + height > texts.bottom && first.top - height - 10 > texts.top ? first.top - height - 10 : below;
    const left = Math.max(texts.left + 8, Math.min(last.left - 40, texts.right - width - 16));
    element.style.top = `${Math.min(Math.max(top, texts.top), texts.bottom - height) - frame.top}px`;
    element.style.left = `${left - frame.left}px`;
  }
}
