/** The label bar next to the selection: hotkeys, names, colours. */

import { labelChip, make, requireElement } from "./dom.js";
import { currentSituation } from "../model/effects.js";
import { linkHint } from "../model/hints.js";
import { HINTS } from "./hint-texts.js";
import { kindText, predictedLabel, whySuggested } from "./phrases.js";
import { format, gettext } from "../../gettext.js";
import { bestPosition } from "../model/placement.js";
import { isEmpty, lastRun } from "../model/selection.js";
import { SIDES } from "../model/spans.js";
import { obstacles } from "./obstacles.js";

/** @typedef {import("../model/types.js").Side} Side */

/** Where the two texts are above each other. */
const NARROW = matchMedia("(max-width: 640px)");

/** Commands that the bar has as buttons. */
const TOOLS = [
  ["fragment", gettext("+ Fragment")],
  ["comment", gettext("Comment")],
  ["split", gettext("Split")],
  ["remove", gettext("Delete")],
  ["suggestion.dismiss", gettext("Dismiss")],
];

export class LabelBar {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("../input/actions.js").Actions} actions
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
    this.link = make("p", { class: "link-hint" });
    this.why = make("p", { class: "why" });
    this.accept = make("button", { type: "button", class: "plain accept" });
    this.accept.addEventListener("click", () => this.run("open"));
    const placeholder = gettext("Comment on this span");
    this.comment = make("input", { class: "span-comment", maxlength: 10000, placeholder, "aria-label": placeholder });
    this.build();
    for (const topic of /** @type {const} */ (["selection", "picked", "doc", "controls"]))
      store.on(topic, () => this.draw());
    // Saved while it is typed: reloading or closing the page in the middle of a word loses nothing.
    this.comment.addEventListener("input", () => this.actions.comment(this.comment.value));
    this.comment.addEventListener("change", () => this.actions.announceComment());
    this.comment.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      event.stopPropagation();
      this.run("focus");
      this.draw();
    });
    element.addEventListener("mousedown", (event) => event.target !== this.comment && event.preventDefault());
    element.addEventListener("keydown", (event) => this.onKey(event));
  }

  build() {
    const { element, store } = this;
    const row = make("div", { class: "labels", role: "group", "aria-label": gettext("Labels") });
    for (const label of store.scheme.labels) {
      const button = make("button", { type: "button", class: "plain", title: label.description }, [
        labelChip(label),
        make("span", { text: label.name }),
      ]);
      button.addEventListener("click", () => {
        this.actions.label(label.key);
        this.run("focus");
      });
      this.labels.set(label.key, button);
      row.append(button);
    }
    this.tools = make("div", { class: "tools" }, [this.kind, this.accept]);
    for (const [command, name] of TOOLS) {
      const button = make("button", { type: "button", class: "plain", "data-command": command, text: name });
      button.addEventListener("click", () => this.run(command));
      this.tools.append(button);
    }
    // The Escape command for mouse and touch.
    const title = gettext("Clear selection");
    const clear = make("button", {
      type: "button",
      class: "plain",
      "data-command": "escape",
      "aria-label": title,
      title,
      text: "×",
    });
    clear.addEventListener("click", () => this.run("escape"));
    this.tools.append(clear);
    element.append(this.why, row, this.tools, this.link, this.comment);
  }

  /** Arrow keys move along the bar; Escape leaves it. @param {KeyboardEvent} event */
  onKey(event) {
    if (event.target === this.comment) return;
    const buttons = [...this.element.querySelectorAll("button")].filter((one) => !one.hidden);
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step =
      event.key === "ArrowRight" || event.key === "ArrowDown"
        ? 1
        : event.key === "ArrowLeft" || event.key === "ArrowUp"
          ? -1
          : 0;
    if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") this.run("focus");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Edit the comment on the picked span. */
  editComment() {
    this.comment.hidden = false;
    this.comment.focus();
    this.place();
  }

  /** Move the focus into the bar. */
  focus() {
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
    // If only one side can be marked, every span is on it.
    this.kind.textContent = store.scheme.sides.length < 2 ? "" : kindText(store, span ?? { fragments });
    const suggestion = store.suggestion ? store.suggestionsByKey.get(store.suggestion) : null;
    this.why.textContent = suggestion ? whySuggested(suggestion, store.grids) : "";
    this.why.hidden = !suggestion;
    const predicted = suggestion && currentSituation(store).suggestion ? predictedLabel(suggestion, store) : null;
    for (const [key, button] of this.labels) button.classList.toggle("predicted", key === predicted?.key);
    this.accept.hidden = !predicted;
    this.accept.textContent = predicted ? format(gettext("Accept as {label}"), { label: predicted.name }) : "";
    const link = linkHint(currentSituation(store), store.device);
    this.link.textContent = link ? HINTS[`${link.control}.${link.effect}`] : "";
    for (const button of this.tools?.querySelectorAll("button") ?? []) {
      const { command } = button.dataset;
      if (!command) continue;
      button.hidden =
        (["comment", "split", "remove"].includes(command) && !span) ||
        (command === "suggestion.dismiss" && !store.suggestion) ||
        (command === "fragment" && !store.scheme.discontinuous);
      if (command === "fragment") button.setAttribute("aria-pressed", String(store.adding));
    }
    this.comment.hidden = !span || (!span.comment && document.activeElement !== this.comment);
    if (span && document.activeElement !== this.comment) this.comment.value = span.comment;
    this.place();
  }

  /** Place it near the last selected word, where it covers nothing important; in a narrow window at an edge of a text. */
  place() {
    const { store, element, view } = this;
    const side =
      store.selection.active?.side ?? (lastRun(store.selection, store.cursor.side) ? store.cursor.side : null);
    const at = side ?? SIDES.find((one) => lastRun(store.selection, one));
    const run = at && lastRun(store.selection, at);
    if (!at || !run) return;
    const column = /** @type {HTMLElement} */ (view.columns[at].children[0]).getBoundingClientRect();
    element.style.setProperty("--column", `${column.width}px`);
    const frame = /** @type {HTMLElement} */ (element.offsetParent ?? view.sheet).getBoundingClientRect();
    const texts = requireElement("texts").getBoundingClientRect();
    const near = view.word(at, this.head(run)).getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    // Inside its own column it covers nothing of the other text.
    const inside = Math.max(column.left, Math.min(near.left - 40, column.right - width));
    const choice = NARROW.matches
      ? { lefts: [texts.left], tops: this.edgePositions(texts, height) }
      : { lefts: [inside, column.left, column.right - width, texts.left, texts.right - width] };
    const position = bestPosition({ width, height }, texts, near, obstacles(store, view, at), choice);
    element.style.top = `${position.top - frame.top}px`;
    element.style.left = `${position.left - frame.left}px`;
  }

  /** The moving end of the run; if it is not active, its last word. @param {import("../model/types.js").Range} run */
  head(run) {
    const { active } = this.store.selection;
    return active && (active.head === run[0] || active.head === run[1]) ? active.head : run[1];
  }

  /** The upper and lower edges of both texts, if they are above each other. @param {DOMRect} texts @param {number} height */
  edgePositions(texts, height) {
    const divider = requireElement("divider").getBoundingClientRect();
    const tops = [texts.bottom - height, divider.top - height, divider.bottom, texts.top];
    // The divider may be out of view, above the questions.
    return tops.map((top) => Math.max(texts.top, Math.min(texts.bottom - height, top)));
  }
}
