/** The document and its two texts: every change is applied, recorded, put on the undo stack and announced. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AnnotationModel } from "../../../static/js/workspace/model/annotation-model.js";
import { annotation, assignment, GRADED, NEW } from "../helpers.js";

/** Suggestions: words 1 and 2 of A with word 1 of B, and word 7 of A; that on words 4 and 5 of A was made by an earlier run. */
const HIGHLIGHTS = {
  run: "r",
  method: "m",
  scores_a: null,
  scores_b: null,
  edges: [
    [0, 0],
    [1, 2],
  ],
  dismissed: [],
  proposals: [
    { id: "late", level: 3, fragments: [{ side: "a", start: 36, end: 39 }] },
    {
      id: "link",
      level: 2,
      fragments: [
        { side: "a", start: 4, end: 11 },
        { side: "b", start: 4, end: 9 },
      ],
    },
    { id: "old", fragments: [{ side: "a", start: 18, end: 28 }] },
  ],
};
const model = (parts = {}) => new AnnotationModel(assignment(parts));
const span = (id, start, end, side = "a") => ({
  id,
  label: "2",
  origin: "manual",
  comment: "",
  fragments: [{ side, start, end }],
});
const put = (id, before, after) => ({ kind: "span", id, before, after });
const dismiss = (id, after = true) => ({ kind: "dismissed", id, before: !after, after });
/** What is announced from now on, in order. */
function heard(of) {
  const found = [];
  of.on("touched", ({ a, b }) => found.push(["touched", [...a], [...b]]));
  of.on("doc", (patch) => found.push(["doc", patch.map(({ kind, id }) => `${kind} ${id}`)]));
  return found;
}

test("without highlights there are no suggestions, levels and counterparts", () => {
  const plain = model();
  assert.deepEqual(
    [
      plain.suggestions,
      plain.openSuggestions(),
      plain.dismissedSuggestions(),
      plain.suggestionsByKey.size,
      plain.levels.a.size,
    ],
    [[], [], [], 0, 0],
  );
  assert.deepEqual(plain.counterparts.get("a", 0), []);
});

test("suggestions are in text order, found by key, and each of their words has a level", () => {
  const one = model({ highlights: HIGHLIGHTS });
  assert.deepEqual(
    one.suggestions.map(({ key }) => key),
    ["link", "old", "late"],
  );
  assert.equal(one.suggestionsByKey.get("late"), one.suggestions[2]);
  assert.deepEqual(
    [[...one.levels.a], [...one.levels.b]],
    [
      [
        [1, 2],
        [2, 2],
        [4, 1],
        [5, 1],
        [7, 3],
      ],
      [[1, 2]],
    ],
  );
  assert.equal(one.suggestions, one.suggestions, "computed once");
  assert.equal(one.levels, one.levels);
  assert.deepEqual([one.counterparts.get("a", 1), one.counterparts.get("b", 0)], [[2], [0]]);
});

test("dismissed suggestions are known from the start; one that this run lacks is no obstacle", () => {
  const one = model({ highlights: HIGHLIGHTS, annotation: { dismissed: ["late", "of an earlier run"] } });
  assert.deepEqual([[...one.dismissedTokens.a], [...one.dismissedTokens.b]], [[7], []]);
  assert.deepEqual(
    [one.openSuggestions(), one.dismissedSuggestions()].map((list) => list.map(({ key }) => key)),
    [["link", "old"], ["late"]],
  );
  const events = heard(one);
  one.commit([dismiss("late", false), dismiss("of an earlier run", false), dismiss("link")]);
  assert.deepEqual([[...one.dismissedTokens.a], [...one.dismissedTokens.b]], [[1, 2], [1]]);
  assert.deepEqual(events[0], ["touched", [7, 1, 2], [1]]);
  assert.deepEqual(
    one.dismissedSuggestions().map(({ key }) => key),
    ["link"],
  );
});

test("a suggestion is open until half of its words are marked", () => {
  const one = model({ highlights: HIGHLIGHTS });
  one.commit([put("s1", null, span("s1", 4, 8))]);
  assert.deepEqual(
    one.openSuggestions().map(({ key }) => key),
    ["link", "old", "late"],
    "one of three",
  );
  one.commit([put("s2", null, span("s2", 4, 9, "b"))]);
  assert.deepEqual(
    one.openSuggestions().map(({ key }) => key),
    ["old", "late"],
    "two of three",
  );
});

test("a row is found by code points, in rows of several paragraphs, in both texts, and between words", () => {
  const one = model({
    a: "🙂 𝒶𝒷 one.\nTwo.\nThree.",
    b: "Eins.\nZwei.",
    beads: [
      [[0, 1], [0]],
      [[2], [1]],
    ],
  });
  assert.deepEqual(
    [0, 1, 5, 9, 13, 14, 19].map((start) => one.rowAt("a", start)),
    [0, 0, 0, 0, 0, 1, 1],
  );
  assert.deepEqual(
    [0, 4, 6, 10].map((start) => one.rowAt("b", start)),
    [0, 0, 1, 1],
  );
  const alone = model({ a: "One.\nTwo.", b: "Eins.", beads: [[[0], [0]]] });
  assert.deepEqual(
    [[...alone.rowOf.a], alone.rowAt("a", 6), alone.rows.length],
    [[0, 1], 1, 2],
    "a paragraph without a counterpart has a row of its own",
  );
});

test("empty texts have no words, and nothing fails", () => {
  const one = model({ a: "", b: "", beads: [] });
  assert.deepEqual([one.grids.a.count, one.rows.length, one.rowAt("a", 0), one.suggestions], [0, 1, 0, []]);
  assert.deepEqual(one.serialize().spans, { v: 1, spans: [] });
});

