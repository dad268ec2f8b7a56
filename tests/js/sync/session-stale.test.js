/** A page that was made while the last save of the page before it was on its way, as on a reload. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, at, requests, rest } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Clock } from "../../../static/js/workspace/model/clock.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { Session } from "../../../static/js/workspace/sync/session.js";
import { Notice } from "../../../static/js/workspace/view/notice.js";

const URLS = { assignment: "/assignment", annotation: "/annotation", submit: "/submit" };
const span = { id: "s1", label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] };
const mark = [{ kind: "span", id: "s1", before: null, after: span }];

/** A page without spans, in a browser that saw its only change saved. @param {{annotation: any} | null} server What it has; null: it can't be reached. */
async function opened(server, changes = []) {
  const { store, actions, say } = built({ more: { urls: URLS, status: "started" } });
  const page = store.assignment.annotation;
  const journal = new Journal(new FakeStorage(), "3/7", "t");
  journal.confirmSave(page.revision, 0, store.serialize());
  journal.writeStep(0, mark);
  journal.setSteps(1, 1, 0);
  journal.confirmSave(page.revision + 1, journal.append(mark), {
    ...store.serialize(),
    spans: { v: 1, spans: [span] },
  });
  for (const patch of changes) journal.append(patch);
  answering(({ method }) => {
    if (!server) return { status: 0 };
    return { body: method === "GET" ? server : { revision: page.revision + 2 } };
  });
  requests.length = 0;
  const session = new Session(store, "3/7", new Clock(0), new Notice(), actions, say);
  await session.start(Promise.resolve({ journal, others: [], alive: [] }));
  await rest(10);
  return { store, session, journal, page };
}
const had = (page, spans, revision) => ({ annotation: { ...page, spans: { v: 1, spans }, revision } });
const { assignment } = built().store;
const { annotation: blank } = assignment;

test("it shows what was saved, can undo it, and saves on top of it", async () => {
  const { store, session, journal, page } = await opened(had(blank, [span], blank.revision + 1));
  assert.deepEqual([...store.doc.spans.keys()], ["s1"]);
  assert.deepEqual(
    [session.sync.revision, session.sync.unsaved, at("state").dataset.state],
    [page.revision + 1, 0, "saved"],
  );
  assert.deepEqual(
    requests.map(({ method }) => method),
    ["GET"],
  );
  assert.equal(store.history.cursor, 1, "the step is still there");
  assert.equal(journal.base().revision, page.revision + 1);
});

test("what was changed since is added to it", async () => {
  const comment = [{ kind: "comment", id: "", before: "", after: "more" }];
  const { store, session, page } = await opened(had(blank, [span], blank.revision + 1), [comment]);
  assert.deepEqual([[...store.doc.spans.keys()], store.doc.comment], [["s1"], "more"]);
  assert.deepEqual(
    [requests.map(({ method }) => method), requests[1].body.revision],
    [["GET", "PUT"], page.revision + 1],
  );
  assert.equal(session.sync.revision, page.revision + 2);
});

test("a server that was restored from a backup, or can't be reached, leaves the page as it is", async () => {
  for (const server of [had(blank, [], blank.revision), null]) {
    const { store, session, page } = await opened(server);
    assert.deepEqual([store.doc.spans.size, session.sync.revision], [0, page.revision]);
  }
});
