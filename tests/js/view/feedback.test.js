/** After a qualification pair: one's spans next to the reference's. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, send, words } from "../page.js";
import { built } from "../built.js";
import { showFeedback } from "../../../static/js/workspace/view/feedback.js";

test("after a qualification pair one's spans are shown next to the reference's", () => {
  const { store, add, span } = built();
  add(span("same", "1", [0], [0]), span("mine", "3", [7], []));
  store.assignment.comparison = { gold: [span("g1", "1", [0], [0]), span("g2", "2", [5], [])], answers: {}, feedback: "Well done." };
  const went = [];
  document.body.classList.add("no-span-list");
  showFeedback(store, (...to) => went.push(to));
  const rows = [...at("comparison").querySelectorAll("li")];
  assert.deepEqual(rows.map((row) => row.className), ["row same", "row extra", "row missing"]);
  assert.ok(!document.body.classList.contains("no-span-list"));
  assert.ok(words(at("comparison")).includes("Well done.") && words(at("comparison")).includes("Words marked like the reference"));
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
