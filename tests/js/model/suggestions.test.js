import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../../../static/js/workspace/model/marking.js";
import { isOpen, level } from "../../../static/js/workspace/model/suggestions.js";
import { Work } from "../../../static/js/workspace/model/work.js";
import { assignment, NEW } from "../helpers.js";

const highlights = (parts = {}) => ({ run: "r", method: "default.v1", scores_a: [0.1, 0.9, 0.8, 0, 0, 0.6, 0, 0, 0], scores_b: [0, 0.55, 0, 0, 0, 0, 0, 0, 0], edges: [], proposals: [], dismissed: [], ...parts });

test("strength goes by the score; no score is no strength", () => {
  assert.deepEqual([0.2, 0.5, 0.7, 0.9, null, undefined].map(level), [0, 1, 2, 3, 0, 0]);
});

test("without proposals, runs of underlined words are the suggestions, in text order", () => {
  const work = new Work(assignment({ highlights: highlights() }));
  assert.deepEqual(work.suggestions.map(({ tokens }) => `${tokens.a}|${tokens.b}`), ["1,2|", "|1", "5|"]);
  assert.ok(Math.abs(work.suggestions[0].strength - 0.85) < 1e-9);
});

test("a method's own proposals come first, and only on sides that may be marked", () => {
  const proposals = [
    { id: "p2", fragments: [{ side: "b", start: 0, end: 3 }] },
    { fragments: [{ side: "a", start: 0, end: 3 }] },
  ];
  assert.deepEqual(new Work(assignment({ highlights: highlights({ proposals }) })).suggestions.map(({ key }) => key), ["a:0-3/1/3", "p2"]);
  assert.deepEqual(new Work(assignment({ scheme: NEW, highlights: highlights({ proposals }) })).suggestions.map(({ key }) => key), ["p2"]);
});

test("a suggestion is dealt with when it is put aside, or half of it is marked", () => {
  const work = new Work(assignment({ highlights: highlights() }));
  const [first, second] = work.suggestions;
  assert.equal(work.openSuggestions().length, 3);
  work.commit(create(work, { a: [1], b: [] }, "3", "edited"));
  assert.equal(isOpen(first, work.doc.dismissed, work.cover), false);
  work.commit([{ kind: "dismissed", id: second.key, before: false, after: true }]);
  assert.deepEqual(work.openSuggestions().map(({ key }) => key), [work.suggestions[2].key]);
  assert.ok(work.dismissedTokens.b.has(1));
  work.undo();
  assert.ok(!work.dismissedTokens.b.has(1));
});

test("no highlights, no trace of suggestions", () => {
  const work = new Work(assignment());
  assert.deepEqual(work.suggestions, []);
  assert.deepEqual(work.counterparts.get("a", 0), []);
});
