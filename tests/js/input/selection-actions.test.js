/** The selection and the picked span, and how commands change them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../page.js";
import { built, chosen, spans } from "../built.js";
import { Actions } from "../../../static/js/workspace/input/actions.js";
import { Cursor } from "../../../static/js/workspace/input/cursor.js";
import { SelectionActions } from "../../../static/js/workspace/input/selection-actions.js";

test("toggle, fragment and the other end work by key, and are announced", () => {
  const { store, actions, cursor, said } = built();
  assert.ok(actions instanceof Actions && actions instanceof SelectionActions && cursor instanceof Cursor);
  cursor.place("a", 1);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1), store.adding], [[1], "card added", true]);
  cursor.place("a", 3);
  actions.toggle();
  assert.deepEqual(chosen(store)[0], [1, 3]);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1)], [[1], "free. removed"]);
  actions.clear();
  cursor.place("a", 4);
  cursor.word(1, true);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [4, 5, 6]);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 4);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [5, 6]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [true, "The next words are added as a fragment"]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [false, "Fragments are no longer added"]);
});

test("a picked span follows the selection: it grows, shrinks, and is deleted with its last word", () => {
  const { store, actions, cursor, add, span, said } = built();
  add(span("s1", "2", [1], []));
  cursor.place("a", 1);
  assert.ok(actions.pickHere());
  cursor.word(1, true);
  assert.deepEqual([spans(store), said.at(-1)], [[["2", "manual", [1, 2], []]], "2 words"]);
  actions.comment(" both ");
  actions.announceComment();
  assert.deepEqual([store.span("s1").comment, said.at(-1)], ["both", "Comment saved"]);
  actions.split();
  assert.equal(said.at(-1), "Split in two");
  assert.equal(spans(store).length, 2);
  cursor.place("a", 8);
  assert.ok(!actions.pickHere());
  actions.paragraph();
  assert.deepEqual([spans(store).at(-1), said.at(-1)], [["5", "manual", [4, 5, 6, 7, 8], []], "Whole paragraph marked L5"]);
  store.pick("s1");
  actions.pick(null);
  assert.equal(store.picked, null);
});

test("overlapping spans are picked one after the other", () => {
  const { store, actions, cursor, add, span } = built();
  add(span("wide", "2", [0, 1, 2], []), span("narrow", "3", [1], []));
  cursor.place("a", 1);
  const picked = [1, 2, 3].map(() => (actions.pickHere(), store.picked));
  assert.deepEqual(picked, ["narrow", "wide", "narrow"]);
  actions.clear();
  assert.equal(actions.targetSpan(), "narrow");
});

/** Words 4 to 6 of A are selected, or those of a picked span; a fragment is being added from word 2 on. */
function adding(picked) {
  const made = built();
  const { store, cursor, actions, add, span } = made;
  if (picked) {
    add(span("s1", "1", [4, 5, 6], []));
    cursor.place("a", 4);
    actions.pick("s1");
  } else {
    cursor.place("a", 4);
    actions.extendTo(6);
  }
  cursor.place("a", 2);
  actions.toggleAdding();
  return { ...made, words: () => (picked ? store.cover.of("s1").a : chosen(store)[0]) };
}

for (const picked of [false, true])
  test(`a fragment that runs into one that is there becomes one with it, and shrinks at its end${picked ? ", in a picked span" : ""}`, () => {
    const { store, cursor, words } = adding(picked);
    const seen = [];
    for (const step of [1, 1, -1, -1, 1]) {
      cursor.word(step, true);
      seen.push(words().join(""));
      assert.ok(store.selected.a.has(store.cursor.index), "the cursor stands in it");
    }
    assert.deepEqual(seen, ["23456", "23456", "2345", "234", "2345"], "beside it, then one with it: from there on its end moves");
  });

test("backwards too, and with the other end", () => {
  const { store, cursor, actions } = built();
  cursor.place("a", 1);
  actions.extendTo(3);
  cursor.place("a", 5);
  actions.toggleAdding();
  for (let n = 0; n < 2; n += 1) cursor.word(-1, true);
  assert.deepEqual([chosen(store)[0], store.cursor.index], [[1, 2, 3, 4, 5], 1]);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [2, 3, 4, 5]);
  cursor.otherEnd();
  cursor.word(-1, true);
  assert.deepEqual(chosen(store)[0], [2, 3, 4]);
});
