/** When another tab saves, this one takes it over at once, unless there is content to choose between. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { docOf, serializeDoc } from "../../../static/js/workspace/model/patches.js";
import { Store } from "../../../static/js/workspace/model/store.js";
import { Sync } from "../../../static/js/workspace/sync/sync.js";
import { annotation, assignment, FakeStorage } from "../helpers.js";

globalThis.document ??= { getElementById: () => null, querySelector: () => null, documentElement: {}, cookie: "" };
const { countUnsaved } = await import("../../../static/js/workspace/sync/resume.js");
const { Reconciler } = await import("../../../static/js/workspace/sync/reconcile.js");

const span = (id) => ({ id, label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] });
const tick = (side, index) => [{ kind: "read", id: `${side}:${index}`, before: false, after: true }];
const mark = (id) => [{ kind: "span", id, before: null, after: span(id) }];

/** A tab at revision 4, and a server on which another tab has saved revision 5. @param {Record<string, unknown>} [parts] of the pair */
function setup(parts = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = { annotation: { ...annotation([span("theirs")], 5), read: { a: [], b: [1] } }, sent: [] };
  const store = new Store({ ...assignment({ annotation: annotation([], 4) }), urls: { assignment: "/a/" }, ...parts });
  const journal = new Journal(new FakeStorage(), "1/7", "t");
  journal.confirmSave(4, 0, store.serialize());
  store.journal = journal;
  const asked = { conflicts: 0, cleared: 0 };
  const port = {
    journal,
    urls: { annotation: "/annotation/", submit: "/submit/" },
    snapshot: () => store.serialize(),
    onState: () => {},
    onConflict: () => (asked.conflicts += 1),
    onSaved: () => {},
    onSubmitted: () => {},
    request: async (method, url, body) => {
      server.sent.push(body);
      return body.revision === 5
        ? { outcome: "ok", data: { revision: 5 } }
        : { outcome: "conflict", data: { annotation: server.annotation } };
    },
  };
  const sync = new Sync(port, 4, 0);
  const reconciler = new Reconciler(store, { clear: () => (asked.cleared += 1) }, { note: "" }, () => {});
  reconciler.start(sync, journal);
  globalThis.fetch = async () => ({
    ok: true,
    status: 200,
    headers: { get: () => "application/json" },
    json: async () => ({ annotation: server.annotation }),
  });
  return { server, store, journal, sync, reconciler, asked };
}

test.afterEach(() => mock.timers.reset());

test("a tab without unsaved changes takes over what another one saves", async () => {
  const { server, store, journal, sync, reconciler } = setup();
  await reconciler.followOtherTab(5);
  assert.deepEqual([...store.doc.spans.keys()], ["theirs"]);
  assert.deepEqual([sync.revision, sync.unsaved, server.sent.length, journal.base().revision], [5, 0, 0, 5]);
});

test("a tab with only unsaved ticks takes it over at once; its ticks are added and sent", async () => {
  const { server, store, journal, sync, reconciler, asked } = setup();
  store.commit(tick("a", 0), { silent: true });
  await reconciler.followOtherTab(5);
  assert.deepEqual([...store.doc.spans.keys()], ["theirs"]);
  assert.deepEqual(
    server.sent.map(({ revision, read }) => [revision, read]),
    [[5, { a: [0], b: [1] }]],
  );
  assert.deepEqual([sync.unsaved, sync.state, journal.pending()], [0, "saved", []]);
  assert.equal(asked.cleared, 0, "what is selected stays so");
});

test("a tab that can't send its ticks still has them, with the other's content, when it is opened again", async () => {
  const { server, store, journal, sync, reconciler } = setup();
  store.commit(tick("a", 0), { silent: true });
  sync.port.request = async () => ({ outcome: "offline", data: null });
  await reconciler.followOtherTab(5);
  assert.deepEqual([sync.state, journal.pending()], ["offline", [tick("a", 0)]]);
  assert.deepEqual(journal.base().doc, serializeDoc(docOf(server.annotation), store.order));
});

test("a tab with unsaved content waits for its save, and one with a verdict for its verdict", async () => {
  const { store, sync, reconciler } = setup();
  store.commit(mark("mine"));
  await reconciler.followOtherTab(5);
  assert.deepEqual([[...store.doc.spans.keys()], sync.revision], [["mine"], 4]);

  const other = setup();
  other.journal.put("verdict", { verdict: "submitted", reason: "" });
  await other.reconciler.followOtherTab(5);
  assert.deepEqual([[...other.store.doc.spans.keys()], other.sync.revision], [[], 4]);
});

test("a conflict in which only the other side has changed content asks nothing", async () => {
  const { server, store, sync, reconciler, asked } = setup();
  store.commit(tick("a", 0), { silent: true });
  sync.state = "conflict";
  await reconciler.resolveConflict(server.annotation, false);
  assert.deepEqual([[...store.doc.spans.keys()], sync.state, sync.revision], [["theirs"], "saved", 5]);
  assert.deepEqual(server.sent.at(-1).read, { a: [0], b: [1] });
  assert.equal(asked.cleared, 0, "what is selected stays so");
});

/** Changes of a closed tab, based on revision 4. */
function closed(...patches) {
  const journal = new Journal(new FakeStorage(), "1/7", "closed");
  journal.confirmSave(4, 0, serializeDoc(docOf(annotation([], 4))));
  for (const patch of patches) journal.append(patch);
  return journal;
}

test("changes of a closed tab are added without a question if nothing was changed here, and can be undone", async () => {
  const { store, reconciler } = setup();
  const left = closed(mark("left"));
  await reconciler.mergeClosedTab(left);
  assert.deepEqual([...store.doc.spans.keys()], ["left"]);
  assert.deepEqual(left.pending(), []);
  store.undo();
  assert.deepEqual([...store.doc.spans.keys()], []);
});

test("a choice of one's own version can be undone: the other version is one step back", () => {
  const { store, reconciler } = setup();
  store.commit(mark("mine"));
  const theirs = docOf(annotation([{ ...span("theirs"), fragments: [{ side: "a", start: 4, end: 8 }] }], 5));
  reconciler.applyChoice({ choice: "mine", doc: store.doc, dropped: 0 }, docOf(annotation([], 4)), theirs);
  assert.deepEqual([...store.doc.spans.keys()], ["mine"]);
  store.undo();
  assert.deepEqual([...store.doc.spans.keys()].sort(), ["mine", "theirs"]);
  store.redo();
  assert.deepEqual([...store.doc.spans.keys()], ["mine"]);
});

const REGION = {
  key: "k1",
  state: "disputed",
  why: "",
  proposed: [],
  versions: [{ people: ["A"], spans: [span("v")] }],
};
const unmark = [{ kind: "unmarked", id: "k1", before: false, after: true }];

test("in adjudication, a region left unmarked is content: a tab that has decided so doesn't follow another's span", async () => {
  const { store, journal, sync, reconciler } = setup({ adjudication: { regions: [REGION] } });
  store.commit(unmark);
  assert.equal(countUnsaved(journal.pending()).changes, 1);
  await reconciler.followOtherTab(5);
  assert.deepEqual([[...store.doc.spans.keys()], sync.revision], [[], 4]);
});
