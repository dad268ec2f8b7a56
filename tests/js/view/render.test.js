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
  const { view, store } = built({
    beads: [
      [[0], [0]],
      [[1], []],
      [[], [1]],
    ],
  });
  assert.ok(view instanceof View && view instanceof Words);
  assert.deepEqual(texts(view.columns.a.querySelectorAll(".para")), [
    "The card is free.",
    "It arrives within two weeks.",
  ]);
  assert.deepEqual([view.columns.a.lang, view.columns.b.lang, view.columns.b.dir], ["en", "de", "ltr"]);
  assert.deepEqual(
    [...view.sheet.querySelectorAll(".cell")].map((cell) => [
      cell.className,
      cell.dataset.row,
      cell.style.gridRow,
      Boolean(cell.querySelector(".tick")),
    ]),
    [
      ["cell", "0", "2", true],
      ["cell alone", "1", "3", true],
      ["cell", "0", "2", false],
      ["cell alone", "2", "4", true],
    ],
  );
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
  assert.deepEqual(
    [...view.columns.a.querySelectorAll(".para")].map((one) => one.classList.contains("title")),
    [true, false],
  );
});

test("a side scrolls by itself only if the two scroll separately", () => {
  const { view } = built();
  assert.equal(view.scroller("b"), at("texts"));
  view.sheet.classList.add("apart");
  assert.equal(view.scroller("b"), view.columns.b);
});

test("when the page opens, the words of one and a half windows are made, and no more", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const { view } = built({
    a: rows.map((n) => `Line ${n} is here.`).join("\n"),
    b: rows.map(String).join("\n"),
    beads: rows.map((n) => [[n], [n]]),
  });
  assert.ok(view instanceof View);
  assert.ok(view.words.a[0] && view.words.b[0]);
  const made = rows.filter((row) => !view.unrendered.has(view.paragraphs.a[row])).length;
  assert.ok(made > 10 && made < 30, String(made));
  assert.equal(view.paragraphs.a[59].textContent, "Line 59 is here.");
});

test("a side that is only read is marked as such, and so is a heading in the language itself", () => {
  const { view } = built({ scheme: NEW });
  assert.deepEqual([view.columns.a.className, view.columns.b.className], ["col a readable", "col b"]);
  assert.deepEqual(
    ["a", "b"].map((side) => view.columns[side].getAttribute("aria-labelledby")),
    ["side-a", "side-b"],
  );
  assert.deepEqual(
    [...view.sheet.querySelectorAll(".side span[lang]")].map((one) => one.lang),
    ["en", "de"],
  );
  assert.equal(
    built({ scheme: { ...NEW, labels: [] } }).view.columns.a.className,
    "col a",
    "where there is nothing to mark, no side is only read",
  );
});

test("as many rows are made as fit one and a half times into the window, both sides of each", () => {
  const rows = Array.from({ length: 80 }, (_, n) => n);
  const { store } = built({
    a: rows.map((n) => `Line ${n}.`).join("\n"),
    b: rows.map(String).join("\n"),
    beads: rows.map((n) => [[n], [n]]),
  });
  const { style } = document.documentElement;
  const made = (size, line) => {
    style.setProperty("--text-size", size);
    style.setProperty("--text-line", line);
    const view = new View(store, document.createElement("div"));
    const [a, b] = ["a", "b"].map((side) => rows.filter((row) => !view.unrendered.has(view.paragraphs[side][row])));
    assert.deepEqual([a, b], [rows.slice(0, a.length), a]);
    return a.length;
  };
  // The window has 400 / 40 lines, and each row counts 1.4.
  assert.equal(made("20px", "2"), 11);
  assert.equal(made("20px", "1"), 22);
  assert.equal(made("", ""), 22, "if the size is unknown, lines of 20 pixels");
});

test("the height of a row is that of its longest side: a long one leaves less room", () => {
  const { view } = built({
    a: `${"word ".repeat(400)}\nTwo.`,
    b: "Eins.\nZwei.",
    beads: [
      [[0], [0]],
      [[1], [1]],
    ],
  });
  assert.ok(view.words.a[0] && view.unrendered.has(view.paragraphs.a[1]) && view.unrendered.has(view.paragraphs.b[1]));
  assert.equal(view.paragraphs.b[0].closest(".cell").style.getPropertyValue("--lines"), "1.4");
});

test("only a short first paragraph without a full stop is a title, whatever the script's stop", () => {
  const title = (a) => built({ a, b: "x", beads: [[[0], [0]]] }).view.paragraphs.a[0].classList.contains("title");
  assert.deepEqual(["Opening hours", "Opening hours ", "Who?", "Now!", "Wait…", "東京です。", "यह है।"].map(title), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  assert.deepEqual(
    [15, 16].map((n) => title("w ".repeat(n).trim())),
    [true, false],
  );
});

test("several paragraphs of a row are in one cell, and the tick is on the side that has the row", () => {
  const { view } = built({
    a: "One.\nTwo.",
    b: "Eins.\nZwei.",
    beads: [
      [[0, 1], [0]],
      [[], [1]],
    ],
  });
  assert.deepEqual(
    [...view.columns.a.querySelectorAll(".cell")].map((cell) => cell.querySelectorAll(".para").length),
    [2],
  );
  assert.deepEqual(
    [...view.ticks].map(([row, tick]) => [row, tick.closest(".col").className, tick.dataset.row, tick.tabIndex]),
    [
      [0, "col a", "0", -1],
      [1, "col b", "1", -1],
    ],
  );
  assert.equal(view.columns.a.querySelector(".cell").style.getPropertyValue("--lines"), "2.8");
});

test("a paragraph without words is no list of words, and stays as it is", () => {
  const { store } = built();
  const grid = store.grids.a;
  Object.assign(grid, { paragraphTokens: [[0, 0], ...grid.paragraphTokens.slice(1)] });
  const view = new View(store, document.createElement("div"));
  const [empty, other] = view.paragraphs.a;
  assert.deepEqual(
    [empty, other].map((one) => [one.getAttribute("role"), one.getAttribute("aria-multiselectable")]),
    [
      [null, null],
      ["listbox", "true"],
    ],
  );
  assert.deepEqual(
    [empty.children.length, empty.textContent, view.unrendered.has(empty)],
    [0, "The card is free.", false],
  );
});
