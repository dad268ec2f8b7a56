/** The texts as elements: columns, rows, paragraphs, and how many words are made at first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../page.js";
import { built } from "../built.js";
import { NEW } from "../helpers.js";
import { View } from "../../../static/js/workspace/view/render.js";
import { Words } from "../../../static/js/workspace/view/words.js";

const texts = (elements) => [...elements].map((one) => one.textContent);

test("both texts are on the page, aligned by paragraph, each with its language and one tick per row", () => {
  const { view, store } = built({ beads: [[[0], [0]], [[1], []], [[], [1]]] });
  assert.ok(view instanceof View && view instanceof Words);
  assert.deepEqual(texts(view.columns.a.querySelectorAll(".para")), ["The card is free.", "It arrives within two weeks."]);
  assert.deepEqual([view.columns.a.lang, view.columns.b.lang, view.columns.b.dir], ["en", "de", "ltr"]);
  assert.deepEqual([...view.sheet.querySelectorAll(".cell")].map((cell) => [cell.className, cell.dataset.row, cell.style.gridRow, Boolean(cell.querySelector(".tick"))]), [
    ["cell", "0", "2", true], ["cell alone", "1", "3", true], ["cell", "0", "2", false], ["cell alone", "2", "4", true],
  ]);
  assert.deepEqual([...view.ticks.keys()], [0, 1, 2]);
  assert.equal(view.columns.a.querySelector(".readonly"), null);
  assert.equal(view.columns.a.querySelector(".para").getAttribute("role"), "listbox");
  assert.equal(view.lines("a", [0, 1]).toFixed(1), "2.8");
  assert.equal(store.rows.length, 3);
});

test("a side that nothing can be marked on says so, a short first line without a full stop is a title", () => {
  const { view } = built({ scheme: NEW, a: "Opening hours\nThe card is free." });
  assert.equal(view.columns.a.querySelector(".readonly").textContent, "read only");
  assert.equal(view.columns.b.querySelector(".readonly"), null);
  assert.deepEqual([...view.columns.a.querySelectorAll(".para")].map((one) => one.classList.contains("title")), [true, false]);
});

test("a side scrolls by itself only if the two scroll separately", () => {
  const { view } = built();
  assert.equal(view.scroller("b"), at("texts"));
  view.sheet.classList.add("apart");
  assert.equal(view.scroller("b"), view.columns.b);
});

test("when the page opens, the words of one and a half windows are made, and no more", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const { view } = built({ a: rows.map((n) => `Line ${n} is here.`).join("\n"), b: rows.map(String).join("\n"), beads: rows.map((n) => [[n], [n]]) });
  assert.ok(view instanceof View);
  assert.ok(view.words.a[0] && view.words.b[0]);
  const made = rows.filter((row) => !view.unrendered.has(view.paragraphs.a[row])).length;
  assert.ok(made > 10 && made < 30, String(made));
  assert.equal(view.paragraphs.a[59].textContent, "Line 59 is here.");
});
