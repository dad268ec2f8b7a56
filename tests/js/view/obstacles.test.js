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
  const of = (weight) => found.filter((one) => one.weight === weight).map(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]);
  assert.deepEqual(of(WEIGHTS.selected), [[0, 30, 50, 50]]);
  assert.deepEqual(of(WEIGHTS.next), [[60, 30, 230, 50], [0, 130, 290, 150]]);
  assert.deepEqual(of(WEIGHTS.counterpart), [[500, 30, 550, 50]]);
  assert.deepEqual(of(WEIGHTS.opposite), [[500, 30, 800, 50]]);
  store.showSuggestions = false;
  assert.equal(obstacles(store, view, "a").filter((one) => one.weight === WEIGHTS.counterpart).length, 0);
  media.add("(pointer: coarse)");
  const knobs = obstacles(store, view, "a").filter((one) => one.weight === WEIGHTS.counterpart).map(({ box }) => [box.left, box.top, box.right, box.bottom]);
  assert.deepEqual(knobs, [[-18, -6, 18, 30], [32, 50, 68, 86]]);
  media.clear();
});
