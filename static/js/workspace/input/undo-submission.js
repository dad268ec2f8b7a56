/** Undoes the last submission: reopens the pair that this tab submitted last, if the server allows it. */

import { request } from "../sync/api.js";
import { withdrawQueuedVerdict } from "../sync/outbox.js";
import { detailOf } from "../sync/sync.js";
import { contentChanges } from "../model/patches.js";
import { requireElement } from "../view/dom.js";
import { format, gettext } from "../../gettext.js";

/**
 * @typedef {object} LastSubmission The last submission, or one that has been undone.
 * @property {number} id
 * @property {number} n The pair's number.
 * @property {import("../model/types.js").Verdict} verdict
 * @property {string} page
 * @property {string} reopen
 * @property {boolean} [back] Whether it has been undone.
 */

/** What is said on the next page. @type {Record<import("../model/types.js").Verdict, string>} */
const VERDICT_MESSAGES = {
  submitted: gettext("Pair {n} submitted"),
  rejected: gettext("Pair {n} submitted as not comparable"),
  flagged: gettext("Pair {n} flagged"),
  skipped: gettext("Pair {n} skipped"),
};
/** Outcomes that concern everything on the page: its status explains them. */
const PAGE_OUTCOMES = new Set(["login", "other"]);

export class UndoSubmission {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../sync/session.js").Session} session
   * @param {{tabStorage: Storage, storage: Storage}} storages What is kept for this tab alone, and for all tabs.
   * @param {string} person
   * @param {(words: string, refused?: boolean) => void} say
   */
  constructor(store, session, { tabStorage, storage }, person, say) {
    this.store = store;
    this.session = session;
    this.tabStorage = tabStorage;
    this.storage = storage;
    this.person = person;
    this.key = `diptych/last/${person}`;
    this.say = say;
    this.busy = false;
    this.panel = requireElement("last-submission");
    session.onVerdictAccepted = (verdict) => this.remember(verdict);
    requireElement("last-submission-close").addEventListener("click", () => this.close());
    store.on("doc", (patch) => {
      if (contentChanges(patch).length) this.close();
    });
    this.show();
  }

  /** @returns {LastSubmission | null} */
  get last() {
    try {
      return JSON.parse(this.tabStorage.getItem(this.key) ?? "null");
    } catch {
      return null;
    }
  }

  /** Remember that this pair was submitted. @param {import("../model/types.js").Verdict} verdict */
  remember(verdict) {
    const { id, position, urls } = this.store.assignment;
    this.storeLast({ id: Number(id), n: position.n, verdict, page: urls.page, reopen: urls.reopen });
  }

  /** @param {LastSubmission | null} last */
  storeLast(last) {
    if (!last) return this.tabStorage.removeItem(this.key);
    try {
      this.tabStorage.setItem(this.key, JSON.stringify(last));
    } catch {
      // Without storage nothing is offered; the pair can be reopened from the list of pairs.
    }
  }

  /** Say on the page after a submission what was submitted, and on a reopened pair that it is open again. */
  show() {
    const { last, store } = this;
    if (!last || (last.back === true) !== (last.id === store.assignment.id)) return;
    this.showToast(
      format(
        last.back
          ? gettext("Pair {n} is open again. Submit it when you are done.")
          : (VERDICT_MESSAGES[last.verdict] ?? VERDICT_MESSAGES.submitted),
        { n: last.n },
      ),
      !last.back,
    );
    if (last.back) this.storeLast(null);
  }

  /** @param {string} words @param {boolean} offered Whether the button is shown. */
  showToast(words, offered) {
    requireElement("last-submission-words").textContent = words;
    requireElement("undo-submission").hidden = !offered;
    this.panel.hidden = false;
  }

  close() {
    if (this.panel.hidden) return;
    const inside = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    if (inside) requireElement("main").focus();
  }

  /** Open the reopened pair. @param {LastSubmission} last */
  open(last) {
    this.storeLast({ ...last, back: true });
    location.assign(last.page);
  }

  /** Reopen this page's pair if it is submitted, otherwise the one that this tab submitted last. */
  async undo() {
    const { last, session, store } = this;
    if (store.readOnly && session.reopenable.reopen) return session.reopen();
    if (!last || last.back || last.id === store.assignment.id) {
      const none = gettext("No pair was submitted in this tab before this one");
      return this.say(store.readOnly ? (requireElement("done-words").textContent ?? "").trim() || none : none, true);
    }
    if (this.busy) return;
    // It has not been sent yet: no request is needed.
    if (withdrawQueuedVerdict(this.storage, this.person, last.id)) return this.open(last);
    this.busy = true;
    const response = await request("POST", last.reopen, {}).finally(() => (this.busy = false));
    const { outcome, data } = response;
    // If it is not submitted any more, it was reopened elsewhere.
    if (outcome === "ok" || data?.error?.code === "not-submitted") return this.open(last);
    if (PAGE_OUTCOMES.has(outcome)) return session.sync?.onFailure(response);
    const retry = outcome === "offline" || outcome === "busy" || outcome === "broken";
    const why = retry
      ? gettext("The server is not responding. Try again later.")
      : detailOf(outcome === "gone" ? "refused" : outcome, data);
    const words = `${format(gettext("The submission of pair {n} can't be undone."), { n: last.n })} ${why}`;
    if (!retry) this.storeLast(null);
    this.showToast(words, retry);
    this.say(words);
  }
}
