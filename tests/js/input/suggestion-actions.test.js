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
  assert.deepEqual([[...store.doc.dismissed], store.suggestion, said.includes("Dismissed")], [[keys.at(-1)], keys[0], true]);
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
  assert.deepEqual([store.showSuggestions, said.at(-1)], [true, "There are no open suggestions"], "nothing is there to hide");
});

test("the rest of partly marked suggestions is hidden as such, and not counted", () => {
  const { store, painter, cursor, actions, say, said } = built({ highlights: HIGHLIGHTS });
  const steps = new SuggestionActions(store, cursor, actions, painter, say);
  const list = new SuggestionList(store, steps);
  store.openSuggestions = () => [];
  steps.toggleVisible();
  list.draw();
  assert.deepEqual([store.showSuggestions, said.at(-1), at("suggestion-count").textContent], [false, "Suggestions hidden. H shows them again.", "0 suggestions remaining"]);
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [true, "Suggestions shown"]);
});
