/** From a point on the page to a word, and to a side. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { boxes } from "../page.js";
import { built } from "../built.js";
import { endAt, sideAt, wordAt } from "../../../static/js/workspace/input/hit-testing.js";

test("a point is the word below it, else the nearest of the paragraph, lines before columns", () => {
  const { view } = built({ a: "one two three four five six seven.\nIt arrives." });
  assert.deepEqual(wordAt(view, 70, 35), { side: "a", index: 1 });
  assert.deepEqual(wordAt(view, 55, 35), { side: "a", index: 0 }, "between two words");
  assert.deepEqual(wordAt(view, 200, 55), { side: "a", index: 6 }, "right of the end of a line");
  assert.equal(wordAt(view, 450, 350), null);
  assert.deepEqual(wordAt(view, 10, 35, "b"), { side: "b", index: 0 }, "only of that side");
  assert.deepEqual(wordAt(view, 10, 135, "b"), { side: "b", index: 4 });
});

test("a dragged end includes a word when its middle is passed", () => {
  const { view } = built();
  assert.equal(endAt(view, 60 + 26, 35, "a", "end"), 1);
  assert.equal(endAt(view, 60 + 10, 35, "a", "end"), 0);
  assert.equal(endAt(view, 60 + 24, 35, "a", "start"), 1);
  assert.equal(endAt(view, 60 + 40, 35, "a", "start"), 2);
  assert.equal(endAt(view, 5, 35, "a", "end"), 0, "there is none before it");
  assert.equal(endAt(view, 5, 135, "a", "end"), 4, "the word before stands on another line");
});

test("a point belongs to the column it is nearer to", () => {
  const { view } = built();
  assert.deepEqual([10, 350, 450, 700].map((x) => sideAt(view, x, 50)), ["a", "a", "b", "b"]);
  view.sheet.classList.add("apart");
  boxes.set(view.columns.a, [0, 0, 300, 100]);
  boxes.set(view.columns.b, [0, 200, 300, 100]);
  assert.deepEqual([90, 140, 160, 250].map((y) => sideAt(view, 10, y)), ["a", "a", "b", "b"]);
  boxes.clear();
});
