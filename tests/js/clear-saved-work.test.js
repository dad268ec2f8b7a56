/** On a page without a log-in, the pairs that were kept for working offline are deleted, and nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

test("kept pairs and the workers that answer with them are removed", async () => {
  const names = new Set(["diptych/kept/3/a", "diptych/kept/4/b", "other"]);
  const gone = [];
  globalThis.caches = { keys: async () => [...names], delete: async (name) => names.delete(name) };
  const registered = ["https://s.org/projects/p/work/", "https://s.org/"].map((scope) => ({
    scope,
    unregister: async () => gone.push(scope),
  }));
  Object.defineProperty(navigator, "serviceWorker", {
    value: { getRegistrations: async () => registered },
    configurable: true,
  });
  await import("../../static/js/clear-saved-work.js");
  assert.deepEqual([[...names], gone], [["other"], ["https://s.org/projects/p/work/"]]);
});

test("a browser that can keep nothing has nothing to forget", async () => {
  delete globalThis.caches;
  Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  await import("../../static/js/clear-saved-work.js?without");
  globalThis.caches = { keys: async () => Promise.reject(new Error("blocked")) };
  await import("../../static/js/clear-saved-work.js?blocked");
});
