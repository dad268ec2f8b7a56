import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../../static/js/workspace/model/history.js";
import { clearSavedJournals, Journal, prune, tabsOf } from "../../../static/js/workspace/sync/journal.js";
import { FakeStorage } from "../helpers.js";

const patch = (n) => [{ kind: "comment", id: "", before: String(n - 1), after: String(n) }];

test("unconfirmed changes are restored after a crash, in order", () => {
  const storage = new FakeStorage();
  const journal = new Journal(storage, 7, "t");
  journal.confirmSave(3, 0, { comment: "0" });
  for (const n of [1, 2, 3]) journal.append(patch(n));
  journal.confirmSave(4, 2, { comment: "2" });
  const again = new Journal(storage, 7, "t");
  assert.deepEqual(again.pending(), [patch(3)]);
  assert.deepEqual(again.base(), { revision: 4, clock: 2, doc: { comment: "2" } });
  again.append(patch(4));
  assert.equal(new Journal(storage, 7, "t").pending().length, 2);
});

test("the undo steps are restored with their cursor, and discarded ones are not stored", () => {
  const storage = new FakeStorage();
  const history = new History([], 0, new Journal(storage, 7, "t"));
  for (const n of [1, 2, 3]) history.push(patch(n));
  history.undo();
  history.undo();
  let { patches, cursor } = new Journal(storage, 7, "t").steps();
  assert.deepEqual([patches.length, cursor], [3, 1]);
  history.push(patch(9));
  ({ patches, cursor } = new Journal(storage, 7, "t").steps());
  assert.deepEqual([patches, cursor], [[patch(1), patch(9)], 2]);
  assert.ok(![...storage.items.keys()].some((key) => key.endsWith("h/2")));
});

test("a change writes only its own small entries", () => {
  const storage = new FakeStorage();
  const journal = new Journal(storage, 7, "t");
  journal.confirmSave(1, 0, { long: "x".repeat(100000) });
  let written = 0;
  const set = storage.setItem.bind(storage);
  storage.setItem = (key, value) => {
    written += value.length;
    set(key, value);
  };
  journal.append(patch(1));
  assert.ok(written < 300, `${written} characters for one change`);
});

test("tabs that left something are found, the latest first, and other assignments are not mixed in", () => {
  const storage = new FakeStorage();
  new Journal(storage, 7, "old").append(patch(1));
  storage.setItem("diptych/2/7/old/head", JSON.stringify({ cursor: 0, length: 0, clock: 1, at: 5 }));
  new Journal(storage, 7, "new").append(patch(1));
  new Journal(storage, 77, "other").append(patch(1));
  assert.deepEqual(tabsOf(storage, 7), ["new", "old"]);
});

test("when storage is full, old undo steps are deleted first, never unsaved changes", () => {
  const storage = new FakeStorage(3000);
  const finished = new Journal(storage, 1, "done");
  finished.confirmSave(1, 0, { text: "x".repeat(1200) });
  const owing = new Journal(storage, 2, "owing");
  owing.confirmSave(1, 0, {});
  owing.append(patch(1));
  const journal = new Journal(storage, 3, "now");
  journal.confirmSave(1, 0, { text: "y".repeat(1500) });
  assert.equal(journal.failed, false);
  assert.deepEqual(tabsOf(storage, 1), []);
  assert.deepEqual(tabsOf(storage, 2), ["owing"]);
  journal.put("big", "z".repeat(9000));
  assert.equal(journal.failed, true, "and says so when nothing can be kept any more");
});

test("pruning keeps the latest assignments and all with unsaved changes or a waiting verdict", () => {
  const storage = new FakeStorage();
  for (let n = 0; n < 5; n += 1) {
    const journal = new Journal(storage, n, "t");
    journal.confirmSave(1, 0, {});
    storage.setItem(`diptych/2/${n}/t/head`, JSON.stringify({ ...journal.head, at: n }));
  }
  new Journal(storage, 0, "t").put("verdict", { verdict: "submitted", reason: "" });
  prune(storage, 2);
  assert.deepEqual(
    [0, 1, 2, 3, 4].filter((n) => tabsOf(storage, n).length),
    [0, 3, 4],
  );
});

