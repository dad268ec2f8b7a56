/** Beside each answer who gave it, and at each question whether it is decided. */

import { make } from "../workspace/view/dom.js";
import { format, gettext } from "../gettext.js";
import { groupQuestions, isAnswered } from "../workspace/model/displayed-questions.js";
import { joinNames } from "./people.js";

/** @typedef {import("../api-types.js").DisputedQuestion} Disputed */

export class DisputedQuestions {
  /**
   * @param {import("../workspace/model/store.js").Store} store
   * @param {import("./types.js").Adjudication} adjudication
   * @param {HTMLElement} panel The questions of the workspace.
   */
  constructor(store, adjudication, panel) {
    this.store = store;
    this.adjudication = adjudication;
    this.panel = panel;
    this.displayed = groupQuestions(store.scheme.questions);
    this.displayed.forEach(({ questions }, n) => {
      // One that is answered in the annotator's own words isn't adjudicated.
      if (!questions[0].choices.length) return;
      const group = panel.querySelector(`[data-question="${n}"]`);
      group?.append(make("p", { class: "question-state quiet", "data-state": n }));
      for (const question of this.disputed(questions))
        for (const answer of group?.querySelectorAll("[data-answer]") ?? [])
          if (answer instanceof HTMLElement && answer.dataset.answerTo === question.key)
            this.showAnnotators(answer, question);
    });
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.draw());
    this.draw();
  }

  /** @param {{key: string}[]} questions @returns {Disputed[]} */
  disputed(questions) {
    return this.adjudication.questions.filter(({ key }) => questions.some((question) => question.key === key));
  }

  /**
   * Name those who gave an answer beside it.
   * @param {HTMLElement} element @param {Disputed} question
   */
  showAnnotators(element, question) {
    const { answer } = element.dataset;
    const people = question.versions.find((variant) => variant.answer === answer)?.people ?? [];
    const ruled = question.proposed === answer ? [gettext("the rule")] : [];
    const who = [joinNames(people), ...ruled].filter(Boolean).join(", ");
    if (who) element.append(make("small", { class: "quiet who", text: who }));
  }

  draw() {
    this.displayed.forEach((displayed, n) => {
      const state = this.panel.querySelector(`[data-state="${n}"]`);
      if (state) state.textContent = this.stateText(displayed);
    });
  }

  /** @param {import("../workspace/model/displayed-questions.js").DisplayedQuestion} displayed */
  stateText(displayed) {
    const questions = this.disputed(displayed.questions);
    const disputed = questions.find(({ state }) => state === "disputed");
    if (disputed && isAnswered(displayed, this.store.doc.answers)) return gettext("Decided");
    if (disputed)
      return disputed.why ? format(gettext("Undecided: {why}"), { why: disputed.why }) : gettext("Undecided");
    if (questions.every(({ state }) => state === "agreed")) return gettext("All agree: accepted");
    return format(gettext("Decided by the rule “{rule}”"), { rule: this.adjudication.rule });
  }
}
