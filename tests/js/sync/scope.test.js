import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal, tabsOf } from "../../../static/js/workspace/sync/journal.js";
import { adoptLegacyEntries, scopeOf } from "../../../static/js/workspace/sync/scope.js";
import { FakeStorage } from "../helpers.js";

const patch = [{ kind: "comment", id: "", before: "", after: "mine" }];

test("what one user left in a browser is not found by the next, on the same pair or the same draft of the gold", () => {
  for (const assignment of [7, "gold-1-3"]) {
    const storage = new FakeStorage();
    new Journal(storage, scopeOf("1", assignment), "t").append(patch);
    assert.deepEqual(tabsOf(storage, scopeOf("2", assignment)), []);
    assert.deepEqual(tabsOf(storage, scopeOf("1", assignment)), ["t"]);
  }
});

test("scopes of different users and pairs are distinct", () => {
  const storage = new FakeStorage();
  new Journal(storage, scopeOf("1", 17), "t").append(patch);
  for (const [person, assignment] of [["1", 7], ["11", 7], ["1", 1], ["17", 1]])
    assert.deepEqual(tabsOf(storage, scopeOf(person, assignment)), [], `${person}/${assignment}`);
});

test("work stored before users were told apart goes completely to the pair's annotator", () => {
  const storage = new FakeStorage();
  const old = new Journal(storage, "x", "t");
  old.prefix = "diptych/1/7/t/";
  old.confirmSave(3, 0, {});
  old.append(patch);
  storage.setItem("diptych/1/77/t/head", "{}");
  adoptLegacyEntries(storage, 7, scopeOf("5", 7));
  const journal = new Journal(storage, scopeOf("5", 7), "t");
  assert.deepEqual([journal.pending(), journal.base().revision], [[patch], 3]);
  assert.deepEqual([...storage.items.keys()].filter((key) => key.startsWith("diptych/1/")), ["diptych/1/77/t/head"]);
});
