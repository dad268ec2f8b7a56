import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "../../../static/js/workspace/sync/api.js";

/** The result of `request` for a response, or for an error of `fetch`. */
async function outcome(answer) {
  const before = [globalThis.document, globalThis.fetch];
  globalThis.document = /** @type {any} */ ({ cookie: "", querySelector: () => null });
  globalThis.fetch = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  try {
    return (await request("PUT", "/annotation/", {})).outcome;
  } finally {
    [globalThis.document, globalThis.fetch] = before;
  }
}

const json = (status) => new Response("{}", { status, headers: { "content-type": "application/json" } });

test("a disk that is full or protected is said by the server, not by a proxy", async () => {
  assert.equal(await outcome(refusal(507, "disk-full")), "storage");
  assert.equal(await outcome(json(507)), "broken");
});

test("503 is a busy server, other failures are broken, and only a server that was not reached is offline", async () => {
  assert.equal(await outcome(json(200)), "ok");
  assert.equal(await outcome(json(503)), "busy");
  assert.equal(await outcome(json(500)), "broken");
  assert.equal(await outcome(new TypeError("Failed to fetch")), "offline");
});

test("a server that was reached but does not respond in time is busy, not offline", async () => {
  assert.equal(await outcome(new DOMException("timed out", "TimeoutError")), "busy");
});

const refusal = (status, code) => Response.json({ error: { code, message: "", where: "", hint: "" } }, { status });

test("a refusal by a domain rule is not mistaken for an expired log-in, whatever its code", async () => {
  assert.equal(await outcome(refusal(403, "forbidden")), "refused");
  assert.equal(await outcome(refusal(403, "phase-closed")), "refused");
  assert.equal(await outcome(refusal(422, "invalid")), "refused");
});

test("a missing log-in is recognised in every form in which the server reports it", async () => {
  assert.equal(await outcome(refusal(403, "not_authenticated")), "login");
  assert.equal(await outcome(refusal(401, "authentication_failed")), "login");
  assert.equal(await outcome(refusal(403, "permission_denied")), "login", "a token that is not of this log-in");
  assert.equal(
    await outcome(new Response("<h1>Not allowed</h1>", { status: 403, headers: { "content-type": "text/html" } })),
    "login",
  );
  assert.equal(
    await outcome(new Response("<h1>Log in</h1>", { status: 200, headers: { "content-type": "text/html" } })),
    "login",
  );
});

test("newer work and missing work are distinguished", async () => {
  assert.equal(await outcome(refusal(409, "conflict")), "conflict");
  assert.equal(await outcome(refusal(404, "not-found")), "gone");
  assert.equal(await outcome(refusal(410, "gone")), "gone");
});

test("someone else's session is neither an expired log-in nor a refusal of the work", async () => {
  assert.equal(await outcome(refusal(403, "other-user")), "other");
});

test("every request names the user for whom the page was rendered", async () => {
  const before = [globalThis.document, globalThis.fetch];
  globalThis.document = /** @type {any} */ ({
    cookie: "csrftoken=abc",
    querySelector: (/** @type {string} */ selector) => (selector === "meta[name=user]" ? { content: "17" } : null),
  });
  /** @type {Record<string, string>[]} */
  const sent = [];
  globalThis.fetch = async (_, { headers }) => (sent.push(headers), Response.json({}));
  try {
    for (const method of ["GET", "PUT", "POST"])
      await request(method, "/annotation/", method === "GET" ? undefined : {});
  } finally {
    [globalThis.document, globalThis.fetch] = before;
  }
  assert.deepEqual(
    sent.map((headers) => [headers["X-Diptych-User"], headers["X-CSRFToken"]]),
    Array(3).fill(["17", "abc"]),
  );
});

test("a preview, whose addresses begin with #, is answered without a server, as if everything were saved", async () => {
  assert.deepEqual(await request("PUT", "#", { revision: 3 }), {
    outcome: "ok",
    data: { revision: 3, status: "done", next: null },
  });
});
