/** What is sent to the server with a request. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { request } from "../../../static/js/workspace/sync/api.js";

const sent = [];
globalThis.fetch = async (url, options) => {
  sent.push({ url, ...options });
  return Response.json({ revision: 2 });
};

test("a body is sent as JSON with the token and the user of the page; without one nothing is sent", async () => {
  assert.deepEqual(await request("PUT", "/annotation", { revision: 1 }), { outcome: "ok", data: { revision: 2 } });
  await request("GET", "/assignment");
  assert.deepEqual(
    sent.map(({ url, method, body, keepalive }) => [url, method, body, keepalive]),
    [
      ["/annotation", "PUT", '{"revision":1}', false],
      ["/assignment", "GET", undefined, false],
    ],
  );
  assert.deepEqual(
    [sent[0].headers["X-CSRFToken"], sent[0].headers["X-Diptych-User"], sent[0].credentials],
    ["token", "3", "same-origin"],
  );
});

test("the last request outlives the page if browsers allow its size; a new token in the cookie takes precedence", async () => {
  document.cookie = "csrftoken=new%20one";
  sent.length = 0;
  await request("PUT", "/a", { words: "x".repeat(29000) }, true);
  await request("PUT", "/a", { words: "x".repeat(31000) }, true);
  assert.deepEqual(
    sent.map(({ keepalive }) => keepalive),
    [true, false],
  );
  assert.equal(sent[0].headers["X-CSRFToken"], "new one");
});

test("a response that is not JSON is a log-in page", async () => {
  globalThis.fetch = async () => new Response("<html>", { headers: { "content-type": "text/html" } });
  assert.deepEqual(await request("GET", "/assignment"), { outcome: "login", data: null });
});

test("an aborted request is not a busy server", async () => {
  globalThis.fetch = async () => {
    throw new DOMException("aborted", "AbortError");
  };
  assert.equal((await request("GET", "/assignment")).outcome, "offline");
});