test("after a log-out nothing stays that the server has; what it lacks does, and what an open page records", async () => {
  const storage = new FakeStorage();
  const request = async (name, _options, call) => call(name === "diptych/3/8/open" ? null : { name });
  Object.defineProperty(globalThis, "navigator", { value: { locks: { request } }, configurable: true });
  const journal = (scope, tab, entries = {}) => {
    const made = new Journal(storage, scope, tab);
    made.append(patch(1));
    made.writeStep(0, patch(1));
    made.confirmSave(2, 1, { comment: "1" });
    for (const [name, value] of Object.entries(entries)) made.put(name, value);
    return made;
  };
  journal("3/7", "closed", { closed: true, time: 60, sent: true });
  journal("4/9", "killed");
  journal("3/8", "open");
  journal("3/10", "owing", { closed: true }).append(patch(2));
  journal("3/11", "given", { closed: true, verdict: { verdict: "submitted", reason: "" } });
  journal("3/12", "refused", { closed: true, returned: { id: 12 } });
  journal("3/13", "typing", { closed: true, reasons: { flagged: "cut off" } });
  storage.setItem("elsewhere", "1");
  const kept = ["3/8/open/", "3/10/owing/", "3/11/given/", "3/12/refused/", "3/13/typing/"].map(
    (name) => `diptych/2/${name}`,
  );
  const before = [...storage.items].filter(
    ([key]) => key === "elsewhere" || kept.some((prefix) => key.startsWith(prefix)),
  );
  await clearSavedJournals(storage);
  assert.deepEqual([...storage.items], before);
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  journal("4/9", "killed");
  await clearSavedJournals(storage);
  assert.deepEqual(tabsOf(storage, "4/9"), ["killed"], "without locks, it might be open");
});

test("a damaged entry stops neither the page nor the clearing at log-out, and nothing unsent is taken for saved", async () => {
  const storage = new FakeStorage();
  const journal = new Journal(storage, "5/7", "t");
  journal.confirmSave(3, 0, { comment: "" });
  for (const n of [1, 2, 3]) journal.append(patch(n));
  journal.writeStep(0, patch(1));
  journal.setSteps(1, 1, 0);
  journal.put("closed", true);
  storage.setItem(`${journal.prefix}head`, "{broken");
  storage.setItem(`${journal.prefix}j/2`, "[null]");
  for (const [tab, text] of [
    ["u", "null"],
    ["v", "7"],
    ["w", '{"clock": "1"}'],
  ]) {
    storage.setItem(`diptych/2/5/8/${tab}/head`, text);
    storage.setItem(`diptych/2/5/8/${tab}/base`, text);
    storage.setItem(`diptych/2/5/8/${tab}/closed`, "true");
  }
  const again = new Journal(storage, "5/7", "t");
  assert.deepEqual([again.head.clock, again.pending(), again.steps().cursor], [3, [patch(1), patch(3)], 0]);
  assert.deepEqual(new Journal(storage, "5/8", "u").base(), null);
  assert.deepEqual(tabsOf(storage, "5/8").sort(), ["u", "v", "w"]);
  await clearSavedJournals(storage);
  assert.deepEqual(tabsOf(storage, "5/8"), []);
  assert.deepEqual(new Journal(storage, "5/7", "t").pending(), [patch(1), patch(3)]);
  prune(storage, 0);
  assert.deepEqual(new Journal(storage, "5/7", "t").pending(), [patch(1), patch(3)]);
  storage.setItem(`${journal.prefix}h/0`, "7");
  storage.setItem(`${journal.prefix}head`, JSON.stringify({ cursor: 1, length: 1, clock: 3, at: 1 }));
  assert.deepEqual(new Journal(storage, "5/7", "t").steps(), { patches: [], cursor: 0 });
});
