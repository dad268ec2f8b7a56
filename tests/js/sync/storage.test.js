import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { isPersistent, storage } from "../../../static/js/workspace/sync/storage.js";

test("the browser's storage is used if it is available, and left as it was", () => {
  assert.equal(storage, localStorage);
  assert.equal(isPersistent, true);
  assert.equal(localStorage.length, 0);
});

test("if it is blocked, a replacement keeps values until the page closes, and says that they do not last", async () => {
  Object.defineProperty(globalThis, "localStorage", {
    get: () => {
      throw new Error("closed");
    },
    configurable: true,
  });
  const closed = await import("../../../static/js/workspace/sync/storage.js?closed");
  const { storage: kept } = closed;
  assert.equal(closed.isPersistent, false);
  kept.setItem("a", "1");
  kept.setItem("b", "2");
  assert.deepEqual(
    [kept.length, kept.getItem("a"), kept.getItem("c"), kept.key(1), kept.key(2)],
    [2, "1", null, "b", null],
  );
  kept.removeItem("a");
  assert.deepEqual([kept.length, kept.getItem("a")], [1, null]);
  kept.clear();
  assert.equal(kept.length, 0);
});
