/** The footer's status: active time, undo and redo, and hints on what keys would do now. */

import { focusOf, isOverlayOpen, labelSign, requireElement } from "./dom.js";
import { currentSituation } from "../model/effects.js";
import { hintsFor, keyRange } from "../model/hints.js";
import { HINTS } from "./hint-texts.js";
import { withKeyNames } from "./key-names.js";
import { formatDuration } from "./phrases.js";
import { wording } from "../model/wording.js";
import { format, gettext } from "../../gettext.js";

/** A phone in portrait or landscape: the footer has less room. */
const NARROW = matchMedia("(max-width: 640px), (max-height: 480px)");

/** What a drag does, by its effect. @type {Record<string, string>} */
const DRAG_EFFECTS = {
  "select.link": gettext("Selected in both texts: a label links them"),
  "select.replace": gettext("Replaces the words selected in this text"),
  "select.fragment": gettext("Adds a fragment to the selection"),
  "span.join": gettext("Links these words to the picked span"),
  "span.fragment": gettext("Adds a fragment to the picked span"),
  "span.leave": gettext("For a new span: the picked one stays as it is"),
};

export class Status {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../model/clock.js").Clock} clock
   * @param {import("../input/preferences.js").Preferences} preferences
   */
  constructor(store, clock, preferences) {
    this.store = store;
    this.clock = clock;
    this.preferences = preferences;
    this.element = requireElement("hints");
    this.note = requireElement("drag-note");
    for (const topic of /** @type {const} */ ([
      "selection",
      "picked",
      "suggestion",
      "cursor",
      "doc",
      "controls",
      "view",
    ]))
      store.on(topic, () => this.scheduleHint());
    for (const type of ["focusin", "focusout"]) document.addEventListener(type, () => this.scheduleHint());
    preferences.on(() => this.scheduleHint());
    /** The footer's hints if there were room for all of them. */
    this.words = "";
    /** How a page that extends the workspace changes the hints. @type {(hints: import("../model/hints.js").Hint[], where: {focus: import("../model/keyboard.js").Focus, letters: boolean}) => import("../model/hints.js").Hint[]} */
    this.adaptHints = (hints) => hints;
    addEventListener("resize", () => {
      this.words = "";
      this.scheduleHint();
    });
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.updateUndoRedo());
    this.scheduled = false;
    this.showHint();
    this.updateUndoRedo();
    this.showTime();
    setInterval(() => this.showTime(), 10000);
  }

  showTime() {
    const words = formatDuration(this.clock.seconds);
    const element = requireElement("time");
    if (element.textContent !== words) element.textContent = words;
  }

  /** Whether there is a step to undo or redo. Not `disabled`: the button may have the focus. */
  updateUndoRedo() {
    const { history, readOnly } = this.store;
    for (const [command, can] of /** @type {const} */ ([
      ["undo", history.canUndo],
      ["redo", history.canRedo],
    ]))
      document
        .querySelector(`.steps [data-command=${command}]`)
        ?.setAttribute("aria-disabled", String(readOnly || !can));
  }

  /** One key press changes several things: update the footer once after all of them. */
  scheduleHint() {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.showHint();
    });
  }

  /** The hint in the footer: what the current controls do now; during a drag, its effect. */
  showHint() {
    const { store, element, note } = this;
    const { labels, questions } = store.scheme;
    const drag = (store.dragging && DRAG_EFFECTS[store.gesture]) || "";
    if (note.textContent !== drag) note.textContent = drag;
    // Read-only pairs have no hints.
    if (store.readOnly) {
      this.words = element.textContent = element.title = "";
      return;
    }
    const signs = keyRange(
      labels.length ? labels.map(labelSign) : (questions[0]?.choices.map(({ hotkey }) => hotkey) ?? []),
    );
    // In a narrow window the line above the texts shows the effect of a drag; here it would be truncated.
    const hints = !labels.length
      ? [format(withKeyNames(wording.answerHint), { labels: signs })]
      : drag && !NARROW.matches
        ? [drag]
        : this.hints(signs);
    this.showFitting(hints);
  }

  /** Show why a key did nothing, until something changes. @param {string} words */
  showRefusal(words) {
    this.showFitting([words]);
  }

  /** As many hints as fit, the most important first. @param {string[]} hints */
  showFitting(hints) {
    const { element } = this;
    const words = hints.join(" · ");
    if (words === this.words) return;
    this.words = element.title = words;
    for (let n = hints.length; n > 0; n -= 1) {
      element.textContent = hints.slice(0, n).join(" · ");
      if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight) return;
    }
  }

  /** @param {string} signs @returns {string[]} */
  hints(signs) {
    const { store, preferences } = this;
    const where = { focus: focusOf(document.activeElement), letters: preferences.values.letters };
    const hints = this.adaptHints(hintsFor(currentSituation(store, isOverlayOpen()), store.device, where), where);
    return hints.map(({ control, effect, keys = "" }) => {
      const name = `${control}.${effect}`;
      return format(withKeyNames((NARROW.matches && HINTS[`${name}.short`]) || HINTS[name]), { labels: signs, keys });
    });
  }
}
