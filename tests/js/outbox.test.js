/** The start page sends what was submitted offline, for the user who is logged in. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, requests, rest, words } from "./page.js";
import { annotation } from "./helpers.js";
import { Journal } from "../../static/js/workspace/sync/journal.js";
import { storage } from "../../static/js/workspace/sync/storage.js";

Object.defineProperty(navigator, "locks", {
  value: { request: async (_name, _how, call) => call({}) },
  configurable: true,
});

test("what waits is sent for the user of the page, and for nobody where nobody is logged in", async () => {
  const journal = new Journal(storage, "3/7", "t");
  journal.confirmSave(1, 0, annotation());
  journal.put("verdict", { verdict: "submitted", reason: "" });
  journal.put("queued", { id: 7, n: 1, page: "/work/7/", urls: { annotation: "/a", submit: "/s", assignment: "/g" } });
  document.body.innerHTML = '<div id="outbox" hidden></div>';
  answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : { status: "done", next: null } }));
  await import("../../static/js/outbox.js?nobody");
  await rest(10);
  assert.equal(requests.length, 0);
  document.documentElement.dataset.user = "3";
  await import("../../static/js/outbox.js");
  await rest(20);
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["/a", "/s"],
  );
  assert.equal(words(document.getElementById("outbox")), "1 pair submitted offline has been sent.");
  delete document.documentElement.dataset.user;
});
