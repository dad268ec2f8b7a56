/** Finishing a pair: submit, reject, flag or skip. Asks only what is necessary. */

import { make, need, needDialog } from "../view/dom.js";
import { t, tn } from "../view/messages.js";
import { paragraphsOf } from "../model/ticks.js";

export class Verdicts {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/reading.js").Reading} reading
   * @param {import("./questions.js").Questions} questions
   * @param {(verdict: {verdict: string, reason: string}) => void} send
   * @param {() => Promise<void>} reopen
   */
  constructor(store, reading, questions, send, reopen) {
    this.store = store;
    this.reading = reading;
    this.questions = questions;
    this.send = send;
    this.reopen = () => void reopen();
    this.verdict = "submitted";
    this.dialog = needDialog("verdict");
    this.reason = /** @type {HTMLTextAreaElement} */ (need("verdict-reason"));
    this.unread = needDialog("unread");
    // A reason is kept while it is typed, until its verdict has been accepted.
    this.reason.addEventListener("input", () => store.journal?.put("reasons", { ...this.reasons(), [this.verdict]: this.reason.value }));
    need("verdict-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.dialog.close();
      this.send({ verdict: this.verdict, reason: this.reason.value.trim() });
    });
    need("unread-submit").addEventListener("click", () => {
      this.unread.close();
      this.send({ verdict: "submitted", reason: "" });
    });
    need("unread-go").addEventListener("click", () => {
      this.unread.close();
      this.leave();
    });
  }

  /** Reasons that were typed but not sent, by verdict. @returns {Record<string, string>} */
  reasons() {
    return this.store.journal?.read("reasons") ?? {};
  }

  /** Submit, unless an answer is missing; unread paragraphs must be confirmed. */
  submit() {
    if (this.store.readOnly) return;
    const open = this.questions.open();
    if (open.length) {
      need("state-detail").textContent = tn("unanswered", open.length);
      return this.questions.next();
    }
    const unread = this.store.scheme.labels.length ? this.reading.unread() : [];
    if (!unread.length) return this.send({ verdict: "submitted", reason: "" });
    need("unread-words").textContent = tn("submit.unread", unread.length);
    need("unread-list").replaceChildren(...unread.slice(0, 12).map((row) => this.line(row)));
    if (unread.length > 12) need("unread-list").append(make("li", { class: "quiet", text: tn("submit.more", unread.length - 12) }));
    this.unread.showModal();
  }

  /** @param {number} row */
  line(row) {
    const [side, index] = paragraphsOf(this.store, row)[0];
    const { grids } = this.store;
    const words = grids[side].slice(...grids[side].paragraphs[index]).trim();
    const button = make("button", { type: "button", class: "plain", lang: grids[side].language, dir: grids[side].direction, text: words.length > 90 ? `${words.slice(0, 88)}…` : words });
    button.addEventListener("click", () => {
      this.unread.close();
      this.reading.go(row);
    });
    return make("li", {}, [button]);
  }

  leave() {
    const [row] = this.reading.unread();
    if (row !== undefined) this.reading.go(row);
  }

  /** @param {"rejected" | "flagged" | "skipped"} verdict */
  open(verdict) {
    if (this.store.readOnly || !this.store.assignment.limits.verdicts.includes(verdict)) return;
    this.verdict = verdict;
    need("verdict-title").textContent = t(`verdict.${verdict}.title`);
    need("verdict-words").textContent = t(`verdict.${verdict}.words`);
    need("verdict-send").textContent = t(`verdict.${verdict}.send`);
    const { skips_used: used, skips_left: left } = this.store.assignment.limits;
    need("verdict-limit").textContent = verdict === "skipped" && left !== null ? tn("verdict.limit", left, { used }) : "";
    this.reason.value = this.reasons()[verdict] ?? this.store.assignment.annotation.reason ?? "";
    this.reason.required = verdict === "flagged";
    this.dialog.showModal();
    this.reason.focus();
  }
}
