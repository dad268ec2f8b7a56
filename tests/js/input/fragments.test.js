/** Fragments by keyboard: every step with Shift and an arrow can be undone with the opposite arrow. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { built, chosen } from "../built.js";

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
