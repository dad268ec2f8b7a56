/** Finishing a pair: submit, reject, flag or skip. Asks only what is necessary. */

import { make, requireElement, requireDialog } from "../view/dom.js";
import { wording } from "../model/wording.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { paragraphsOf } from "../model/ticks.js";

/** The dialogs that ask for a reason. */
const DIALOGS = {
  flagged: {
    title: gettext("Flag the pair"),
    text: gettext("Something is broken: text is missing, garbled or in the wrong language. The lead will look at it."),
    send: gettext("Flag the pair"),
  },
  skipped: {
    title: gettext("Skip the pair"),
    text: gettext("You move on to the next pair without annotating this one."),
    send: gettext("Skip the pair"),
  },
};

export class Verdicts {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/reading.js").Reading} reading
   * @param {import("./questions.js").Questions} questions
   * @param {(verdict: import("../sync/journal.js").Verdict) => void} send
   * @param {() => Promise<void>} reopen
   */
  constructor(store, reading, questions, send, reopen) {
    this.store = store;
    this.reading = reading;
    this.questions = questions;
    this.send = send;
    this.reopen = () => void reopen();
    /** The verdict whose reason the dialog asks for. @type {import("../model/types.js").Verdict} */
    this.verdict = "submitted";
    this.dialog = requireDialog("verdict");
    this.reason = /** @type {HTMLTextAreaElement} */ (requireElement("verdict-reason"));
    this.unread = requireDialog("unread");
    /** The last message about unanswered questions. */
    this.missing = "";
    store.on("doc", () => this.updateUnanswered());
    // A reason is kept while it is typed, until its verdict has been accepted.
    this.reason.addEventListener("input", () =>
      store.journal?.put("reasons", { ...this.reasons(), [this.verdict]: this.reason.value }),
    );
    const form = /** @type {HTMLFormElement} */ (requireElement("verdict-form"));
    this.reason.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.isComposing) return;
      // Elsewhere these keys submit the pair; here the verdict that was asked for, if its reason is given.
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dialog.close();
      this.send({ verdict: this.verdict, reason: this.reason.value.trim() });
    });
    requireElement("unread-submit").addEventListener("click", () => {
      this.unread.close();
      this.send({ verdict: "submitted", reason: "" });
    });
    this.unread.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      // The keys that opened the dialog, still held down, are no confirmation.
      if (!event.repeat) requireElement("unread-submit").click();
    });
    requireElement("unread-go").addEventListener("click", () => {
      this.unread.close();
      this.goToUnread();
    });
  }

  /** Reasons that were typed but not sent, by verdict. @returns {Record<string, string>} */
  reasons() {
    return this.store.journal?.read("reasons") ?? {};
  }

  /** Submit, unless an answer is missing; unread paragraphs must be confirmed. */
  submit() {
    if (this.store.readOnly || this.goToUnanswered()) return;
    const unread = this.store.scheme.labels.length ? this.reading.unread() : [];
    if (!unread.length) return this.send({ verdict: "submitted", reason: "" });
    requireElement("unread-words").textContent = format(
      ngettext(
        "One paragraph is neither read nor marked:",
        "{n} paragraphs are neither read nor marked:",
        unread.length,
      ),
      { n: unread.length },
    );
    requireElement("unread-list").replaceChildren(...unread.slice(0, 12).map((row) => this.unreadItem(row)));
    const more = unread.length - 12;
    if (more > 0)
      requireElement("unread-list").append(
        make("li", { class: "quiet", text: format(ngettext("and {n} more", "and {n} more", more), { n: more }) }),
      );
    this.unread.showModal();
  }

  /** Say how many questions are unanswered, and go to the first. @returns {boolean} Whether any is. */
  goToUnanswered() {
    const open = this.questions.unanswered();
    if (!open.length) return false;
    this.showUnanswered(open.length);
    this.questions.current = this.questions.displayed.indexOf(open[0]);
    this.questions.draw();
    this.questions.focus();
    return true;
  }

  /** @param {number} n How many questions are unanswered. */
  showUnanswered(n) {
    const text = ngettext("{n} question is unanswered.", "{n} questions are unanswered.", n);
    this.missing = n ? format(text, { n }) : "";
    const detail = requireElement("state-detail");
    if (detail.textContent !== this.missing) detail.textContent = this.missing;
  }

  /**
   * Update the message about unanswered questions after an answer was given or removed, unless another message has
   * replaced it.
   */
  updateUnanswered() {
    if (this.missing && requireElement("state-detail").textContent === this.missing)
      this.showUnanswered(this.questions.unanswered().length);
  }

  /** @param {number} row */
  unreadItem(row) {
    const [side, index] = paragraphsOf(this.store, row)[0];
    const { grids } = this.store;
    const letters = [...grids[side].slice(...grids[side].paragraphs[index]).trim()];
    const button = make("button", {
      type: "button",
      class: "plain",
      lang: grids[side].language,
      dir: grids[side].direction,
      text: letters.length > 90 ? `${letters.slice(0, 88).join("")}…` : letters.join(""),
    });
    button.addEventListener("click", () => {
      this.unread.close();
      this.reading.goToRow(row);
    });
    return make("li", {}, [button]);
  }

  goToUnread() {
    const [row] = this.reading.unread();
    if (row !== undefined) this.reading.goToRow(row);
  }

  /** @param {Exclude<import("../model/types.js").Verdict, "submitted">} verdict */
  open(verdict) {
    if (this.store.readOnly || !this.store.assignment.limits.verdicts.includes(verdict)) return;
    this.verdict = verdict;
    const { title, text, send } = verdict === "rejected" ? wording.rejecting : DIALOGS[verdict];
    requireElement("verdict-title").textContent = title;
    requireElement("verdict-words").textContent = text;
    requireElement("verdict-send").textContent = send;
    const { skips_used: used, skips_left: left } = this.store.assignment.limits;
    requireElement("verdict-limit").textContent =
      verdict === "skipped" && left !== null ? skipLimitText(used, left) : "";
    this.reason.value = this.reasons()[verdict] ?? this.store.assignment.annotation.reason ?? "";
    this.reason.required = verdict === "flagged";
    this.dialog.showModal();
    this.reason.focus();
  }
}

/** How many pairs may still be skipped. @param {number} used @param {number} n */
function skipLimitText(used, n) {
  const text = ngettext(
    "Skipped so far: {used}. You can skip {n} more.",
    "Skipped so far: {used}. You can skip {n} more.",
    n,
  );
  return format(text, { used, n });
}
