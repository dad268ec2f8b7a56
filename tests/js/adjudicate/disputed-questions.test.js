/** Questions in manual adjudication: who gave which answer, and whether it is decided. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../page.js";
import { built, QUESTIONS, RATING } from "../built.js";
import { DisputedQuestions } from "../../../static/js/adjudicate/disputed-questions.js";
import { Questions } from "../../../static/js/workspace/input/questions.js";
import { Verdicts } from "../../../static/js/workspace/input/verdicts.js";

const several = ["dates", "names"].map((key) => ({
  key: `what.${key}`,
  text: key,
  of: "What differs?",
  type: "several",
  choices: [
    { key: "yes", name: "Yes", hotkey: "", value: 1 },
    { key: "no", name: "No", hotkey: "", value: 0 },
  ],
}));
const open = { key: "why", text: "Why?", type: "text", choices: [] };
const scheme = { ...RATING, questions: [...QUESTIONS, ...several, open] };
const question = (key, state, versions, proposed = "", why = "") => ({
  key,
  state,
  why,
  proposed,
  versions: Object.entries(versions).map(([answer, people]) => ({ answer, people })),
});
const adjudication = {
  rule: "Majority",
  questions: [
    question("form", "disputed", { yes: ["A"], no: ["B"] }, "yes", "two answers are tied"),
    question("meaning", "ruled", { yes: ["A", "B"], no: ["C"] }, "yes"),
    question("what.dates", "agreed", { yes: ["A", "B", "C"] }, "yes"),
    question("what.names", "disputed", { yes: ["A"], no: ["B"] }),
  ],
};

function page() {
  const { store, say } = built({ more: { project: { slug: "p", name: "P", scheme } } });
  const questions = new Questions(store, say);
  new DisputedQuestions(store, adjudication, at("questions"));
  return { store, questions };
}
const group = (n) => at("questions").querySelector(`[data-question="${n}"]`);
const state = (n) => group(n).querySelector(".question-state")?.textContent;

test("each answer names those who gave it, and the rule", () => {
  page();
  assert.deepEqual(
    [0, 1, 2].map((n) =>
      [...group(n).querySelectorAll("label")].map((label) => label.querySelector(".who")?.textContent ?? ""),
    ),
    [
      ["A, the rule", "B"],
      ["A, B, the rule", "C"],
      ["A, B, C, the rule", "A", ""],
    ],
  );
  assert.equal(group(3).querySelector(".who, .question-state"), null, "nobody decides on own words");
});

test("answers that aren't buttons are named too", () => {
  const { store } = page();
  const panel = at("questions");
  panel.replaceChildren();
  panel.insertAdjacentHTML(
    "beforeend",
    '<fieldset data-question="0"><i data-answer-to="form" data-answer="no"></i></fieldset>',
  );
  new DisputedQuestions(store, adjudication, panel);
  assert.equal(panel.querySelector("i .who")?.textContent, "B");
});

test("a question says why it is undecided, until it is answered", () => {
  const { store, questions } = page();
  assert.deepEqual([0, 1, 2].map(state), [
    "Undecided: two answers are tied",
    "Decided by the rule “Majority”",
    "Undecided",
  ]);
  questions.setAnswers({ form: "no" });
  assert.equal(state(0), "Decided");
  questions.setAnswers({ "what.dates": "yes", "what.names": "no" });
  assert.equal(state(2), "Decided");
  store.undo();
  assert.equal(state(2), "Undecided");
});

test("submitting goes to the first unanswered question", () => {
  const { store, questions } = page();
  const sent = [];
  const verdicts = new Verdicts(
    store,
    { unread: () => [] },
    questions,
    (verdict) => sent.push(verdict),
    async () => {},
  );
  questions.setAnswers({ form: "no", "what.dates": "yes", "what.names": "no" });
  assert.ok(verdicts.goToUnanswered());
  assert.equal(at("state-detail").textContent, "1 question is unanswered.");
  assert.ok(group(1).contains(document.activeElement) && group(1).classList.contains("current"));
  verdicts.submit();
  assert.deepEqual(sent, []);
  questions.setAnswers({ meaning: "yes" });
  assert.ok(!verdicts.goToUnanswered());
  verdicts.submit();
  assert.equal(sent.length, 1);
});
