/** Suggestions: visited, dismissed, restored, hidden. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../page.js";
import { built, HIGHLIGHTS, suggesting } from "../built.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { SuggestionList } from "../../../static/js/workspace/view/suggestion-list.js";

test("suggestions are visited from the cursor on, selected, dismissed and restored", () => {
  const { store, steps, said, keys, cursor } = suggesting();
  steps.step(1);
  assert.deepEqual([store.suggestion, said.at(-1)], [keys[0], "Suggested: card is"]);
  assert.ok(store.selected[store.suggestions[0].fragments[0].side].size > 0);
  steps.step(1);
  assert.equal(store.suggestion, keys[1]);
  steps.step(-1);
  steps.step(-1);
  assert.equal(store.suggestion, keys.at(-1), "round and round");
  steps.dismiss();
  assert.deepEqual(
    [[...store.doc.dismissed], store.suggestion, said.includes("Dismissed")],
    [[keys.at(-1)], keys[0], true],
  );
  steps.restore([keys.at(-1), "never dismissed"]);
  assert.deepEqual([[...store.doc.dismissed], said.at(-1)], [[], "1 suggestion restored"]);
  steps.deselect();
  assert.deepEqual([store.suggestion, store.selected.a.size], [null, 0]);
  cursor.place("a", 8);
  steps.dismiss();
  assert.equal(said.at(-1), "No more suggestions");
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [false, "3 suggestions hidden. H shows them again."]);
  steps.step(1);
  assert.ok(store.showSuggestions && store.suggestion);
  for (const key of keys) store.commit([{ kind: "dismissed", id: key, before: false, after: true }]);
  steps.deselect();
  steps.step(1);
  assert.deepEqual([store.suggestion, said.at(-1)], [null, "No more suggestions"]);
  steps.toggleVisible();
  assert.deepEqual(
    [store.showSuggestions, said.at(-1)],
    [true, "There are no open suggestions"],
    "nothing is there to hide",
  );
});

test("the rest of partly marked suggestions is hidden as such, and not counted", () => {
  const { store, painter, cursor, actions, say, said } = built({ highlights: HIGHLIGHTS });
  const steps = new SuggestionActions(store, cursor, actions, painter, say);
  const list = new SuggestionList(store, steps);
  store.openSuggestions = () => [];
  steps.toggleVisible();
  list.draw();
  assert.deepEqual(
    [store.showSuggestions, said.at(-1), at("suggestion-count").textContent],
    [false, "Suggestions hidden. H shows them again.", "0 suggestions remaining"],
  );
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [true, "Suggestions shown"]);
});

/** Where the suggestions are that `steps` visits, from a word on: by the index of each. */
function visited(at, step, times, parts = {}) {
  const made = suggesting(parts);
  made.cursor.place(...at);
  return Array.from({ length: times }, () => (made.steps.step(step), made.keys.indexOf(made.store.suggestion)));
}

test("from the cursor on, the next suggestion is that of its word or after it, the previous one before it; rows count before sides", () => {
  // p1 is on words 1 and 2 of A and p2 on word 3 of B, both in the first row; p3 is on word 7 of A.
  assert.deepEqual([visited(["a", 1], 1, 3), visited(["a", 2], 1, 1), visited(["a", 3], -1, 1)], [[0, 1, 2], [1], [0]]);
  assert.deepEqual([visited(["b", 3], 1, 1), visited(["b", 0], 1, 1)], [[1], [1]]);
  assert.deepEqual(
    [visited(["a", 8], 1, 1), visited(["a", 8], -1, 1)],
    [[0], [2]],
    "after the last one, the first; before it, the last",
  );
  assert.deepEqual([visited(["a", 7], -1, 2), visited(["a", 0], -1, 1)], [[1, 0], [2]]);
  assert.deepEqual(
    [visited(["b", 4], 1, 1), visited(["b", 3], -1, 1)],
    [[0], [0]],
    "B of the second row is after the last one",
  );
});

test("what is dismissed or mostly marked is passed over", () => {
  const { store, steps, keys, add, span, cursor } = suggesting();
  cursor.place("a", 0);
  store.commit([{ kind: "dismissed", id: keys[0], before: false, after: true }]);
  add(span("s1", "1", [], [3]));
  steps.step(1);
  assert.equal(store.suggestion, keys[2]);
  steps.step(1);
  assert.equal(store.suggestion, keys[2], "the only one left");
});

test("a suggestion that is shown has its words selected and the cursor on the first, or where it was clicked", () => {
  const { store, steps, actions, add, span } = suggesting();
  add(span("s1", "1", [5], []));
  actions.pick("s1");
  steps.show("p1");
  assert.deepEqual(
    [store.suggestion, store.picked, [...store.selected.a], store.cursor],
    ["p1", null, [1, 2], { side: "a", index: 1 }],
  );
  assert.deepEqual(store.selection.active, { side: "a", anchor: 1, head: 2 }, "its end is the moving one");
  steps.show("p1", { side: "a", index: 2 });
  assert.equal(store.cursor.index, 2);
  steps.show("p2");
  assert.deepEqual([store.cursor, [...store.selected.b]], [{ side: "b", index: 3 }, [3]]);
  steps.show("nobody's");
  assert.equal(store.suggestion, "p2");
});

test("in a read-only pair suggestions are visited with nothing selected, and not dismissed", () => {
  const { store, steps, said } = suggesting();
  store.readOnly = true;
  steps.show("p1");
  assert.deepEqual([store.suggestion, store.selected.a.size], ["p1", 0]);
  const { length } = said;
  steps.dismiss();
  assert.deepEqual([store.doc.dismissed.size, store.suggestion, said.length], [0, "p1", length + 1]);
  steps.restore(["p1"]);
  assert.equal(said.length, length + 1);
});

test("without a current suggestion, that of the cursor's word is dismissed; where there is none, nothing is", () => {
  const { store, steps, cursor } = suggesting();
  cursor.place("a", 2);
  steps.dismiss();
  assert.deepEqual([[...store.doc.dismissed], store.suggestion], [["p1"], "p2"]);
  steps.deselect();
  cursor.place("a", 2);
  steps.dismiss();
  assert.equal(store.doc.dismissed.size, 1, "it is dismissed already");
});

test("several are restored in one step, and what is not dismissed is not restored", () => {
  const { store, steps, said } = suggesting();
  store.commit(["p1", "p2"].map((id) => ({ kind: "dismissed", id, before: false, after: true })));
  steps.restore(["p1", "p2", "p3"]);
  assert.deepEqual([store.doc.dismissed.size, /^2\b/.test(said.at(-1)), store.history.patches.length], [0, true, 2]);
  store.undo();
  assert.equal(store.doc.dismissed.size, 2);
});

test("hidden, suggestions are left, point to nothing, and are painted no more; others hear of it", () => {
  const { store, steps, word } = suggesting();
  let heard = 0;
  store.on("view", () => (heard += 1));
  steps.show("p1");
  store.hoverWord({ side: "a", index: 0 });
  steps.toggleVisible();
  assert.deepEqual(
    [store.suggestion, store.selected.a.size, store.highlighted.b.size, word("a", 1).className, heard],
    [null, 0, 0, "token", 1],
  );
  steps.toggleVisible();
  assert.deepEqual([word("a", 1).className, heard], ["token h2", 2]);
  steps.deselect();
  store.select({ fixed: { a: [4], b: [] }, active: null });
  steps.deselect();
  assert.equal(store.selected.a.size, 1, "words that are selected otherwise stay so");
});
