import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { answering, at, requests, rest, send, write } from "../page.js";
import { mergePreferences, Preferences } from "../../../static/js/workspace/input/preferences.js";
import { FakeStorage } from "../helpers.js";

test("the server's values take precedence over this browser's copy", () => {
  const values = mergePreferences({ size: 21 }, { size: 15, face: "sans" });
  assert.deepEqual([values.size, values.face, values.together], [21, "sans", true]);
});

test("a choice that the server does not have yet takes precedence", () => {
  const values = mergePreferences({ size: 21, line: 2 }, { size: 15, unsaved: true });
  assert.deepEqual([values.size, values.line], [15, 2]);
  assert.equal("unsaved" in values, false);
});

test("values of another version or page are ignored", () => {
  const values = mergePreferences({ theme: "dark", language: "de" }, { size: "large", split: null, unknown: 1 });
  assert.deepEqual(Object.keys(values).sort(), [
    "face",
    "ledger",
    "letters",
    "line",
    "size",
    "split",
    "together",
    "whole",
  ]);
  assert.deepEqual([values.size, values.split], [17, 50]);
});

test("two users of one browser do not see each other's preferences, and formerly shared ones are removed", () => {
  const storage = new FakeStorage();
  storage.setItem("diptych/preferences", JSON.stringify({ size: 25, unsaved: true }));
  const ada = new Preferences(storage, "1", {}, "");
  assert.equal(ada.values.size, 17);
  ada.set("size", 22);
  assert.equal(new Preferences(storage, "2", {}, "").values.size, 17);
  assert.equal(new Preferences(storage, "11", {}, "").values.size, 17);
  assert.equal(new Preferences(storage, "1", {}, "").values.size, 22);
  assert.deepEqual([...storage.items.keys()], ["diptych/preferences/1"]);
});

test("a choice is sent once it rests, and is newer than the server's until the server has it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const storage = new FakeStorage();
  const kept = () => JSON.parse(storage.getItem("diptych/preferences/1"));
  const keepalive = mock.method(globalThis, "fetch");
  const preferences = new Preferences(storage, "1", { size: 15 }, "/preferences");
  requests.length = 0;
  preferences.set("size", 20);
  mock.timers.tick(499);
  preferences.set("size", 21);
  mock.timers.tick(499);
  assert.deepEqual([requests.length, kept().size, kept().unsaved], [0, 21, true]);
  answering(() => ({ status: 0 }));
  mock.timers.tick(1);
  mock.timers.reset();
  await rest();
  assert.deepEqual(
    requests.map(({ method, url, body }) => [method, url, body.size]),
    [["PUT", "/preferences", 21]],
  );
  assert.equal(keepalive.mock.calls[0].arguments[1].keepalive, true, "even if the page closes");
  assert.equal(kept().unsaved, true, "the server was not reached");
  assert.equal(new Preferences(storage, "1", { size: 15 }, "/preferences").values.size, 21);
  answering(() => ({ body: {} }));
  await preferences.send();
  assert.equal(kept().unsaved, false);
  assert.equal(new Preferences(storage, "1", { size: 15 }, "/preferences").values.size, 15);
});

test("without a server a choice stays in this browser, and is unsaved to none", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const storage = new FakeStorage();
  requests.length = 0;
  new Preferences(storage, "1", {}, "").set("line", 2);
  mock.timers.tick(1000);
  mock.timers.reset();
  await rest();
  assert.deepEqual([requests, JSON.parse(storage.getItem("diptych/preferences/1")).unsaved], [[], false]);
});

test("unreadable or missing storage is no obstacle", () => {
  const storage = new FakeStorage();
  storage.setItem("diptych/preferences/1", "{");
  assert.equal(new Preferences(storage, "1", { size: 15 }, "").values.size, 15);
  storage.setItem = () => {
    throw new Error("full");
  };
  const preferences = new Preferences(storage, "1", {}, "");
  preferences.set("size", 20);
  assert.equal(preferences.values.size, 20);
});

test("the texts are shown in the size, line height, typeface and division that were chosen", () => {
  const shown = () =>
    ["--text-size", "--text-line", "--read", "--split"].map((name) =>
      document.documentElement.style.getPropertyValue(name),
    );
  const preferences = new Preferences(new FakeStorage(), "1", { size: 21, line: 2, split: 40 }, "");
  assert.deepEqual(shown(), ["21px", "2", "var(--serif)", "40%"]);
  const heard = [];
  preferences.on((values) => heard.push(values.face));
  preferences.set("face", "sans");
  assert.deepEqual([shown()[2], heard], ["var(--ui)", ["sans"]]);
});

test("the form shows what holds and changes it", () => {
  write();
  const preferences = new Preferences(new FakeStorage(), "1", { size: 21, face: "sans", ledger: false }, "");
  preferences.connect();
  const field = (name) => at("preferences-form").querySelector(`[name=${name}]`);
  assert.deepEqual(
    ["size", "face"].map((name) => field(name).value),
    ["21", "sans"],
  );
  assert.deepEqual(
    ["ledger", "letters"].map((name) => field(name).checked),
    [false, true],
  );
  assert.equal(field("letters").value, "on", "a box keeps its value");
  for (const [name, property, value] of [
    ["size", "value", "18"],
    ["face", "value", "serif"],
    ["ledger", "checked", true],
  ]) {
    field(name)[property] = value;
    send(field(name), "input");
  }
  assert.deepEqual([preferences.values.size, preferences.values.face, preferences.values.ledger], [18, "serif", true]);
  preferences.toggle("letters");
  assert.deepEqual([field("letters").checked, field("ledger").checked, field("size").checked], [false, true, false]);
});
