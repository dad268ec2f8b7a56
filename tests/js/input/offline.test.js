/** Work without a network, as the page connects it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, rest, send, words } from "../page.js";
import { built } from "../built.js";
import { annotation, FakeStorage } from "../helpers.js";
import { Offline } from "../../../static/js/workspace/input/offline.js";
import { request } from "../../../static/js/workspace/sync/api.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";

Object.defineProperty(navigator, "locks", {
  value: { request: async (_name, _how, call) => call({}) },
  configurable: true,
});

/** So that the tests end: what would be tried again later. */
const stop = (offline) => [offline.timer, offline.outbox.timer].forEach(clearTimeout);

function page(keptAt = 0) {
  const { store } = built({ more: { urls: { assignment: "/assignment" } } });
  const called = [];
  const session = { store, onVerdictAccepted: (verdict) => called.push(`left ${verdict}`), onVerdictQueued: null };
  const prefetcher = {
    start: async () => called.push("prefetch"),
    deleteOwnPage: async () => called.push("delete"),
    nextCachedPage: async () => prefetcher.page,
    page: null,
  };
  const storage = new FakeStorage();
  const offline = new Offline(
    session,
    prefetcher,
    { remember: (verdict) => called.push(`remember ${verdict}`) },
    { storage, person: "3", keptAt, onBack: ({ guideline }) => called.push(guideline) },
  );
  return { session, prefetcher, called, storage, offline };
}

test("without a network the next kept pair is opened; if none is kept, the page stays", async () => {
  const { session, prefetcher, called } = page();
  const before = asked.length;
  await session.onVerdictQueued("submitted");
  assert.deepEqual([called, asked.length], [[], before]);
  prefetcher.page = "/work/8/";
  await session.onVerdictQueued("skipped");
  assert.deepEqual([called, asked.at(-1)], [["remember skipped"], ["assign", "/work/8/"]]);
});

test("a pair that is submitted is not kept any longer", () => {
  const { session, called } = page();
  session.onVerdictAccepted("submitted");
  assert.deepEqual(called, ["delete", "left submitted"]);
});

test("a kept page says when it was kept, until the server answers; then what waits is sent and the next pairs are fetched", async () => {
  const { offline, called, storage } = page(Date.UTC(2026, 0, 2, 3, 4));
  const journal = new Journal(storage, "3/9", "t");
  journal.confirmSave(1, 0, annotation());
  journal.put("verdict", { verdict: "submitted", reason: "" });
  journal.put("queued", { id: 9, n: 1, page: "/work/9/", urls: { annotation: "/a", submit: "/s", assignment: "/g" } });
  answering(() => ({ status: 0 }));
  offline.start();
  await rest(20);
  stop(offline);
  assert.match(
    words(at("outbox")),
    /^You are offline\. This is the pair as this browser kept it at 2 Jan 2026, .*1 submitted pair is kept/,
  );
  send(globalThis.window, "online");
  await rest(20);
  stop(offline);
  assert.deepEqual(called, [], "it is not back yet");
  answering(({ method }) => ({
    body: method === "PUT" ? { revision: 2 } : { status: "done", next: null, guideline: "newer" },
  }));
  send(globalThis.window, "online");
  await rest(40);
  assert.equal(words(at("outbox")), "1 pair submitted offline has been sent.");
  assert.deepEqual(called, ["newer", "prefetch"]);
  send(globalThis.window, "online");
  await rest(20);
  assert.deepEqual(called, ["newer", "prefetch"], "once");
});

test("any other request that the server answers ends it too, and it is asked again without being told of a network", async (t) => {
  const { offline, called } = page(Date.UTC(2026, 0, 2, 3, 4));
  answering(() => ({ status: 0 }));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  offline.start();
  t.mock.timers.tick(60000);
  t.mock.timers.reset();
  await rest(20);
  const told = () => words(at("outbox"));
  assert.match(told(), /^You are offline\./);
  answering(({ method }) => (method === "PUT" ? { body: { revision: 2 } } : { status: 503 }));
  await request("GET", "/busy");
  assert.match(told(), /^You are offline\./);
  await request("PUT", "/annotation", {});
  assert.deepEqual([told(), at("outbox").hidden, called], ["", true, []]);
  answering(() => ({ body: { guideline: "newer" } }));
  await offline.checkServer();
  stop(offline);
  assert.deepEqual(called, ["newer", "prefetch"]);
});
