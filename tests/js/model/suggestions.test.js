import assert from "node:assert/strict";
import { test } from "node:test";
import { markTokens } from "../../../static/js/workspace/model/span-edits.js";
import { isOpen, splitByCertainty, suggestionAt } from "../../../static/js/workspace/model/suggestions.js";
import { AnnotationModel } from "../../../static/js/workspace/model/annotation-model.js";
import { assignment, NEW } from "../helpers.js";

const OWN = [
  { id: "p1", level: 3, fragments: [{ side: "a", start: 4, end: 11 }] },
  { id: "p3", level: 2, fragments: [{ side: "a", start: 22, end: 25 }] },
  { id: "p2", fragments: [{ side: "b", start: 4, end: 7 }] },
];
const highlights = (parts = {}) => ({
  run: "r",
  method: "default.v1",
  scores_a: [0.1, 0.9, 0.8, 0, 0, 0.6, 0, 0, 0],
  scores_b: [0, 0.55, 0, 0, 0, 0, 0, 0, 0],
  edges: [],
  proposals: OWN,
  dismissed: [],
  ...parts,
});

test("what the run proposes is suggested, in text order, and underlined as heavily as the run says", () => {
  const work = new AnnotationModel(assignment({ highlights: highlights() }));
  assert.deepEqual(
    work.suggestions.map(({ key }) => key),
    ["p1", "p2", "p3"],
  );
  assert.deepEqual(
    [...work.levels.a],
    work.suggestions
      .filter(({ key }) => key !== "p2")
      .flatMap(({ tokens, level }) => tokens.a.map((index) => [index, level])),
  );
  assert.deepEqual(
    work.suggestions.map(({ level }) => level),
    [3, 1, 2],
    "a run of an earlier version has one level",
  );
  assert.ok(work.levels.b.size === 1 && !work.levels.b.has(0));
});

test("if the run proposes nothing, nothing is underlined, whatever the scores are", () => {
  const work = new AnnotationModel(assignment({ highlights: highlights({ proposals: [] }) }));
  assert.deepEqual([work.suggestions, work.levels.a.size, work.levels.b.size], [[], 0, 0]);
});

test("proposals count only on sides that may be marked", () => {
  const proposals = [
    { id: "p2", fragments: [{ side: "b", start: 0, end: 3 }] },
    { fragments: [{ side: "a", start: 0, end: 3 }] },
  ];
  assert.deepEqual(
    new AnnotationModel(assignment({ highlights: highlights({ proposals }) })).suggestions.map(({ key }) => key),
    ["a:0-3/1/3", "p2"],
  );
  assert.deepEqual(
    new AnnotationModel(assignment({ scheme: NEW, highlights: highlights({ proposals }) })).suggestions.map(
      ({ key }) => key,
    ),
    ["p2"],
  );
});

test("a suggestion is no longer open if it is dismissed, or half of it is marked", () => {
  const work = new AnnotationModel(assignment({ highlights: highlights() }));
  const [first, second] = work.suggestions;
  assert.equal(work.openSuggestions().length, 3);
  work.commit(markTokens(work, { a: [1], b: [] }, "3", "edited"));
  assert.equal(isOpen(first, work.doc.dismissed, work.cover), false);
  work.commit([{ kind: "dismissed", id: second.key, before: false, after: true }]);
  assert.equal(isOpen(second, work.doc.dismissed, work.cover), false);
  assert.deepEqual(
    work.openSuggestions().map(({ key }) => key),
    [work.suggestions[2].key],
  );
  assert.ok(work.dismissedTokens.b.has(1));
  work.undo();
  assert.ok(!work.dismissedTokens.b.has(1));
});

test("no highlights, no trace of suggestions", () => {
  const work = new AnnotationModel(assignment());
  assert.deepEqual(work.suggestions, []);
  assert.deepEqual(work.counterparts.get("a", 0), []);
});

test("a suggestion keeps the reason that its run gives", () => {
  const reason = { kind: "number", a: "5", b: "6" };
  const proposals = [{ ...OWN[0], reason }, OWN[1]];
  const { suggestions } = new AnnotationModel(assignment({ highlights: highlights({ proposals }) }));
  assert.deepEqual(
    suggestions.map((one) => one.reason),
    [reason, null],
  );
});

test("a suggestion keeps the label that its run predicts, and none that is merely the nearest", () => {
  const proposals = [
    { ...OWN[0], label: "3", predicted: "3" },
    { ...OWN[1], label: "4" },
  ];
  const { suggestions } = new AnnotationModel(assignment({ highlights: highlights({ proposals }) }));
  assert.deepEqual(
    suggestions.map((one) => one.predicted),
    ["3", ""],
  );
});

test("the surest come first, all of them where none is sure", () => {
  const { suggestions } = new AnnotationModel(assignment({ highlights: highlights() }));
  const keys = (lists) => lists.map((list) => list.map(({ key }) => key));
  assert.deepEqual(keys(splitByCertainty(suggestions)), [["p1"], ["p2", "p3"]]);
  assert.deepEqual(keys(splitByCertainty(suggestions.slice(1))), [["p2", "p3"], []]);
});

test("a word belongs to the surest of the suggestions that hold it", () => {
  const proposals = [{ id: "wide", level: 1, fragments: [{ side: "a", start: 0, end: 25 }] }, ...OWN];
  const { suggestions } = new AnnotationModel(assignment({ highlights: highlights({ proposals }) }));
  const [at] = suggestions.find(({ key }) => key === "p1").tokens.a;
  assert.equal(suggestionAt(suggestions, "a", at).key, "p1");
  assert.equal(suggestionAt(suggestions, "a", 0).key, "wide");
  assert.equal(suggestionAt(suggestions, "b", 5), null);
});
