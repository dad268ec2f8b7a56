import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, Preferences } from "../../../static/js/workspace/input/preferences.js";
import { FakeStorage } from "../helpers.js";

test("the server's values take precedence over this browser's copy", () => {
  const values = merged({ size: 21 }, { size: 15, face: "sans" });
  assert.deepEqual([values.size, values.face, values.together], [21, "sans", true]);
});

test("a choice that the server does not have yet takes precedence", () => {
  const values = merged({ size: 21, line: 2 }, { size: 15, owed: true });
  assert.deepEqual([values.size, values.line], [15, 2]);
  assert.equal("owed" in values, false);
});

test("values of another version or page are ignored", () => {
  const values = merged({ theme: "dark", language: "de" }, { size: "large", split: null, unknown: 1 });
  assert.deepEqual(Object.keys(values).sort(), ["face", "ledger", "letters", "line", "size", "split", "together", "whole"]);
  assert.deepEqual([values.size, values.split], [17, 50]);
});

test("two users of one browser do not see each other's preferences, and formerly shared ones are removed", () => {
  globalThis.document = { documentElement: { style: { setProperty: () => {} } } };
  const storage = new FakeStorage();
  storage.setItem("diptych/preferences", JSON.stringify({ size: 25, owed: true }));
  const ada = new Preferences(storage, "1", {}, "");
  assert.equal(ada.values.size, 17);
  ada.set("size", 22);
  assert.equal(new Preferences(storage, "2", {}, "").values.size, 17);
  assert.equal(new Preferences(storage, "11", {}, "").values.size, 17);
  assert.equal(new Preferences(storage, "1", {}, "").values.size, 22);
  assert.deepEqual([...storage.items.keys()], ["diptych/preferences/1"]);
  delete globalThis.document;
});
