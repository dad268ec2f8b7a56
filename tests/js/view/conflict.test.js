/** Two versions of an annotation: what differs is shown, and one of them, or both, is chosen. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest, send, words } from "../page.js";
import { built, QUESTIONS } from "../built.js";
import { annotation, GRADED } from "../helpers.js";
import { docOf } from "../../../static/js/workspace/model/patches.js";
import { chooseVersion } from "../../../static/js/workspace/view/conflict.js";

test("an answer is shown with its question, a comment with its title", async () => {
  const questions = QUESTIONS.map((one) => ({
    ...one,
    text: `Same ${one.key}`,
    choices: one.choices.map((choice) => ({ ...choice, name: choice.name.toUpperCase() })),
  }));
  const { store } = built({ scheme: { ...GRADED, questions } });
  store.commit([
    { kind: "comment", id: "", before: "", after: "mine" },
    { kind: "answer", id: "form", before: "", after: "no" },
  ]);
  const theirs = { ...annotation([], 2), comment: "theirs", answers: { form: "yes", meaning: "no", gone: "kept" } };
  const answer = chooseVersion(store, docOf(annotation()), theirs);
  await rest();
  const rows = [...at("conflict-list").querySelectorAll("tr")].map((row) => [...row.children].map(words));
  assert.deepEqual(rows, [
    ["Same form: NO", "Same form: YES"],
    ["–", "Same meaning: NO"],
    ["–", "gone: kept"],
    ["Comment for the lead: mine", "Comment for the lead: theirs"],
  ]);
  at("conflict-take").click();
  await answer;
});

test("opposite decisions on one region are two versions, whoever left it unmarked; together they are the span", async () => {
  const span = { id: "s1", label: "1", origin: "accepted", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] };
  const regions = [
    {
      key: "k1",
      state: "disputed",
      why: "",
      proposed: [],
      versions: [
        { people: ["A"], spans: [span] },
        { people: ["B"], spans: [] },
      ],
    },
  ];
  const unmark = { kind: "unmarked", id: "k1", before: false, after: true };
  const mark = { kind: "span", id: "s1", before: null, after: span };
  const left = { ...annotation([], 2), unmarked: ["k1"] };
  for (const { here, there, rows } of [
    {
      here: mark,
      there: left,
      rows: [
        ["1 The", "–"],
        ["–", "Left unmarked: The"],
      ],
    },
    {
      here: unmark,
      there: annotation([span], 2),
      rows: [
        ["–", "1 The"],
        ["Left unmarked: The", "–"],
      ],
    },
  ]) {
    const { store } = built({ more: { adjudication: { regions } } });
    store.commit([here]);
    const answer = chooseVersion(store, docOf(annotation()), there);
    await rest();
    assert.deepEqual(
      [...at("conflict-list").querySelectorAll("tr")].map((row) => [...row.children].map(words)),
      rows,
    );
    at("conflict-both").click();
    const { doc } = await answer;
    assert.deepEqual([[...doc.spans.keys()], [...doc.unmarked]], [["s1"], []]);
  }
});

test("two versions are shown span by span, and the chosen one is returned", async () => {
  const { store, add, span } = built();
  const base = docOf(annotation());
  add(span("mine", "1", [0], [0], { comment: "so" }));
  const theirs = {
    ...annotation([span("theirs", "2", [5], [])], 2),
    comment: "theirs",
    answers: { form: "yes" },
    saved: "2026-01-01T10:00:00Z",
  };
  const choices = [];
  for (const id of ["conflict-both", "conflict-keep", "conflict-take"]) {
    const answer = chooseVersion(store, base, theirs);
    await rest();
    assert.ok(at("conflict").open);
    assert.equal(send(at("conflict"), "cancel").defaultPrevented, true, "Escape leaves it open");
    if (id === "conflict-both") {
      assert.deepEqual([...at("conflict-list").querySelectorAll("tr")].map(words), [
        "1 The – Die (“so”)–",
        "–2 arrives",
        "–form: yes",
        "–Comment for the lead: theirs",
      ]);
      assert.deepEqual(
        ["words", "mine", "theirs"].map((name) => at(`conflict-${name}`).textContent),
        [
          "While you worked here, this pair was saved from another tab or another machine at 10:00. This is where the versions differ:",
          "1 span",
          "1 span",
        ],
      );
    }
    at(id).click();
    const { choice, doc, dropped } = await answer;
    choices.push([choice, [...doc.spans.keys()].sort(), dropped]);
    assert.ok(!at("conflict").open);
  }
  assert.deepEqual(choices, [
    ["both", ["mine", "theirs"], 0],
    ["mine", ["mine"], 0],
    ["theirs", ["theirs"], 0],
  ]);
});

test("a second question waits until the first is answered", async () => {
  const { store, span } = built();
  const theirs = (label) => annotation([span(label, label, [5], [])], 2);
  const first = chooseVersion(store, docOf(annotation()), theirs("1"));
  const second = chooseVersion(store, docOf(annotation()), theirs("2"));
  const asked = () => words(at("conflict-list"));
  await rest();
  assert.ok(asked().includes("1 arrives"));
  at("conflict-take").click();
  assert.deepEqual([...(await first).doc.spans.keys()], ["1"]);
  await rest();
  assert.ok(at("conflict").open && asked().includes("2 arrives"));
  at("conflict-keep").click();
  assert.equal((await second).choice, "mine");
});

test("nothing is asked if one's own version contains all of the other", async () => {
  const { store } = built();
  store.commit([{ kind: "comment", id: "", before: "", after: "see line 3, and line 4" }]);
  const other = { ...annotation(), comment: "see line 3" };
  const { choice, doc } = await chooseVersion(store, docOf(annotation()), other);
  assert.deepEqual([choice, doc.comment, at("conflict").open], ["both", "see line 3, and line 4", false]);
});
