import assert from "node:assert/strict";
import { test } from "node:test";
import { merged } from "../../static/js/workspace/preferences.js";

test("what the server has goes before this browser's copy", () => {
  const values = merged({ size: 21 }, { size: 15, face: "sans" });
  assert.deepEqual([values.size, values.face, values.together], [21, "sans", true]);
});

test("a choice that the server does not have yet goes before", () => {
  const values = merged({ size: 21, line: 2 }, { size: 15, owed: true });
  assert.deepEqual([values.size, values.line], [15, 2]);
  assert.equal("owed" in values, false);
});

test("what another version or another page left is passed over", () => {
  const values = merged({ theme: "dark", language: "de" }, { size: "large", split: null, unknown: 1 });
  assert.deepEqual(Object.keys(values).sort(), ["face", "ledger", "letters", "line", "size", "split", "together"]);
  assert.deepEqual([values.size, values.split], [17, 50]);
});
