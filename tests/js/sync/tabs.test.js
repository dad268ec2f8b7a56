import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { openJournal, OtherTabs } from "../../../static/js/workspace/sync/tabs.js";
import { FakeStorage } from "../helpers.js";

/** @type {Record<string, (event: any) => void>} */
const listeners = {};
globalThis.addEventListener = (type, listener) => void (listeners[type] = listener);

/** The locks of a browser in which other tabs hold some names. @param {string[]} held */
function locks(held) {
  const request = async (name, options, callback) => {
    void (callback ?? options)(held.includes(name) ? null : { name });
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks: { request } }, configurable: true });
}

const patch = (n) => [{ kind: "comment", id: "", before: String(n - 1), after: String(n) }];

/** What a tab left in the storage, last used at a time. */
function left(storage, tab, at) {
  const journal = new Journal(storage, 7, tab);
  journal.confirmSave(1, 0, {});
  journal.append(patch(1));
  storage.setItem(`${journal.prefix}head`, JSON.stringify({ ...journal.head, at }));
  return journal;
}

test("unsaved work of closed tabs: the latest is continued, and all others are returned", async () => {
  const storage = new FakeStorage();
  locks([]);
  for (const [tab, at] of [
    ["one", 1],
    ["three", 3],
    ["two", 2],
  ])
    left(storage, tab, at);
  const { journal, others, alive } = await openJournal(storage, 7);
  assert.equal(journal.tab, "three");
  assert.deepEqual(
    others.map(({ tab }) => tab),
    ["two", "one"],
  );
  assert.deepEqual(alive, []);
  for (const each of [journal, ...others]) assert.deepEqual(each.pending(), [patch(1)], each.tab);
});

test("a tab that was closed is taken over like one that was killed", async () => {
  const storage = new FakeStorage();
  locks([]);
  left(storage, "killed", 1);
  left(storage, "closed", 2).put("closed", true);
  const { journal, others } = await openJournal(storage, 7);
  assert.deepEqual([journal.tab, others.map(({ tab }) => tab)], ["closed", ["killed"]]);
  assert.equal(journal.read("closed"), null, "it lives again");
});

test("an open tab keeps its work to itself", async () => {
  const storage = new FakeStorage();
  locks(["diptych/7/alive"]);
  left(storage, "alive", 2);
  left(storage, "left", 1);
  const { journal, others, alive } = await openJournal(storage, 7);
  assert.deepEqual([journal.tab, others, alive], ["left", [], ["alive"]]);
});

test("a first visit starts a new journal", async () => {
  const storage = new FakeStorage();
  locks([]);
  const { journal, others } = await openJournal(storage, 7);
  assert.match(journal.tab, /^[0-9a-f]{8}$/);
  assert.deepEqual([others, journal.pending()], [[], []]);
});

test("unsaved work is continued in preference to a later tab without any", async () => {
  const storage = new FakeStorage();
  locks([]);
  left(storage, "owes", 1);
  left(storage, "submitted", 2).confirmSave(2, 1, {});
  const { journal, others } = await openJournal(storage, 7);
  assert.deepEqual([journal.tab, others.map(({ tab }) => tab)], ["owes", ["submitted"]]);
});

test("a page that comes back after a log-out, which removed its journal, is loaded again", async () => {
  let reloaded = 0;
  globalThis.location = { reload: () => void (reloaded += 1) };
  const storage = new FakeStorage();
  locks([]);
  const { journal } = await openJournal(storage, 7);
  journal.confirmSave(1, 0, {});
  listeners.pagehide({});
  listeners.pageshow({ persisted: true });
  assert.deepEqual([journal.read("closed"), reloaded], [null, 0]);
  listeners.pagehide({});
  journal.clear();
  listeners.pageshow({ persisted: false });
  assert.equal(reloaded, 0);
  listeners.pageshow({ persisted: true });
  assert.equal(reloaded, 1);
});

/** A tab that listens to others: what it hears, and what they hear of it. @param {string[]} [held] Names that never become free. */
function others(tab, held = []) {
  const request = (name, _, then) => (held.includes(name) ? new Promise(() => {}) : Promise.resolve().then(then));
  Object.defineProperty(globalThis, "navigator", { value: { locks: { request } }, configurable: true });
  const heard = [];
  const sent = [];
  globalThis.BroadcastChannel = class {
    addEventListener(_, listener) {
      this.listener = listener;
    }
    postMessage(message) {
      sent.push(message);
    }
  };
  const tabs = new OtherTabs(
    "3/7",
    tab,
    (revision) => heard.push(["saved", revision]),
    () => heard.push(["submitted"]),
    (n) => heard.push(["others", n]),
  );
  const say = (message) => tabs.channel.listener({ data: message });
  return { tabs, heard, sent, say };
}

test("a tab says hello, and answers those who do", () => {
  const { sent, say, heard, tabs } = others("one", ["diptych/3/7/two"]);
  assert.deepEqual(sent, [{ kind: "hello", tab: "one" }]);
  say({ kind: "hello", tab: "two" });
  say({ kind: "here", tab: "two" });
  assert.deepEqual([sent.slice(1), heard], [[{ kind: "here", tab: "one" }], [["others", 1]]], "a tab is counted once");
  say({ kind: "hello", tab: "one" });
  assert.equal(sent.length, 2, "it does not answer itself");
  tabs.announceSave(5);
  tabs.announceSubmission();
  listeners.pagehide({});
  assert.deepEqual(sent.slice(2), [
    { kind: "saved", tab: "one", revision: 5 },
    { kind: "submitted", tab: "one" },
    { kind: "bye", tab: "one" },
  ]);
});

test("saves, submissions and farewells of others are heard", () => {
  const { say, heard } = others("one", ["diptych/3/7/two"]);
  say({ kind: "saved", tab: "two", revision: 5 });
  say({ kind: "submitted", tab: "two" });
  say({ kind: "bye", tab: "two" });
  say({ kind: "bye", tab: "two" });
  assert.deepEqual(
    heard.filter(([kind]) => kind !== "others"),
    [["saved", 5], ["submitted"]],
  );
  assert.deepEqual(
    heard.filter(([kind]) => kind === "others"),
    [
      ["others", 1],
      ["others", 0],
    ],
  );
});

test("a tab that crashes is gone once its name is free", async () => {
  const { tabs, heard } = others("one");
  tabs.addTab("two");
  assert.equal(tabs.others.size, 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    [tabs.others.size, heard],
    [
      0,
      [
        ["others", 1],
        ["others", 0],
      ],
    ],
  );
});

test("without channels of the browser nobody is heard, and nothing fails", () => {
  delete globalThis.BroadcastChannel;
  const tabs = new OtherTabs(
    "3/7",
    "one",
    () => {},
    () => {},
    () => {},
  );
  tabs.announceSave(1);
  assert.deepEqual([tabs.channel, tabs.others.size], [null, 0]);
});
