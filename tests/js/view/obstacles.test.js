/** What the label bar should not cover. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { media } from "../page.js";
import { built, HIGHLIGHTS } from "../built.js";
import { WEIGHTS } from "../../../static/js/workspace/model/placement.js";
import { obstacles } from "../../../static/js/workspace/view/obstacles.js";

test("the label bar does not cover the selection, the next words, the counterpart and the aligned text", () => {
  const { store, view } = built({ highlights: HIGHLIGHTS });
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 0 } });
  const found = obstacles(store, view, "a");
  const of = (weight) =>
    found
      .filter((one) => one.weight === weight)
      .map(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]);
  assert.deepEqual(of(WEIGHTS.selected), [[0, 30, 50, 50]]);
  assert.deepEqual(of(WEIGHTS.next), [
    [60, 30, 230, 50],
    [0, 130, 290, 150],
  ]);
  assert.deepEqual(of(WEIGHTS.counterpart), [[500, 30, 550, 50]]);
  assert.deepEqual(of(WEIGHTS.opposite), [[500, 30, 800, 50]]);
  store.showSuggestions = false;
  assert.equal(obstacles(store, view, "a").filter((one) => one.weight === WEIGHTS.counterpart).length, 0);
  media.add("(pointer: coarse)");
  const knobs = obstacles(store, view, "a")
    .filter((one) => one.weight === WEIGHTS.counterpart)
    .map(({ box }) => [box.left, box.top, box.right, box.bottom]);
  assert.deepEqual(knobs, [
    [-18, -6, 18, 30],
    [32, 50, 68, 86],
  ]);
  media.clear();
});

const edges = (found, weight) =>
  found
    .filter((one) => one.weight === weight)
    .map(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]);
const run = (store, anchor, head, fixed = { a: [], b: [] }) =>
  store.select({ fixed, active: { side: "a", anchor, head } });

test("the words that come next are those to the end of the next line, and there are none after the last", () => {
  const { store, view } = built({ a: `${Array.from({ length: 14 }, (_, n) => `w${n}`).join(" ")}\nIt arrives.` });
  run(store, 0, 1);
  assert.deepEqual(edges(obstacles(store, view, "a"), WEIGHTS.next), [
    [120, 30, 290, 50],
    [0, 50, 290, 70],
  ]);
  run(store, 4, 4);
  assert.deepEqual(
    edges(obstacles(store, view, "a"), WEIGHTS.next),
    [[0, 50, 290, 70]],
    "at the end of a line, the next one alone",
  );
  run(store, 15, 15);
  assert.deepEqual(edges(obstacles(store, view, "a"), WEIGHTS.next), []);
});

test("everything selected counts, on both sides; then nothing is a counterpart", () => {
  const { store, view } = built({ highlights: HIGHLIGHTS });
  run(store, 0, 0, { a: [5], b: [2] });
  const found = obstacles(store, view, "a");
  assert.deepEqual(edges(found, WEIGHTS.selected), [
    [0, 30, 50, 50],
    [60, 130, 110, 150],
    [620, 30, 670, 50],
  ]);
  assert.deepEqual(edges(found, WEIGHTS.counterpart), []);
  assert.deepEqual(
    edges(found, WEIGHTS.opposite),
    [
      [500, 30, 800, 50],
      [500, 130, 800, 150],
    ],
    "a paragraph for each row",
  );
});

test("a paragraph without a counterpart has no aligned text", () => {
  const { store, view } = built({
    beads: [
      [[0], []],
      [[1], [0, 1]],
    ],
  });
  run(store, 0, 0);
  assert.deepEqual(edges(obstacles(store, view, "a"), WEIGHTS.opposite), []);
  run(store, 4, 4);
  assert.equal(edges(obstacles(store, view, "a"), WEIGHTS.opposite).length, 2);
});

test("in a right-to-left text the handles are at the other edges, and only the edited side has them", () => {
  const { store, view } = built();
  media.add("(pointer: coarse)");
  store.grids.a.direction = "rtl";
  run(store, 0, 1);
  assert.deepEqual(edges(obstacles(store, view, "a"), WEIGHTS.counterpart), [
    [32, -6, 68, 30],
    [42, 50, 78, 86],
  ]);
  assert.deepEqual(edges(obstacles(store, view, "b"), WEIGHTS.counterpart), []);
  media.clear();
});
