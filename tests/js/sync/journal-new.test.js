import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeStorage } from "../helpers.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";

test("a new journal has nothing in it, and counts from nothing", () => {
  const journal = new Journal(new FakeStorage(), "3/7", "tab");
  assert.deepEqual(journal.head, { cursor: 0, length: 0, clock: 0, at: 0 });
  assert.equal(journal.base(), null);
});
