/** Two versions that both changed content: what becomes of the choice, and that each can be undone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest } from "../page.js";
import { built, mark } from "../built.js";
import { annotation, FakeStorage, GRADED } from "../helpers.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { Reconciler } from "../../../static/js/workspace/sync/reconcile.js";

/** A page with a span of its own, whose server has another one, of another tab. */
function diverged(parts = {}) {
  const made = built(parts);
  const { store, add, actions, say } = made;
  const notice = { note: "" };
  const journal = new Journal(new FakeStorage(), "3/7", "t");
  journal.confirmSave(1, 0, store.serialize());
  const resolved = [];
  const sync = {
    revision: 1,
    state: "conflict",
    rebase: async (revision, doc) => void resolved.push(["rebased", revision, doc.spans.spans.map(({ id }) => id)]),
    resolve: async (revision, taken, doc) =>
      void resolved.push(["resolved", revision, taken, doc.spans.spans.map(({ id }) => id).sort()]),
  };
  const reconciler = new Reconciler(store, actions, notice, say);
  reconciler.start(sync, journal);
  const mine = () => add(mark("mine", "1", [[4, 8]]));
  const theirs = { ...annotation([mark("theirs", "2", [[4, 11]])], 2), saved: "2026-01-01T10:00:00Z" };
  const ids = () => [...store.doc.spans.keys()].sort();
  return { ...made, notice, sync, resolved, reconciler, mine, theirs, ids, journal };
}
const choose = async (id) => (await rest(), assert.ok(at("conflict").open), at(id).click());

test("each choice is saved on top of the other version, and one step back leads to both", async () => {
  for (const [button, kept, back] of [
    ["conflict-keep", ["mine"], ["mine", "theirs"]],
    ["conflict-take", ["theirs"], ["mine"]],
    ["conflict-both", ["mine", "theirs"], ["mine"]],
  ]) {
    const { store, reconciler, mine, theirs, ids, resolved, sync, said } = diverged();
    mine();
    const { length } = said;
    const done = reconciler.resolveConflict(theirs, false);
    await choose(button);
    await done;
    assert.deepEqual(
      [ids(), resolved, sync.state],
      [kept, [["resolved", 2, button === "conflict-take", kept]], "changed"],
      button,
    );
    assert.ok(said.length > length && said.at(-1), "it is said what was chosen");
    store.undo();
    assert.deepEqual(ids(), back);
  }
});

test("what is picked or selected is left before the question is asked", async () => {
  const { store, actions, reconciler, mine, theirs } = diverged();
  mine();
  actions.pick("mine");
  const done = reconciler.resolveConflict(theirs, false);
  assert.equal(store.picked, null);
  await choose("conflict-keep");
  await done;
});

test("a span of the other version that overlaps one of ours is left out where labels exclude each other, and that is said", async () => {
  const { reconciler, mine, theirs, ids, notice, said } = diverged({ scheme: { ...GRADED, overlap: false } });
  mine();
  const done = reconciler.resolveConflict(theirs, false);
  await choose("conflict-both");
  await done;
  assert.deepEqual([ids(), notice.note === said.at(-1), /\b1\b/.test(notice.note)], [["mine"], true, true]);
});

test("changed on one side only, nothing is asked; a verdict that waits asks, and is not sent", async () => {
  const { reconciler, theirs, ids, resolved, notice } = diverged();
  await reconciler.resolveConflict(theirs, false);
  assert.deepEqual([ids(), resolved, notice.note], [["theirs"], [["rebased", 2, ["theirs"]]], ""]);
  const own = diverged();
  own.mine();
  await own.reconciler.resolveConflict({ ...annotation([], 2), read: { a: [1], b: [] } }, false);
  assert.deepEqual([own.ids(), own.store.doc.read.a.has(1), own.resolved], [["mine"], true, [["rebased", 2, []]]]);
  const waiting = diverged();
  const done = waiting.reconciler.resolveConflict(theirs, true);
  await choose("conflict-take");
  await done;
  assert.deepEqual([waiting.ids(), Boolean(waiting.notice.note)], [["theirs"], true]);
});

test("without a session there is nothing to resolve", async () => {
  const { store, actions, say } = built();
  const reconciler = new Reconciler(store, actions, { note: "" }, say);
  await reconciler.resolveConflict(annotation([mark("theirs", "2", [[4, 11]])], 2), false);
  await reconciler.followOtherTab(5);
  assert.equal(store.doc.spans.size, 0);
});

test("a closed tab's changes are added, with a question only if both changed content; then its journal is empty", async () => {
  for (const both of [false, true]) {
    const { store, reconciler, mine, ids } = diverged();
    const left = new Journal(new FakeStorage(), "3/7", "closed");
    left.confirmSave(1, 0, store.serialize());
    left.append([{ kind: "span", id: "left", before: null, after: mark("left", "3", [[0, 3]]) }]);
    if (both) mine();
    const done = reconciler.mergeClosedTab(left);
    if (both) await choose("conflict-both");
    await done;
    assert.deepEqual([ids(), left.base(), store.history.canUndo], [both ? ["left", "mine"] : ["left"], null, true]);
  }
  const { reconciler, ids } = diverged();
  await reconciler.mergeClosedTab(new Journal(new FakeStorage(), "3/7", "empty"));
  assert.deepEqual(ids(), []);
});
