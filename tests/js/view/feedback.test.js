/** After a qualification pair: one's spans next to the reference's. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, media, send, words } from "../page.js";
import { built } from "../built.js";
import { showFeedback } from "../../../static/js/workspace/view/feedback.js";

test("after a qualification pair one's spans are shown next to the reference's", () => {
  const { store, add, span } = built();
  add(span("same", "1", [0], [0]), span("mine", "3", [7], []));
  store.assignment.comparison = {
    gold: [span("g1", "1", [0], [0]), span("g2", "2", [5], [])],
    answers: {},
    feedback: "Well done.",
  };
  const went = [];
  document.body.classList.add("no-span-list");
  showFeedback(store, (...to) => went.push(to));
  const rows = [...at("comparison").querySelectorAll("li")];
  assert.deepEqual(
    rows.map((row) => row.className),
    ["row same", "row extra", "row missing"],
  );
  assert.ok(!document.body.classList.contains("no-span-list"));
  assert.ok(
    words(at("comparison")).includes("Well done.") &&
      words(at("comparison")).includes("Words marked as in the reference"),
  );
  assert.deepEqual([...rows[2].querySelectorAll(".quotation")].map(words), ["arrives"]);
  send(rows[2].querySelector("button"), "mouseenter");
  assert.deepEqual([[...store.highlighted.a], [...store.highlighted.b]], [[5], []]);
  send(rows[2].querySelector("button"), "mouseleave");
  assert.equal(store.highlighted.a.size, 0);
  rows[2].querySelector("button").click();
  assert.deepEqual(went, [["a", 5]]);
  at("comparison").replaceChildren();
  store.assignment.comparison = null;
  showFeedback(store, () => {});
  assert.equal(at("comparison").childElementCount, 0);
});

/** The rows of the comparison of some spans with the reference's. */
function compared(mine, gold, more = {}) {
  const made = built();
  made.add(...mine(made.span));
  made.store.grids.b.direction = "rtl";
  made.store.assignment.comparison = { gold: gold(made.span), answers: {}, feedback: "", ...more };
  const went = [];
  showFeedback(made.store, (...to) => went.push(to));
  const rows = [...at("comparison").querySelectorAll("li")];
  return { ...made, went, rows, notes: rows.map((row) => row.querySelector("small").textContent) };
}

test("each quotation is in the language and direction of its text", () => {
  const { rows } = compared(
    (span) => [span("s1", "1", [0], [1, 2])],
    () => [],
  );
  assert.deepEqual(
    [...rows[0].querySelectorAll(".quotation")].map((one) => [words(one), one.lang, one.dir]),
    [
      ["The", "en", "ltr"],
      ["Karte ist", "de", "rtl"],
    ],
  );
});

test("how a span differs is said: another label, other words, or both; one that the scheme lacks is named by its key", () => {
  const { rows, notes } = compared(
    (span) => [
      span("s1", "1", [0], []),
      span("s2", "2", [2], []),
      span("s3", "3", [4, 5], []),
      span("s4", "4", [7, 8], [8]),
    ],
    (span) => [
      span("g1", "1", [0], []),
      span("g2", "gone", [2], []),
      span("g3", "3", [4], []),
      span("g4", "5", [7], [8]),
    ],
  );
  assert.deepEqual(
    rows.map((row) => row.className),
    ["row same", "row label", "row near", "row near"],
  );
  const [same, label, near, both] = notes;
  assert.ok(label.includes("gone") && !same.includes("gone"));
  assert.ok(near.endsWith(": It") && !near.includes("L3"), "the reference's words");
  assert.ok(both.includes("two – Monat.") && both.endsWith("L5"));
});

test("a row highlights the reference's words, also by keyboard, and leads to the first of them, on B if there are none on A", () => {
  const { store, rows, went } = compared(
    (span) => [span("s1", "1", [4, 5], [])],
    (span) => [span("g1", "1", [5], []), span("g2", "2", [], [7])],
  );
  const [near, missing] = rows.map((row) => row.querySelector("button"));
  const lit = () => [[...store.highlighted.a], [...store.highlighted.b]];
  send(near, "focus");
  assert.deepEqual(lit(), [[5], []]);
  send(near, "blur");
  assert.deepEqual(lit(), [[], []]);
  for (const button of [near, missing]) button.click();
  assert.deepEqual(went, [
    ["a", 5],
    ["b", 7],
  ]);
});

test("the share of words in common is in per cent, and there is none where nothing is marked", () => {
  compared(
    (span) => [span("s1", "1", [0, 1], [])],
    (span) => [span("g1", "2", [1, 2], [])],
  );
  assert.ok(words(at("comparison").querySelector("p")).includes("33%"));
  assert.equal(at("comparison").querySelectorAll("h2").length, 1, "no feedback, no title for it");
  compared(
    () => [],
    () => [],
  );
  assert.deepEqual([at("comparison").querySelector("p"), at("comparison").querySelectorAll("li").length], [null, 0]);
});

test("in a narrow window the list is opened over the texts", () => {
  media.add("(max-width: 1100px)");
  document.body.classList.remove("span-list-open");
  compared(
    () => [],
    () => [],
  );
  assert.ok(document.body.classList.contains("span-list-open"));
  media.clear();
  document.body.classList.remove("span-list-open");
});
