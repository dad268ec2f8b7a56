/** The save status in one word, and if work can't be saved: what happened, what is kept, and what can be done. */

import { requireElement } from "./dom.js";
import { wording } from "../model/wording.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { explainProblem, isNormalState, showsUnsavedCount } from "../model/save-problems.js";

/** Each state in a word or two. @type {Record<import("../sync/sync.js").State, string>} */
const STATUS = {
  saved: gettext("Saved"),
  saving: gettext("Saving"),
  changed: gettext("Saving"),
  offline: gettext("Offline"),
  broken: gettext("Server not responding"),
  login: gettext("Logged out"),
  storage: gettext("Not saved"),
  other: gettext("Not saved"),
  reassigned: gettext("Reassigned"),
  submitted: wording.submittedStatus,
  closed: gettext("Phase closed"),
  archived: gettext("Project archived"),
  gold: gettext("Draft closed"),
  ended: gettext("No access"),
  conflict: gettext("Two versions"),
  refused: gettext("Not accepted"),
  gone: gettext("Not available"),
};

const CANNOT_STORE = gettext("This browser can't store your changes: keep the page open until they are saved.");

export class Notice {
  constructor() {
    this.word = requireElement("state");
    this.detail = requireElement("state-detail");
    /**
     * What this module wrote last: any other text there (which questions are open) belongs to another module, which
     * removes it.
     */
    this.written = "";
    /** @type {HTMLElement[]} Links and buttons; each names the states in which it is shown. */
    this.links = [...requireElement("save-problem").querySelectorAll("[data-when]")].map(
      (link) => /** @type {HTMLElement} */ (link),
    );
    /** A note that is shown until the pair is submitted again. */
    this.note = "";
    /** What is done before the log-in is offered: the user may be logged in by now. @type {() => Promise<void>} */
    this.beforeLogIn = async () => {};
    for (const link of requireElement("save-problem").querySelectorAll("a[data-beside]"))
      link.addEventListener("click", (event) => {
        event.preventDefault();
        void this.logInInNewTab(/** @type {HTMLAnchorElement} */ (link));
      });
  }

  /** Log in in a tab that closes itself afterwards; if the browser opens none, in this one. @param {HTMLAnchorElement} link */
  async logInInNewTab(link) {
    await this.beforeLogIn();
    if (link.hidden || open(link.href, "diptych-login")) return;
    const address = new URL(link.href);
    address.searchParams.set("next", location.pathname);
    location.assign(address.href);
  }

  /**
   * @param {import("../sync/sync.js").State} state
   * @param {import("../model/save-problems.js").Facts} facts
   * @param {boolean} unkept Whether the browser refuses to store anything.
   */
  show(state, facts, unkept) {
    const { unsaved, reopens } = facts;
    this.word.dataset.state = state;
    const count = format(ngettext("{n} change kept here", "{n} changes kept here", unsaved), { n: unsaved });
    const words = showsUnsavedCount(state) && unsaved ? `${STATUS[state]}, ${count}` : STATUS[state];
    if (this.word.textContent !== words) this.word.textContent = words;
    const all = [...explainProblem(state, facts), this.note, unkept ? CANNOT_STORE : ""].filter(Boolean).join(" ");
    const others = Boolean(this.detail.textContent) && this.detail.textContent !== this.written;
    if (!isNormalState(state) || this.note) {
      // Only a new message replaces another module's text.
      if (!others || all !== this.written) this.writeDetail(all);
    } else if (this.detail.textContent && !others && state === "saved") this.writeDetail(all);
    for (const link of this.links) {
      const { when = "", unsaved: needed } = link.dataset;
      const idle =
        (needed !== undefined && (needed === "yes") !== unsaved > 0) || (link.dataset.command === "reopen" && !reopens);
      link.hidden = idle || !when.split(" ").includes(state);
    }
  }

  /** @param {string} words */
  writeDetail(words) {
    this.written = words;
    if (this.detail.textContent !== words) this.detail.textContent = words;
  }
}
