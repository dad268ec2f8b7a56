/** The questions of a rating scheme, answered one by one by digit or click. */

import { make, need } from "../view/dom.js";
import { format, gettext } from "../../gettext.js";

export class Questions {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {(words: string) => void} say
   */
  constructor(store, say) {
    this.store = store;
    this.say = say;
    this.panel = need("questions");
    this.questions = store.scheme.questions;
    this.current = 0;
    this.panel.hidden = this.questions.length === 0;
    if (!this.questions.length) return;
    this.panel.append(...this.questions.map((question, n) => this.group(question, n)));
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.draw());
    this.current = Math.max(0, this.questions.findIndex(({ key }) => !store.doc.answers[key]));
    this.draw();
  }

  /**
   * @param {import("../model/types.js").Question} question
   * @param {number} n
   */
  group(question, n) {
    const choices = question.choices.map((choice) => {
      const input = make("input", { type: "radio", name: `question-${question.key}`, value: choice.key });
      input.addEventListener("change", () => this.give(n, choice.key));
      return make("label", { class: "choice" }, [input, make("kbd", { text: choice.hotkey }), make("span", { text: choice.name })]);
    });
    const group = make("fieldset", { "data-question": n, "data-type": question.type ?? "choices" }, [make("legend", { text: question.text }), make("div", { class: "choices" }, choices)]);
    group.addEventListener("focusin", () => {
      this.current = n;
      this.draw();
    });
    return group;
  }

  /**
   * A key answers the current question: always if there is nothing to mark, otherwise while the focus is in the
   * questions.
   * @param {string[]} signs
   * @param {Element} target
   */
  answer(signs, target) {
    if (!this.questions.length || (this.store.scheme.labels.length && !this.panel.contains(target))) return false;
    const choice = this.questions[this.current]?.choices.find(({ hotkey }) => hotkey && signs.includes(hotkey));
    if (!choice) return false;
    this.give(this.current, choice.key);
    const next = this.questions.findIndex(({ key }) => !this.store.doc.answers[key]);
    if (next >= 0) this.current = next;
    this.draw();
    if (next >= 0 && this.panel.contains(target)) this.focus();
    return true;
  }

  /** @param {number} n @param {string} choice */
  give(n, choice) {
    const question = this.questions[n];
    const before = this.store.doc.answers[question.key] ?? "";
    if (before !== choice) this.store.commit([{ kind: "answer", id: question.key, before, after: choice }]);
    this.say(format(gettext("Answer: {answer}"), { answer: question.choices.find(({ key }) => key === choice)?.name ?? choice }));
  }

  next() {
    const inside = this.panel.contains(document.activeElement);
    if (inside) this.current = (this.current + 1) % this.questions.length;
    this.draw();
    this.focus();
  }

  focus() {
    const group = this.panel.querySelector(`[data-question="${this.current}"]`);
    const input = group?.querySelector("input:checked") ?? group?.querySelector("input");
    if (input instanceof HTMLElement) input.focus();
  }

  /** The unanswered questions. */
  open() {
    return this.questions.filter(({ key }) => !this.store.doc.answers[key]);
  }

  draw() {
    this.questions.forEach(({ key }, n) => {
      const group = this.panel.querySelector(`[data-question="${n}"]`);
      group?.classList.toggle("current", n === this.current);
      for (const input of group?.querySelectorAll("input") ?? []) {
        input.checked = input.value === this.store.doc.answers[key];
        input.disabled = this.store.readOnly;
      }
    });
  }
}
