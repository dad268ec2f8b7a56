import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal, tabsOf } from "../../../static/js/workspace/sync/journal.js";
import { adoptLegacyEntries, adoptLegacyUnmarked, scopeOf } from "../../../static/js/workspace/sync/scope.js";
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
  for (const [person, assignment] of [
    ["1", 7],
    ["11", 7],
    ["1", 1],
    ["17", 1],
  ])
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
  assert.deepEqual(
    [...storage.items.keys()].filter((key) => key.startsWith("diptych/1/")),
    ["diptych/1/77/t/head"],
  );
});

test("regions left unmarked that were stored among dismissed suggestions are found in their own list, in undo steps too", () => {
  const [storage, scope] = [new FakeStorage(), scopeOf("5", "gold-1-3")];
  const old = new Journal(storage, scope, "t");
  old.confirmSave(3, 0, { comment: "", dismissed: ["k1"] });
  old.append([...patch, { kind: "dismissed", id: "k2", before: false, after: true }]);
  old.writeStep(0, [{ kind: "dismissed", id: "k2", before: false, after: true }]);
  old.setSteps(1, 1, 0);
  const elsewhere = new Journal(storage, scopeOf("5", 7), "t");
  elsewhere.append([{ kind: "dismissed", id: "a1", before: false, after: true }]);
  for (const again of ["once", "twice"]) {
    adoptLegacyUnmarked(storage, scope);
    const journal = new Journal(storage, scope, "t");
    assert.deepEqual(journal.base(), { revision: 3, clock: 0, doc: { comment: "", unmarked: ["k1"] } }, again);
    assert.deepEqual(journal.pending(), [[...patch, { kind: "unmarked", id: "k2", before: false, after: true }]]);
    assert.deepEqual(journal.steps(), {
      patches: [[{ kind: "unmarked", id: "k2", before: false, after: true }]],
      cursor: 1,
    });
  }
  assert.equal(elsewhere.pending()[0][0].kind, "dismissed");
});

test("entries that can't be read stay as they are, and none grows when it is converted", () => {
  const [storage, scope] = [new FakeStorage(), scopeOf("5", "gold-1-3")];
  const journal = new Journal(storage, scope, "t");
  journal.confirmSave(3, 0, { comment: "", dismissed: [] });
  journal.append([{ kind: "dismissed", id: "k2", before: false, after: true }]);
  storage.setItem(`diptych/2/${scope}/u/base`, "{broken");
  storage.setItem(`diptych/2/${scope}/u/j/1`, "7");
  const sizes = new Map([...storage.items].map(([key, text]) => [key, text.length]));
  adoptLegacyUnmarked(storage, scope);
  for (const [key, text] of storage.items) assert.ok(text.length <= sizes.get(key), key);
  assert.equal(storage.getItem(`diptych/2/${scope}/u/base`), "{broken");
  assert.deepEqual([journal.base().doc.unmarked, journal.pending()[0][0].kind], [[], "unmarked"]);
});

test("a list of dismissed suggestions that isn't one, or holds other than keys, is converted to the keys in it", () => {
  const scope = scopeOf("5", "gold-1-3");
  for (const [dismissed, unmarked] of [
    ["k1", []],
    [{ k1: true }, []],
    [["k1", 7, null], ["k1"]],
  ]) {
    const storage = new FakeStorage();
    const journal = new Journal(storage, scope, "t");
    journal.confirmSave(3, 0, { comment: "", dismissed });
    adoptLegacyUnmarked(storage, scope);
    assert.deepEqual(journal.base().doc, { comment: "", unmarked });
  }
});
