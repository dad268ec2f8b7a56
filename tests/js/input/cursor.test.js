/** The cursor: by words, lines, sentences and paragraphs, and across to the other text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes } from "../page.js";
import { built, chosen, HIGHLIGHTS } from "../built.js";
import { NEW } from "../helpers.js";
import { browserWords } from "../../../static/js/workspace/input/browser-selection.js";
import { Cursor } from "../../../static/js/workspace/input/cursor.js";

test("the cursor moves by words, lines, sentences and paragraphs, and to the ends", () => {
  const { store, cursor, word } = built({ a: "one two three four five six seven. Eight nine.\nIt arrives." });
  const goes = (how) => (how(), store.cursor.index);
  assert.ok(word("a", 0).hasAttribute("data-cursor") && word("a", 0).tabIndex === 0);
  assert.equal(
    goes(() => cursor.word(-1, false)),
    0,
  );
  assert.equal(
    goes(() => cursor.word(1, false)),
    1,
  );
  assert.equal(document.activeElement, word("a", 1));
  assert.ok(!word("a", 0).hasAttribute("data-cursor") && !word("a", 0).hasAttribute("tabindex"));
  assert.equal(
    goes(() => cursor.line(1, false)),
    6,
    "the word below",
  );
  assert.equal(
    goes(() => cursor.line(-1, false)),
    1,
  );
  assert.equal(
    goes(() => cursor.sentence(1, false)),
    7,
  );
  assert.equal(
    goes(() => cursor.sentence(-1, false)),
    0,
  );
  assert.equal(
    goes(() => cursor.paragraph(1, false)),
    9,
  );
  assert.equal(
    goes(() => cursor.paragraph(1, false)),
    10,
    "the last word, where there is no other paragraph",
  );
  assert.equal(
    goes(() => cursor.paragraph(-1, false)),
    9,
  );
  assert.equal(
    goes(() => cursor.edge(1, false, false)),
    10,
  );
  assert.equal(
    goes(() => cursor.edge(-1, true, false)),
    0,
  );
  assert.equal(
    goes(() => cursor.edge(1, true, false)),
    10,
  );
  cursor.edge(-1, true, true);
  assert.equal(store.selected.a.size, 11);
});

test("the cursor goes across to the counterpart, to the picked span, or to the aligned paragraph", () => {
  const { store, cursor, actions, add, span } = built({ highlights: HIGHLIGHTS });
  cursor.place("a", 4);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 5 });
  cursor.place("a", 2);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 2 }, "at the same share of the row");
  add(span("s1", "1", [2], [7]));
  cursor.place("a", 2);
  actions.pick("s1");
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 7 });
});

test("in a right-to-left text, right is the previous word", () => {
  const { store, cursor } = built();
  store.grids.a.direction = "rtl";
  cursor.place("a", 3);
  cursor.word(1, false);
  assert.equal(store.cursor.index, 2);
});

test("moving by lines keeps the column across a short line, and forgets it once the cursor goes elsewhere", () => {
  const { store, cursor } = built({ a: "one two three four five\nsix\nseven eight nine ten eleven" });
  const goes = (how) => (how(), store.cursor.index);
  cursor.place("a", 3);
  assert.deepEqual([goes(() => cursor.line(1, false)), goes(() => cursor.line(1, false))], [5, 9]);
  cursor.place("a", 5);
  assert.deepEqual(
    [goes(() => cursor.line(-1, false)), goes(() => cursor.line(-1, false))],
    [0, 0],
    "up to the first word, and no further",
  );
  for (const [name, elsewhere] of Object.entries({
    "a click": () => cursor.place("a", 0),
    "a sentence": () => (store.moveTo("a", 1), cursor.sentence(-1, false)),
    "a paragraph": () => (store.moveTo("a", 3), cursor.paragraph(-1, false)),
    "the start": () => (store.moveTo("a", 3), cursor.edge(-1, true, false)),
    "a word": () => (store.moveTo("a", 1), cursor.word(-1, false)),
  })) {
    cursor.place("a", 3);
    cursor.line(1, false);
    assert.equal(goes(elsewhere), 0, name);
    cursor.line(1, false);
    assert.equal(
      goes(() => cursor.line(1, false)),
      6,
      `after ${name}, the first column`,
    );
  }
});

test("where nothing can be marked, Shift and the arrows have the browser select", () => {
  for (const [parts, readOnly] of [
    [{}, true],
    [{ scheme: NEW }, false],
  ]) {
    const { store, view, cursor } = built(parts);
    store.readOnly = readOnly;
    getSelection().removeAllRanges();
    cursor.place("a", 1);
    cursor.word(1, true);
    cursor.word(1, true);
    assert.deepEqual([browserWords(view).a, store.cursor.index, chosen(store)], [[1, 2, 3], 3, [[], []]]);
    cursor.word(-1, true);
    cursor.word(-1, true);
    cursor.word(-1, true);
    assert.deepEqual([browserWords(view).a, store.cursor.index], [[0, 1], 0]);
    cursor.place("a", 4);
    cursor.word(1, true);
    assert.deepEqual(browserWords(view).a, [4, 5], "it begins again where the cursor went");
  }
});

test("where words can be marked, the browser selects nothing", () => {
  const { store, cursor } = built();
  getSelection().removeAllRanges();
  cursor.place("a", 1);
  cursor.word(1, true);
  assert.deepEqual([chosen(store), String(getSelection())], [[[1, 2], []], ""]);
});

test("the cursor is one word, focused and in view; each text keeps a word for Tab", () => {
  const { store, cursor, word } = built();
  assert.ok(cursor instanceof Cursor);
  const stops = () => [...document.querySelectorAll(".token[tabindex]")].map((one) => one.textContent);
  assert.deepEqual(stops(), ["The", "Die"]);
  cursor.place("b", 2);
  assert.deepEqual([stops(), document.activeElement === word("b", 2)], [["The", "ist"], true]);
  cursor.place("a", 99);
  assert.deepEqual([store.cursor, stops()], [{ side: "a", index: 8 }, ["weeks.", "ist"]]);
  assert.deepEqual(
    [...document.querySelectorAll("[data-cursor]")].map((one) => one.textContent),
    ["weeks."],
  );
});

test("the cursor is placed without taking the focus, and without scrolling, if that is asked for", () => {
  const { cursor, word } = built();
  cursor.place("a", 0);
  at("texts").scrollTop = 0;
  boxes.set(word("a", 8), [0, 900, 50, 20]);
  cursor.place("a", 8, { focus: false, reveal: false });
  assert.deepEqual([document.activeElement === word("a", 0), at("texts").scrollTop], [true, 0]);
  cursor.place("a", 8);
  assert.ok(document.activeElement === word("a", 8) && at("texts").scrollTop > 0);
  boxes.clear();
});

test("a text without words has no cursor", () => {
  const { store, cursor } = built({ b: "", beads: [[[0, 1], [0]]] });
  cursor.place("a", 3);
  cursor.place("b", 0);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "a", index: 3 });
});

test("words are selected up to the end of the sentence or paragraph first, then beyond it", () => {
  const text = { a: "One two. Three four.\nFive six." };
  const extended = (from, steps) => {
    const { store, cursor } = built(text);
    cursor.place("a", from);
    steps(cursor);
    return chosen(store)[0];
  };
  const sentence = (step) => (cursor) => cursor.sentence(step, true);
  const paragraph = (step) => (cursor) => cursor.paragraph(step, true);
  const twice = (does) => (cursor) => (does(cursor), does(cursor));
  assert.deepEqual(
    [extended(0, sentence(1)), extended(0, twice(sentence(1)))],
    [
      [0, 1],
      [0, 1, 2],
    ],
  );
  assert.deepEqual(
    [extended(3, sentence(-1)), extended(3, twice(sentence(-1)))],
    [
      [2, 3],
      [0, 1, 2, 3],
    ],
  );
  assert.deepEqual(
    [extended(1, paragraph(1)), extended(1, twice(paragraph(1)))],
    [
      [1, 2, 3],
      [1, 2, 3, 4],
    ],
  );
  assert.deepEqual(
    [extended(5, paragraph(-1)), extended(5, twice(paragraph(-1)))],
    [
      [4, 5],
      [3, 4, 5],
    ],
  );
  assert.deepEqual(
    extended(2, (cursor) => cursor.edge(-1, false, true)),
    [0, 1, 2],
  );
});

test("inside a run its moving end moves, wherever in it the cursor is", () => {
  const { store, cursor } = built();
  cursor.place("a", 4);
  cursor.word(1, true);
  cursor.word(1, true);
  cursor.place("a", 5);
  cursor.word(1, true);
  assert.deepEqual([chosen(store)[0], store.cursor.index], [[4, 5, 6, 7], 7]);
  cursor.place("a", 6);
  cursor.word(-1, false);
  assert.equal(store.cursor.index, 5, "a move without Shift is by one word, also in a run");
  cursor.place("a", 1);
  cursor.word(1, true);
  assert.deepEqual([chosen(store)[0], store.cursor.index], [[1, 2], 2], "outside of it another one begins");
});

test("in a right-to-left text, left is ahead: by words and by sentences", () => {
  const { store, cursor } = built({ a: "One two. Three four.\nFive six." });
  store.grids.a.direction = "rtl";
  const goes = (how) => (how(), store.cursor.index);
  cursor.place("a", 1);
  assert.deepEqual(
    [goes(() => cursor.word(-1, false)), goes(() => cursor.sentence(-1, false)), goes(() => cursor.sentence(1, false))],
    [2, 4, 2],
  );
  assert.equal(
    goes(() => cursor.edge(1, false, false)),
    3,
    "the end of a paragraph is that of its text",
  );
});

test("across is the aligned row at the same share, the nearest one before it if it has none, or else the next one", () => {
  const { store, cursor } = built({
    a: "One.\nTwo two.\nThree.",
    b: "Null.\nEins eins.\nDrei.",
    beads: [
      [[], [0]],
      [[0], [1]],
      [[1], []],
      [[2], [2]],
    ],
  });
  const from = (side, index) => (cursor.place(side, index), cursor.across(), [store.cursor.side, store.cursor.index]);
  assert.deepEqual(
    [from("a", 0), from("a", 2), from("a", 3)],
    [
      ["b", 1],
      ["b", 2],
      ["b", 3],
    ],
  );
  assert.deepEqual(from("b", 0), ["a", 0], "there is none before it: the next one");
  assert.deepEqual(from("b", 2), ["a", 0]);
});

test("hidden suggestions lead nowhere: across is then the aligned paragraph", () => {
  const { store, cursor } = built({ highlights: HIGHLIGHTS });
  store.showSuggestions = false;
  cursor.place("a", 4);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 4 });
});

test("the other end of the selection is gone to, if there is one", () => {
  const { store, cursor } = built();
  cursor.place("a", 2);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 2);
  cursor.word(1, true);
  cursor.word(1, true);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 2);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 4);
});
