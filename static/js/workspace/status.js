/** The state of saving in one word, the time worked, and what a key would do now. */

import { need } from "./dom.js";
import { duration, t, tn } from "./messages.js";
import { isEmpty } from "./selection.js";
import { sign } from "./dom.js";

export class Status {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./clock.js").Clock} clock
   */
  constructor(store, clock) {
    this.store = store;
    this.clock = clock;
    this.word = need("state");
    this.detail = need("state-detail");
    this.preview = need("preview");
    for (const topic of /** @type {const} */ (["selection", "picked", "suggestion", "view"])) store.on(topic, () => this.hint());
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.steps());
    this.hint();
    this.steps();
    this.time();
    setInterval(() => this.time(), 10000);
  }

  /**
   * @param {import("./sync.js").State} state
   * @param {string} detail
   * @param {number} owed Changes that only this browser has.
   * @param {boolean} waiting Whether a verdict waits to be sent.
   * @param {boolean} unkept Whether the browser refuses to keep anything.
   */
  saving(state, detail, owed, waiting, unkept) {
    const kept = state === "offline" || state === "broken" || state === "login";
    this.word.dataset.state = state;
    const words = kept ? `${t(`state.${state}`)}, ${tn("kept", owed)}` : t(`state.${state}`);
    if (this.word.textContent !== words) this.word.textContent = words;
    const notes = [detail, waiting && kept ? t("state.waiting") : "", unkept ? t("state.unkept") : ""].filter(Boolean).join(" ");
    if (state !== "saved" && state !== "saving" && state !== "changed") this.detail.textContent = notes;
    else if (this.detail.textContent && state === "saved") this.detail.textContent = unkept ? notes : "";
    need("login").hidden = state !== "login";
  }

  time() {
    const words = duration(this.clock.seconds);
    const place = need("time");
    if (place.textContent !== words) place.textContent = words;
  }

  /** Whether there is a step to undo or to do again. Not `disabled`: the focus may stand on the button. */
  steps() {
    const { history, readOnly } = this.store;
    for (const [command, can] of /** @type {const} */ ([["undo", history.canUndo], ["redo", history.canRedo]]))
      document.querySelector(`.steps [data-command=${command}]`)?.setAttribute("aria-disabled", String(readOnly || !can));
  }

  /** A line in the foot: what the keys do now. */
  hint() {
    const { store, preview } = this;
    const { labels, questions } = store.scheme;
    if (store.readOnly) return;
    const signs = range(labels.length ? labels.map(sign) : questions[0]?.choices.map(({ hotkey }) => hotkey) ?? []);
    const kind = store.picked ? "picked" : store.suggestion ? "suggestion" : isEmpty(store.selection) ? "none" : store.adding ? "adding" : "selection";
    const words = t(`hint.${labels.length ? (kind === "selection" ? this.selected() : kind) : "answer"}`, { labels: signs });
    if (preview.textContent !== words) preview.textContent = words;
  }

  /** What a selection can become in this scheme. */
  selected() {
    const { scheme, selected } = this.store;
    if (selected.a.size && selected.b.size) return "linked";
    return scheme.links ? "selection" : scheme.discontinuous ? "fragment" : "run";
  }
}

/** Keys in a few characters: the first and the last of many. @param {string[]} signs */
function range(signs) {
  return signs.length > 2 ? `${signs[0]}–${signs[signs.length - 1]}` : signs.join(" ");
}
