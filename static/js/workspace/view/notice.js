/** The state of saving in one word, and where work cannot be saved: what happened, what is kept, and the link on beside it. */

import { need } from "./dom.js";
import { t, tn } from "./messages.js";
import { countsKept, explain, isCalm } from "../model/trouble.js";

export class Notice {
  constructor() {
    this.word = need("state");
    this.detail = need("state-detail");
    /** @type {HTMLElement[]} What leads on: each names the states in which it does. */
    this.links = [...need("trouble").querySelectorAll("[data-when]")].map((link) => /** @type {HTMLElement} */ (link));
    /** What is to be known until the pair is submitted again. */
    this.note = "";
    for (const link of need("trouble").querySelectorAll("a[data-beside]"))
      link.addEventListener("click", (event) => this.beside(event, /** @type {HTMLAnchorElement} */ (link).href));
  }

  /** Log in in a tab that closes itself afterwards; where the browser opens none, the link does. @param {Event} event @param {string} href */
  beside(event, href) {
    if (open(href, "diptych-login")) event.preventDefault();
  }

  /**
   * @param {import("../sync/sync.js").State} state
   * @param {import("../model/trouble.js").Facts} facts
   * @param {boolean} unkept Whether the browser refuses to keep anything.
   */
  show(state, facts, unkept) {
    const { owed, reopens } = facts;
    this.word.dataset.state = state;
    const words = countsKept(state) && owed ? `${t(`state.${state}`)}, ${tn("kept", owed)}` : t(`state.${state}`);
    if (this.word.textContent !== words) this.word.textContent = words;
    const lines = explain(state, facts).map(({ key, n, values }) => (n === undefined ? t(key, values) : tn(key, n, values)));
    const all = [...lines, this.note, unkept ? t("state.unkept") : ""].filter(Boolean).join(" ");
    if (!isCalm(state) || this.note) this.write(all);
    // What stands there from before (a question that is open, say) goes once the work is saved.
    else if (this.detail.textContent && state === "saved") this.write(all);
    for (const link of this.links) {
      const { when = "", owed: needed } = link.dataset;
      const idle = (needed !== undefined && (needed === "yes") !== owed > 0) || (link.dataset.command === "reopen" && !reopens);
      link.hidden = idle || !when.split(" ").includes(state);
    }
  }

  /** @param {string} words */
  write(words) {
    if (this.detail.textContent !== words) this.detail.textContent = words;
  }
}
