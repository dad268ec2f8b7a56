/** The questions of a scheme, answered one by one by key or click, or in the annotator's own words. */

import { make, requireElement } from "../view/dom.js";
import { format, gettext } from "../../gettext.js";
import {
  ANSWER_NO,
  ANSWER_YES,
  answerKeys,
  answerText,
  groupQuestions,
  isAnswered,
  toggleAnswer,
} from "../model/displayed-questions.js";

export class Questions {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {(words: string) => void} say
   */
  constructor(store, say) {
    this.store = store;
    this.say = say;
    this.panel = requireElement("questions");
    this.displayed = groupQuestions(store.scheme.questions);
    this.current = 0;
    this.panel.hidden = this.displayed.length === 0;
    if (!this.displayed.length) return;
    this.panel.append(...this.displayed.map((displayed, n) => this.group(displayed, n)));
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.draw());
    this.current = Math.max(
      0,
      this.displayed.findIndex((displayed) => !isAnswered(displayed, store.doc.answers)),
    );
    this.draw();
  }

  /**
   * The element of each answer has its question's key as `data-answer-to` and its own as `data-answer`: adjudication
   * writes beside it who gave it.
   * @param {import("../model/displayed-questions.js").DisplayedQuestion} displayed
   * @param {number} n
   */
  group(displayed, n) {
    const fields =
      displayed.kind === "several"
        ? this.checkboxes(displayed)
        : displayed.kind === "text"
          ? [this.textArea(displayed)]
          : this.radios(displayed);
    const group = make("fieldset", { "data-question": n, "data-type": displayed.questions[0].type ?? "choices" }, [
      make("legend", { text: displayed.text }),
      make("div", { class: "choices" }, fields),
    ]);
    group.addEventListener("focusin", () => {
      this.current = n;
      this.draw();
    });
    return group;
  }

  /** @param {import("../model/displayed-questions.js").DisplayedQuestion} displayed */
  radios(displayed) {
    const [question] = displayed.questions;
    const keys = answerKeys(displayed);
    return question.choices.map(({ key, name, hotkey }, n) => {
      const input = make("input", { type: "radio", name: `question-${question.key}`, value: key });
      input.addEventListener("change", () => this.setAnswers({ [question.key]: key }));
      return make("label", { class: "choice", "data-answer-to": question.key, "data-answer": key }, [
        input,
        this.key(keys[n], hotkey),
        make("span", { text: name }),
      ]);
    });
  }

  /** @param {import("../model/displayed-questions.js").DisplayedQuestion} displayed */
  checkboxes(displayed) {
    const keys = answerKeys(displayed);
    const boxes = displayed.questions.map(({ key, text, choices }, n) => {
      const input = make("input", { type: "checkbox", name: `question-${key}`, value: key });
      input.addEventListener("change", () => this.setAnswers(toggleAnswer(displayed, this.store.doc.answers, key)));
      return make("label", { class: "choice", "data-answer-to": key, "data-answer": ANSWER_YES }, [
        input,
        this.key(keys[n], choices[0].hotkey),
        make("span", { text }),
      ]);
    });
    const none = make("input", { type: "checkbox", name: "none", value: "" });
    none.addEventListener("change", () => this.setAnswers(toggleAnswer(displayed, this.store.doc.answers, "")));
    return [
      ...boxes,
      make("label", { class: "choice" }, [
        none,
        this.key(keys[keys.length - 1], ""),
        make("span", { text: gettext("None of these") }),
      ]),
    ];
  }

  /** A digit that is a label's elsewhere is shown only while it answers the question. @param {string} key @param {string} hotkey */
  key(key, hotkey) {
    return make("kbd", { class: !hotkey && this.store.scheme.labels.length ? "inside" : "", text: key });
  }

  /** @param {import("../model/displayed-questions.js").DisplayedQuestion} displayed */
  textArea(displayed) {
    const [{ key, text }] = displayed.questions;
    const area = make("textarea", { name: `question-${key}`, rows: 2, maxlength: 10000, "aria-label": text });
    area.addEventListener("input", () => {
      const before = this.store.doc.answers[key] ?? "";
      // As with the comment, what is typed in one go is one step to undo.
      if (area.value !== before)
        this.store.commit([{ kind: "answer", id: key, before, after: area.value }], { group: `answer-${key}` });
    });
    return area;
  }

  /**
   * A key answers the current question: always if there is nothing to mark, otherwise while the focus is in the
   * questions.
   * @param {string[]} signs
   * @param {Element} target
   */
  answer(signs, target) {
    const { scheme, doc } = this.store;
    const inside = this.panel.contains(target);
    if (!this.displayed.length || (scheme.labels.length && !inside)) return false;
    const displayed = this.displayed[this.current];
    const n = displayed.kind === "text" ? -1 : answerKeys(displayed).findIndex((key) => key && signs.includes(key));
    // While a question has the focus, the key of a label must not relabel a span that is still picked.
    if (n < 0) return inside && scheme.labels.some(({ hotkey }) => hotkey && signs.includes(hotkey));
    const [question] = displayed.questions;
    if (displayed.kind === "several")
      this.setAnswers(toggleAnswer(displayed, doc.answers, displayed.questions[n]?.key ?? ""));
    else {
      this.setAnswers({ [question.key]: question.choices[n].key });
      this.goToNextUnanswered(target);
    }
    return true;
  }

  /** To the next unanswered question, if there is one. @param {Element} target */
  goToNextUnanswered(target) {
    const next = this.displayed.findIndex((displayed) => !isAnswered(displayed, this.store.doc.answers));
    if (next >= 0) this.current = next;
    this.draw();
    if (next >= 0 && this.panel.contains(target)) this.focus();
  }

  /** @param {Record<string, string>} answers By question; '' for none. */
  setAnswers(answers) {
    const current = this.store.doc.answers;
    const changes = Object.entries(answers)
      .map(([id, after]) => ({ kind: /** @type {const} */ ("answer"), id, before: current[id] ?? "", after }))
      .filter(({ before, after }) => before !== after);
    if (changes.length && !this.store.commit(changes)) return;
    const displayed = this.displayed.find(({ questions }) => questions.some(({ key }) => key in answers));
    if (displayed)
      this.say(format(gettext("Answer: {answer}"), { answer: answerText(displayed, this.store.doc.answers) }));
  }

  next() {
    const inside = this.panel.contains(document.activeElement);
    if (inside) this.current = (this.current + 1) % this.displayed.length;
    this.draw();
    this.focus();
  }

  focus() {
    const group = this.panel.querySelector(`[data-question="${this.current}"]`);
    const input = group?.querySelector("input:checked") ?? group?.querySelector("input, textarea");
    if (input instanceof HTMLElement) input.focus();
  }

  /** The unanswered questions. */
  unanswered() {
    return this.displayed.filter((displayed) => !isAnswered(displayed, this.store.doc.answers));
  }

  draw() {
    const { answers } = this.store.doc;
    this.displayed.forEach(({ kind, questions }, n) => {
      const group = this.panel.querySelector(`[data-question="${n}"]`);
      group?.classList.toggle("current", n === this.current);
      const [{ key }] = questions;
      for (const input of group?.querySelectorAll("input") ?? []) {
        if (kind === "one") input.checked = input.value === answers[key];
        else if (input.value) input.checked = answers[input.value] === ANSWER_YES;
        else input.checked = questions.every((each) => answers[each.key] === ANSWER_NO);
        input.disabled = this.store.readOnly;
      }
      for (const area of group?.querySelectorAll("textarea") ?? []) {
        if (area.value !== (answers[key] ?? "")) area.value = answers[key] ?? "";
        area.readOnly = this.store.readOnly;
      }
    });
  }
}
