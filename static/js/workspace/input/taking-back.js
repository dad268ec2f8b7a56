/** Taking back the last submission: the pair that this tab submitted last is reopened, if the server allows it. */

import { request } from "../sync/api.js";
import { withdraw } from "../sync/outbox.js";
import { detailOf } from "../sync/sync.js";
import { contentChanges } from "../model/patches.js";
import { need } from "../view/dom.js";
import { format, gettext } from "../../gettext.js";

/**
 * @typedef {object} Last What was submitted last, or has been taken back.
 * @property {number} id
 * @property {number} n The pair's number.
 * @property {string} verdict
 * @property {string} page
 * @property {string} reopen
 * @property {boolean} [back] Whether it has been taken back.
 */

/** What is said on the next page. @type {Record<string, string>} */
const SUBMITTED = {
  submitted: gettext("Pair {n} submitted"),
  rejected: gettext("Pair {n} submitted as not comparable"),
  flagged: gettext("Pair {n} flagged"),
  skipped: gettext("Pair {n} skipped"),
};
/** Outcomes that concern everything on the page: its status explains them. */
const OF_PAGE = new Set(["login", "other"]);

export class TakingBack {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../sync/session.js").Session} session
   * @param {{passing: Storage, storage: Storage}} kept What is kept for this tab alone, and for all.
   * @param {string} person
   * @param {(words: string, refused?: boolean) => void} say
   */
  constructor(store, session, { passing, storage }, person, say) {
    this.store = store;
    this.session = session;
    this.storage = passing;
    this.journals = storage;
    this.person = person;
    this.key = `diptych/last/${person}`;
    this.say = say;
    this.busy = false;
    this.panel = need("last");
    session.onLeft = (verdict) => this.note(verdict);
    need("last-close").addEventListener("click", () => this.close());
    store.on("doc", (patch) => {
      if (contentChanges(patch).length) this.close();
    });
    this.show();
  }

  /** @returns {Last | null} */
  get last() {
    try {
      return JSON.parse(this.storage.getItem(this.key) ?? "null");
    } catch {
      return null;
    }
  }

  /** Remember that this pair was submitted. @param {string} verdict */
  note(verdict) {
    const { id, position, urls } = this.store.assignment;
    this.keep({ id: Number(id), n: position.n, verdict, page: urls.page, reopen: urls.reopen });
  }

  /** @param {Last | null} last */
  keep(last) {
    if (!last) return this.storage.removeItem(this.key);
    try {
      this.storage.setItem(this.key, JSON.stringify(last));
    } catch {
      // Without storage nothing is offered; the pair can be reopened from the list of pairs.
    }
  }

  /** On the page after a submission: what was submitted; on the pair taken back: that it is open again. */
  show() {
    const { last, store } = this;
    if (!last || (last.back === true) !== (last.id === store.assignment.id)) return;
    this.tell(format(last.back ? gettext("Pair {n} is open again. Submit it when you are done.") : SUBMITTED[last.verdict] ?? SUBMITTED.submitted, { n: last.n }), !last.back);
    if (last.back) this.keep(null);
  }

  /** @param {string} words @param {boolean} offered Whether the button is shown. */
  tell(words, offered) {
    need("last-words").textContent = words;
    need("take-back").hidden = !offered;
    this.panel.hidden = false;
  }

  close() {
    if (this.panel.hidden) return;
    const inside = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    if (inside) need("main").focus();
  }

  /** Open the pair that was taken back. @param {Last} last */
  open(last) {
    this.keep({ ...last, back: true });
    location.assign(last.page);
  }

  /** Take back this page's pair if it is submitted, else the one that this tab submitted last. */
  async take() {
    const { last, session, store } = this;
    if (store.readOnly && session.over.reopen) return session.reopen();
    if (!last || last.back || last.id === store.assignment.id) {
      const none = gettext("No pair was submitted in this tab before this one");
      return this.say(store.readOnly ? (need("done-words").textContent ?? "").trim() || none : none, true);
    }
    if (this.busy) return;
    // It has not been sent yet: nobody has to be asked.
    if (withdraw(this.journals, this.person, last.id)) return this.open(last);
    this.busy = true;
    const answer = await request("POST", last.reopen, {});
    this.busy = false;
    const { outcome, data } = answer;
    // If it is not submitted any more, it was reopened elsewhere.
    if (outcome === "ok" || data?.error?.code === "not-handed-in") return this.open(last);
    if (OF_PAGE.has(outcome)) return session.sync?.failed(answer);
    const kept = outcome === "offline" || outcome === "busy" || outcome === "broken";
    const why = kept ? gettext("The server is not answering. Try again later.") : detailOf(outcome === "gone" ? "refused" : outcome, data);
    const words = `${format(gettext("The submission of pair {n} can't be undone."), { n: last.n })} ${why}`;
    if (!kept) this.keep(null);
    this.tell(words, kept);
    this.say(words);
  }
}
