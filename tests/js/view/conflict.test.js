/** Two versions: differences other than spans are named. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest, words, write } from "../page.js";
import { annotation, assignment } from "../helpers.js";

write("annotation/workspace.html", assignment());
const { built, QUESTIONS } = await import("../built.js");
const { chooseVersion } = await import("../../../static/js/workspace/view/conflict.js");
const { docOf } = await import("../../../static/js/workspace/model/patches.js");
const { GRADED } = await import("../helpers.js");

test("an answer is shown with its question, a comment with its title", async () => {
  const questions = QUESTIONS.map((one) => ({ ...one, text: `Same ${one.key}`, choices: one.choices.map((choice) => ({ ...choice, name: choice.name.toUpperCase() })) }));
  const { store } = built({ scheme: { ...GRADED, questions } });
  store.commit([{ kind: "comment", id: "", before: "", after: "mine" }, { kind: "answer", id: "form", before: "", after: "no" }]);
  const theirs = { ...annotation([], 2), comment: "theirs", answers: { form: "yes", meaning: "no", gone: "kept" } };
  const answer = chooseVersion(store, docOf(annotation()), theirs);
  await rest();
  const rows = [...at("conflict-list").querySelectorAll("tr")].map((row) => [...row.children].map(words));
  assert.deepEqual(rows, [["Same form: NO", "Same form: YES"], ["–", "Same meaning: NO"], ["–", "gone: kept"], ["Comment for the lead: mine", "Comment for the lead: theirs"]]);
  at("conflict-take").click();
  await answer;
});

test("opposite decisions on one region are two versions, whoever left it unmarked; together they are the span", async () => {
  const span = { id: "s1", label: "1", origin: "accepted", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] };
  const regions = [{ key: "k1", state: "disputed", why: "", proposed: [], versions: [{ people: ["A"], spans: [span] }, { people: ["B"], spans: [] }] }];
  const unmark = { kind: "unmarked", id: "k1", before: false, after: true };
  const mark = { kind: "span", id: "s1", before: null, after: span };
  const left = { ...annotation([], 2), unmarked: ["k1"] };
  for (const { here, there, rows } of [
    { here: mark, there: left, rows: [["1 The", "–"], ["–", "Left unmarked: The"]] },
    { here: unmark, there: annotation([span], 2), rows: [["–", "1 The"], ["Left unmarked: The", "–"]] },
  ]) {
    const { store } = built({ more: { adjudication: { regions } } });
    store.commit([here]);
    const answer = chooseVersion(store, docOf(annotation()), there);
    await rest();
    assert.deepEqual([...at("conflict-list").querySelectorAll("tr")].map((row) => [...row.children].map(words)), rows);
    at("conflict-both").click();
    const { doc } = await answer;
    assert.deepEqual([[...doc.spans.keys()], [...doc.unmarked]], [["s1"], []]);
  }
});
