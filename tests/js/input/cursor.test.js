/** The cursor: by words, lines, sentences and paragraphs, and across to the other text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { built, HIGHLIGHTS } from "../built.js";

test("the cursor moves by words, lines, sentences and paragraphs, and to the ends", () => {
  const { store, cursor, word } = built({ a: "one two three four five six seven. Eight nine.\nIt arrives." });
  const goes = (how) => (how(), store.cursor.index);
  assert.ok(word("a", 0).hasAttribute("data-cursor") && word("a", 0).tabIndex === 0);
  assert.equal(goes(() => cursor.word(-1, false)), 0);
  assert.equal(goes(() => cursor.word(1, false)), 1);
  assert.equal(document.activeElement, word("a", 1));
  assert.ok(!word("a", 0).hasAttribute("data-cursor") && !word("a", 0).hasAttribute("tabindex"));
  assert.equal(goes(() => cursor.line(1, false)), 6, "the word below");
  assert.equal(goes(() => cursor.line(-1, false)), 1);
  assert.equal(goes(() => cursor.sentence(1, false)), 7);
  assert.equal(goes(() => cursor.sentence(-1, false)), 0);
  assert.equal(goes(() => cursor.paragraph(1, false)), 9);
  assert.equal(goes(() => cursor.paragraph(1, false)), 10, "the last word, where there is no other paragraph");
  assert.equal(goes(() => cursor.paragraph(-1, false)), 9);
  assert.equal(goes(() => cursor.edge(1, false, false)), 10);
  assert.equal(goes(() => cursor.edge(-1, true, false)), 0);
  assert.equal(goes(() => cursor.edge(1, true, false)), 10);
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
    assert.equal(goes(() => cursor.line(1, false)), 6, `after ${name}, the first column`);
  }
});
