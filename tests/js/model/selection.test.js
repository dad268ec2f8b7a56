import assert from "node:assert/strict";
import { test } from "node:test";
import * as selection from "../../../static/js/workspace/model/selection.js";
import { random } from "../helpers.js";

const { EMPTY, beginRun, extendRun, tokensOn } = selection;

test("a run grows and shrinks, forwards and backwards, and never leaves tokens behind", () => {
  let now = beginRun(EMPTY, "a", 5, 5, false);
  now = extendRun(now, 8);
  assert.deepEqual(tokensOn(now, "a"), [5, 6, 7, 8]);
  now = extendRun(now, 3);
  assert.deepEqual(tokensOn(now, "a"), [3, 4, 5]);
});

test("a new run replaces its own side and keeps the other, so that both make a link", () => {
  const a = beginRun(EMPTY, "a", 1, 2, false);
  const both = beginRun(a, "b", 4, 4, false);
  assert.deepEqual([tokensOn(both, "a"), tokensOn(both, "b")], [[1, 2], [4]]);
  const again = beginRun(both, "a", 7, 8, false);
  assert.deepEqual([tokensOn(again, "a"), tokensOn(again, "b")], [[7, 8], [4]]);
});

test("with Ctrl a run is another fragment, on either side", () => {
  let now = beginRun(EMPTY, "b", 1, 2, false);
  now = beginRun(now, "b", 5, 6, true);
  now = beginRun(now, "a", 0, 0, true);
  assert.deepEqual([tokensOn(now, "a"), tokensOn(now, "b")], [[0], [1, 2, 5, 6]]);
});

test("a token can be toggled, also in the middle of a run", () => {
  let now = beginRun(EMPTY, "a", 1, 3, false);
  now = selection.toggleToken(now, "a", 2);
  assert.deepEqual(tokensOn(now, "a"), [1, 3]);
  now = selection.toggleToken(now, "a", 2);
  assert.deepEqual(tokensOn(now, "a"), [1, 2, 3]);
});

test("a span's words make a selection whose run at the cursor can be moved at its nearer end", () => {
  const now = selection.selectionOf({ a: [1, 2, 3, 4, 9], b: [0] }, { side: "a", index: 2 });
  assert.deepEqual(tokensOn(now, "a"), [1, 2, 3, 4, 9]);
  assert.deepEqual(tokensOn(extendRun(now, 0), "a"), [0, 1, 2, 3, 4, 9]);
  const right = selection.selectionOf({ a: [1, 2, 3, 4], b: [] }, { side: "a", index: 4 });
  assert.deepEqual(tokensOn(extendRun(right, 6), "a"), [1, 2, 3, 4, 5, 6]);
});

test("the handles are at the last run", () => {
  assert.equal(selection.lastRun(EMPTY, "a"), null);
  assert.deepEqual(selection.lastRun(beginRun(EMPTY, "a", 6, 4, false), "a"), [4, 6]);
  assert.deepEqual(selection.lastRun(selection.selectionOf({ a: [1, 4, 5], b: [] }), "a"), [4, 5]);
});

test("after any operation, tokens are ascending and distinct", () => {
  const pick = random(5);
  let now = EMPTY;
  for (let n = 0; n < 2000; n += 1) {
    const side = pick(2) ? "a" : "b";
    const steps = [
      () => beginRun(now, side, pick(20), pick(20), pick(2) === 1),
      () => extendRun(now, pick(20)),
      () => selection.toggleToken(now, side, pick(20)),
      () => selection.fixActiveRun(now),
    ];
    now = steps[pick(4)]();
    for (const one of ["a", "b"]) {
      const tokens = tokensOn(now, one);
      assert.deepEqual(
        tokens,
        [...new Set(tokens)].sort((x, y) => x - y),
      );
    }
    assert.equal(selection.isEmpty(now), !tokensOn(now, "a").length && !tokensOn(now, "b").length);
  }
});

test("a run that reaches words selected before is merged with them, and ends where they do", () => {
  const met = (anchor, head, fixed = [5, 6, 7]) =>
    selection.mergeTouchingRuns({ fixed: { a: fixed, b: [1] }, active: { side: "a", anchor, head } });
  assert.deepEqual(met(3, 6), { fixed: { a: [], b: [1] }, active: { side: "a", anchor: 3, head: 7 } });
  assert.deepEqual(met(9, 6), { fixed: { a: [], b: [1] }, active: { side: "a", anchor: 9, head: 5 } });
  assert.deepEqual(met(6, 6).active, { side: "a", anchor: 5, head: 7 });
  assert.deepEqual(met(3, 6, [0, 5, 6, 7]).fixed.a, [0], "another one stays as it is");
  for (const one of [
    EMPTY,
    { fixed: { a: [5], b: [] }, active: { side: "a", anchor: 3, head: 4 } },
    { fixed: { a: [5], b: [] }, active: { side: "b", anchor: 3, head: 6 } },
  ])
    assert.equal(selection.mergeTouchingRuns(one), one);
});

test("the run that the cursor enters is the active one, moved at its nearer end; elsewhere nothing changes", () => {
  const some = { fixed: { a: [1, 2, 3, 7], b: [4] }, active: null };
  assert.deepEqual(selection.activateRun(some, { side: "a", index: 3 }), {
    fixed: { a: [7], b: [4] },
    active: { side: "a", anchor: 1, head: 3 },
  });
  assert.deepEqual(selection.activateRun(some, { side: "a", index: 1 }).active, { side: "a", anchor: 3, head: 1 });
  assert.deepEqual(
    selection.activateRun(some, { side: "a", index: 2 }).active,
    { side: "a", anchor: 1, head: 3 },
    "in the middle, the end",
  );
  for (const cursor of [
    { side: "a", index: 4 },
    { side: "b", index: 1 },
  ])
    assert.equal(selection.activateRun(some, cursor), some);
  const active = selection.activateRun(some, { side: "a", index: 3 });
  assert.equal(selection.activateRun(active, { side: "a", index: 1 }), active, "it is active already");
  assert.equal(selection.activateRun(active, { side: "b", index: 4 }).active.side, "b");
});

test("the ends are swapped, without an active run nothing is", () => {
  const run = beginRun(EMPTY, "a", 2, 5, false);
  assert.deepEqual(selection.swapEnds(run).active, { side: "a", anchor: 5, head: 2 });
  assert.deepEqual(tokensOn(selection.swapEnds(run), "a"), [2, 3, 4, 5]);
  assert.equal(selection.swapEnds(EMPTY), EMPTY);
});

test("the last run of a side is the one being drawn, else the last in the text", () => {
  const some = { fixed: { a: [1, 2, 6, 7], b: [] }, active: null };
  assert.deepEqual([selection.lastRun(some, "a"), selection.lastRun(some, "b")], [[6, 7], null]);
  assert.deepEqual(selection.lastRun({ ...some, active: { side: "a", anchor: 4, head: 3 } }, "a"), [3, 4]);
  assert.deepEqual(selection.lastRun({ ...some, active: { side: "b", anchor: 4, head: 3 } }, "a"), [6, 7]);
  assert.deepEqual(selection.lastRun({ fixed: { a: [0], b: [] }, active: null }, "a"), [0, 0]);
});
