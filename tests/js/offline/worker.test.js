/** The service worker: the server first; without it, what is kept of one person, and only pages and their parts. */

import assert from "node:assert/strict";
import { test } from "node:test";

const PAGE = "https://site.org/projects/p/work/7/";

/** What the worker listens to; it takes everything else from the scope that it runs in at the time. */
const listeners = {};
globalThis.addEventListener = (type, call) => (listeners[type] = call);
globalThis.location = new URL(PAGE);
await import("../../../static/js/offline/worker.js");

/** A worker with caches by name, each of addresses with their content. */
function worker(kept = {}) {
  const done = [];
  let network = async () => new Response("from the server");
  const caches = {
    keys: async () => Object.keys(kept),
    open: async (name) => ({
      match: async (url, how) => (assert.ok(how.ignoreVary), kept[name][url] && new Response(kept[name][url])),
    }),
  };
  Object.assign(globalThis, {
    caches,
    fetch: (request) => network(request),
    skipWaiting: () => done.push("now"),
    clients: { claim: async () => done.push("claimed") },
    registration: { navigationPreload: { enable: async () => done.push("preload") } },
  });
  const ask = async (request, preloadResponse) => {
    let answer = null;
    listeners.fetch({
      request: { method: "GET", url: PAGE, mode: "navigate", destination: "document", ...request },
      preloadResponse,
      respondWith: (given) => (answer = given),
    });
    const response = answer && (await answer);
    return response ? (response.type === "error" ? "error" : await response.text()) : null;
  };
  return { ask, listeners, done, fails: (how) => (network = how) };
}
const offline = async () => {
  throw new TypeError("offline");
};

test("it takes over at once, and pages are asked for while it starts", async () => {
  const { listeners, done } = worker();
  listeners.install();
  let waited = null;
  listeners.activate({ waitUntil: (given) => (waited = given) });
  await waited;
  assert.deepEqual(done, ["now", "claimed", "preload"]);
});

test("with a network, the server answers", async () => {
  const { ask } = worker({ "diptych/kept/3/a": { [PAGE]: "kept" } });
  assert.equal(await ask({}), "from the server");
  assert.equal(await ask({}, Promise.resolve(new Response("preloaded"))), "preloaded");
});

test("without one, what is kept is there: pages and their parts", async () => {
  const script = "https://site.org/static/main.js";
  const { ask, fails } = worker({
    other: { [PAGE]: "of another program" },
    "diptych/kept/3/a": { [PAGE]: "kept", [script]: "script" },
  });
  fails(offline);
  assert.equal(await ask({}), "kept");
  assert.equal(await ask({}, Promise.reject(new TypeError("offline"))), "kept");
  assert.equal(await ask({ url: script, mode: "cors", destination: "script" }), "script");
  assert.equal(await ask({ url: `${PAGE}x/` }), "error");
  for (const status of [502, 503, 504]) {
    fails(async () => new Response("down", { status }));
    assert.equal(await ask({}), "kept");
    assert.equal(await ask({ url: `${PAGE}x/` }), "down");
  }
  fails(async () => new Response("refused", { status: 403 }));
  assert.equal(await ask({}), "refused", "what the server says counts");
});

test("saves, requests of scripts and other sites are left alone", async () => {
  const { ask } = worker();
  assert.equal(await ask({ method: "PUT" }), null);
  assert.equal(await ask({ mode: "cors", destination: "" }), null);
  assert.equal(await ask({ url: "https://other.org/x.js", destination: "script" }), null);
});

test("whose page is asked for is unknown if those of two people are kept", async () => {
  const { ask, fails } = worker({ "diptych/kept/3/a": { [PAGE]: "of 3" }, "diptych/kept/4/a": { [PAGE]: "of 4" } });
  fails(offline);
  assert.equal(await ask({}), "error");
});
