/** Everyone's marks as lines below the words, and the words of the current region. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { adjudicating, built, mark } from "../built.js";
import { Lanes } from "../../../static/js/adjudicate/lanes.js";

const PEOPLE = [
  { name: "A", spans: [mark("a1", "1", [[0, 8]], [[0, 3]]), mark("a2", "2", [[9, 11]])] },
  { name: "B", spans: [] },
  { name: "C", spans: [mark("c1", "3", [[4, 11]]), mark("c2", "gone", [[12, 17]])] },
];
const line = (colour, lane) => `var(--${colour}-draw) 0 ${4 * lane}px / 100% 3px no-repeat`;
const lines = (element) => element.style.getPropertyValue("--lines");

test("each person has a line of their own, in the colour of the label, in the order in which they are named", () => {
  const { store, view, word } = built();
  assert.ok(new Lanes(store, view, PEOPLE));
  assert.equal(document.documentElement.style.getPropertyValue("--lanes"), "14px");
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((n) => lines(word("a", n))),
    [line("g1", 0), `${line("g1", 0)},${line("g3", 2)}`, `${line("g2", 0)},${line("g3", 2)}`, line("p8", 2), ""],
  );
  assert.deepEqual([lines(word("b", 0)), lines(word("b", 1))], [line("g1", 0), ""]);
  assert.deepEqual(
    [0, 4].map((n) => "lanes" in word("a", n).dataset),
    [true, false],
  );
});

test("a space has the lines of those whose span goes on behind it", () => {
  const { store, view } = built();
  assert.ok(new Lanes(store, view, PEOPLE));
  assert.deepEqual(
    [0, 1].map((n) => lines(view.gap("a", n))),
    [line("g1", 0), line("g3", 2)],
    "A's two spans meet after the second word",
  );
  assert.deepEqual(
    [2, 3].map((n) => view.gap("a", n) && lines(view.gap("a", n))),
    ["", null],
  );
});

test("of several spans of a person on a word, the last is drawn", () => {
  const { store, view, word } = built();
  assert.ok(new Lanes(store, view, [{ name: "A", spans: [mark("x", "1", [[0, 8]]), mark("y", "2", [[0, 3]])] }]));
  assert.deepEqual(
    [0, 1].map((n) => lines(word("a", n))),
    [line("g2", 0), line("g1", 0)],
  );
});

test("words that are made later get their lines then", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const { store, view } = built({
    a: rows.map((n) => `w${n}`).join("\n"),
    b: rows.map((n) => `v${n}`).join("\n"),
    beads: rows.map((n) => [[n], [n]]),
  });
  const last = store.grids.a.tokens[59];
  const lanes = new Lanes(store, view, [{ name: "A", spans: [mark("x", "1", [last])] }]);
  assert.deepEqual([...lanes.spansByWord.a.keys()], [59]);
  assert.equal(view.words.a[59], undefined);
  assert.equal(lines(view.word("a", 59)), line("g1", 0));
});

test("the words of the current region, and the spaces between them, are marked until another one is shown", () => {
  const { store, view, word, regions } = adjudicating([
    { versions: { A: [mark("a1", "1", [[0, 11]], [[0, 3]])], B: [] } },
    { versions: { A: [mark("a2", "2", [[21, 28]])], B: [] } },
  ]);
  const lanes = new Lanes(store, view, []);
  const here = () => [...view.sheet.querySelectorAll("[data-here]")].map((one) => one.textContent);
  lanes.highlight(regions[0]);
  assert.deepEqual(here(), ["The", " ", "card", " ", "is", "Die"]);
  lanes.highlight(regions[1]);
  assert.deepEqual([here(), word("a", 5).textContent], [["arrives"], "arrives"]);
  lanes.highlight(null);
  assert.deepEqual(here(), []);
});