test("a side can be marked if the scheme says so and has labels; labels and spans that are not there are null", () => {
  assert.deepEqual([model().canMark("a"), model().canMark("b")], [true, true]);
  assert.deepEqual([model({ scheme: NEW }).canMark("a"), model({ scheme: NEW }).canMark("b")], [false, true]);
  assert.deepEqual(
    [0, 1].map((n) => model({ scheme: { ...GRADED, labels: GRADED.labels.slice(0, n) } }).canMark("a")),
    [false, true],
  );
  const one = model({ annotation: annotation([span("s1", 0, 3), { ...span("s2", 4, 8), label: "gone" }]) });
  assert.deepEqual([one.label("2").name, one.label("9"), one.span("s1").id, one.span("x")], ["L2", null, "s1", null]);
  assert.deepEqual([one.labelOf("s1").key, one.labelOf("s2"), one.labelOf("x")], ["2", null, null]);
});

test("a change touches the words before and after it, and is announced after the words are known", () => {
  const one = model();
  const events = heard(one);
  const covered = [];
  one.on("touched", () => covered.push(one.cover.at("a", 1).length));
  assert.ok(one.commit([put("s1", null, span("s1", 4, 8))]));
  one.commit([put("s1", span("s1", 4, 8), span("s1", 9, 11))]);
  one.commit([{ kind: "comment", id: "", before: "", after: "why" }]);
  assert.deepEqual(events, [
    ["touched", [1], []],
    ["doc", ["span s1"]],
    ["touched", [1, 2], []],
    ["doc", ["span s1"]],
    ["touched", [], []],
    ["doc", ["comment "]],
  ]);
  assert.deepEqual(covered, [1, 0, 0]);
});

test("steps are undone and redone; a silent change is recorded, but is no step; an empty one is none at all", () => {
  const one = model();
  const kept = [];
  one.journal = { append: (patch) => kept.push(patch) };
  const [first, tick] = [
    [put("s1", null, span("s1", 4, 8))],
    [{ kind: "read", id: "a:1", before: false, after: true }],
  ];
  assert.ok(one.commit(first) && one.commit(tick, { silent: true }));
  assert.equal(one.commit([]), false);
  assert.deepEqual([kept, one.history.patches], [[first, tick], [first]]);
  assert.deepEqual(one.undo(), [put("s1", span("s1", 4, 8), null)]);
  assert.deepEqual(
    [one.doc.spans.size, one.cover.of("s1"), one.doc.read.a.has(1), one.undo()],
    [0, { a: [], b: [] }, true, null],
  );
  assert.deepEqual(one.redo(), first);
  assert.deepEqual([one.doc.spans.size, one.redo(), kept.length], [1, null, 4], "undoing and redoing are recorded too");
});

test("close changes of one group are one step", () => {
  const one = model();
  const typed = (before, after, group) => one.commit([{ kind: "comment", id: "", before, after }], { group });
  typed("", "w", "comment");
  typed("w", "wh", "comment");
  typed("wh", "x", "");
  one.undo();
  assert.equal(one.doc.comment, "wh");
  one.undo();
  assert.equal(one.doc.comment, "");
});

test("a read-only pair refuses changes, and undoes nothing; what comes from the journal is applied, not recorded again", () => {
  const one = model();
  const kept = [];
  one.commit([put("s1", null, span("s1", 4, 8))]);
  one.commit([put("s2", null, span("s2", 9, 11))]);
  one.undo();
  one.journal = { append: (patch) => kept.push(patch) };
  one.readOnly = true;
  assert.deepEqual(
    [one.commit([put("s3", null, span("s3", 0, 3))]), one.undo(), one.redo(), one.doc.spans.size],
    [false, null, null, 1],
  );
  one.applyPatch([put("s3", null, span("s3", 0, 3))], false);
  assert.deepEqual([one.doc.spans.size, kept, one.history.canUndo], [2, [], true]);
  one.applyPatch([put("s3", span("s3", 0, 3), null)], true);
  assert.equal(kept.length, 1);
});

test("what is sent has the spans in the order of the rows", () => {
  const one = model({ annotation: annotation([span("s1", 18, 20), span("s2", 0, 3, "b"), span("s3", 4, 8)]) });
  assert.deepEqual(
    one.serialize().spans.spans.map(({ id }) => id),
    ["s3", "s2", "s1"],
  );
});

test("in adjudication a region has everything marked in it and what a rule proposes", () => {
  const region = {
    key: "k1",
    state: "disputed",
    why: "",
    versions: [
      { people: ["A"], spans: [span("x", 0, 3)] },
      { people: ["B"], spans: [] },
    ],
    proposed: [span("y", 4, 8)],
  };
  const one = new AnnotationModel({ ...assignment(), adjudication: { regions: [region] } });
  assert.deepEqual(
    one.regions.map(({ key, spans }) => [key, spans.map(({ id }) => id)]),
    [["k1", ["x", "y"]]],
  );
  assert.deepEqual(model().regions, []);
});

test("listeners of a topic are called in the order in which they came, and no others", () => {
  const one = model();
  const called = [];
  one.on("view", (detail) => called.push(["first", detail]));
  one.on("view", (detail) => called.push(["second", detail]));
  one.on("hover", () => called.push(["other"]));
  one.emit("view", 3);
  one.emit("controls");
  assert.deepEqual(called, [
    ["first", 3],
    ["second", 3],
  ]);
});
