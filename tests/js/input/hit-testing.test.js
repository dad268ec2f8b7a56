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
  assert.equal(endAt(view, 5, 135, "a", "end"), 4, "the word before is on another line");
});

test("a point belongs to the column it is nearer to", () => {
  const { view } = built();
  assert.deepEqual(
    [10, 350, 450, 700].map((x) => sideAt(view, x, 50)),
    ["a", "a", "b", "b"],
  );
  view.sheet.classList.add("apart");
  boxes.set(view.columns.a, [0, 0, 300, 100]);
  boxes.set(view.columns.b, [0, 200, 300, 100]);
  assert.deepEqual(
    [90, 140, 160, 250].map((y) => sideAt(view, 10, y)),
    ["a", "a", "b", "b"],
  );
  boxes.clear();
});

test("in a right-to-left text, an end that is dragged includes a word when its middle is passed to the left", () => {
  const { view, store } = built();
  store.grids.a.direction = "rtl";
  // The words of a line from right to left: 240, 180, 120 and 60.
  for (const n of [0, 1, 2, 3]) boxes.set(view.word("a", n), [240 - 60 * n, 30, 50, 20]);
  assert.deepEqual(
    [200, 210].map((x) => endAt(view, x, 35, "a", "end")),
    [1, 0],
  );
  assert.deepEqual(
    [200, 210].map((x) => endAt(view, x, 35, "a", "start")),
    [2, 1],
  );
  boxes.clear();
});

test("two pixels before the middle are enough for a finger", () => {
  const { view } = built();
  assert.deepEqual(
    [82, 83].map((x) => endAt(view, x, 35, "a", "end")),
    [0, 1],
  );
  assert.deepEqual(
    [87, 88].map((x) => endAt(view, x, 35, "a", "start")),
    [1, 2],
  );
});

test("the first and last words have none beside them to fall back to", () => {
  const { view } = built();
  assert.equal(endAt(view, 1, 35, "a", "end"), 0);
  assert.equal(endAt(view, 285, 135, "a", "start"), 8);
  assert.equal(endAt(view, 225, 35, "a", "start"), 3, "the next one is on another line");
});

test("a word that is broken counts with the part on the line of the point", () => {
  const { view } = built();
  const word = view.word("a", 1);
  const rect = (left, top) => ({ left, top, width: 50, height: 20, right: left + 50, bottom: top + 20 });
  word.getClientRects = () => [rect(240, 30), rect(0, 50)];
  boxes.set(word, [0, 30, 300, 40]);
  assert.deepEqual(
    [10, 40].map((x) => endAt(view, x, 55, "a", "end")),
    [1, 1],
  );
  assert.deepEqual(
    [250, 280].map((x) => endAt(view, x, 35, "a", "end")),
    [0, 1],
  );
  boxes.clear();
});

test("a text without words has none at any point", () => {
  const { view } = built({ b: "", beads: [[[0, 1], [0]]] });
  assert.equal(wordAt(view, 510, 35, "b"), null);
  assert.equal(endAt(view, 510, 35, "b", "end"), null);
  assert.equal(wordAt(view, -10, -10), null, "outside the window");
});

test("words that have not been created are, where the point is", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const { view } = built({
    a: rows.map((n) => `Line ${n} is here.`).join("\n"),
    b: rows.map(String).join("\n"),
    beads: rows.map((n) => [[n], [n]]),
  });
  assert.ok(view.unrendered.has(view.paragraphs.a[50]) && view.unrendered.has(view.paragraphs.a[52]));
  for (const [x, index] of [
    [70, 201],
    [295, 203],
  ])
    assert.deepEqual(wordAt(view, x, 5035, "a"), { side: "a", index });
  assert.ok(!view.unrendered.has(view.paragraphs.a[50]));
  assert.deepEqual(
    wordAt(view, 450, 5135, "a"),
    { side: "a", index: 207 },
    "beside the text, that of the nearest paragraph",
  );
  assert.deepEqual(wordAt(view, 70, 5235), { side: "a", index: 209 }, "also where the point is on none of them yet");
});

test("between two columns equally far, it is the first; under each other, only the height counts", () => {
  const { view } = built();
  assert.deepEqual(
    [399, 400, 401].map((x) => sideAt(view, x, 350)),
    ["a", "a", "b"],
  );
  view.sheet.classList.add("apart");
  boxes.set(view.columns.a, [0, 0, 300, 100]);
  boxes.set(view.columns.b, [0, 200, 300, 100]);
  assert.deepEqual(
    [149, 150, 151].map((y) => sideAt(view, 10, y)),
    ["a", "a", "b"],
  );
  boxes.clear();
});
