/** The panel of messages. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, at, media, press, requests, rest, send, words } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Messages } from "../../../static/js/workspace/input/messages.js";
import * as selection from "../../../static/js/workspace/model/selection.js";
import { Threads } from "../../../static/js/workspace/sync/threads.js";

const said = (id, by, text) => ({ id, by, name: "", mine: false, text, made: "2026-11-23T09:05:00+00:00" });
const thread = (id, more = {}) => ({ id, words: [], span: "", unread: false, resolved: false, waiting_for: "lead", messages: [said(10 * id, "lead", `text ${id}`)], ...more });

/** @param {any[]} list What the server has. */
function panel(list = [], { archived = false, mine = true, storage = new FakeStorage() } = {}) {
  const made = built({ more: { archived, messages: { open: list.length, new: 1, mine } } });
  const done = [];
  const does = {
    go: (side, index) => done.push(["go", side, index]),
    both: (tokens) => done.push(["both", tokens]),
    close: () => void (at("messages").hidden = true),
    say: (text) => done.push(["say", text]),
  };
  requests.length = 0;
  answering(({ method, url, body }) => {
    if (method === "GET") return { body: { threads: list } };
    const id = Number(/(\d+)\//.exec(url)?.[1] ?? 99);
    return { body: thread(id, url.endsWith("/resolved/") ? body : { messages: [said(1, "annotator", body.text ?? "")] }) };
  });
  const messages = new Messages(made.store, made.view, new Threads("/api/m/", 7, mine), storage, "draft", does);
  return { ...made, messages, done, storage };
}

test("it opens with what was said, which is read then, and closes again", async () => {
  const { messages } = panel([thread(1, { unread: true }), thread(2)]);
  assert.deepEqual([at("messages").hidden, at("messages-new").hidden, at("messages-new").textContent], [true, false, "1"]);
  await messages.toggle();
  assert.deepEqual([...at("threads").querySelectorAll(".said")].map((one) => one.textContent), ["text 1", "text 2"]);
  assert.deepEqual(requests.map(({ url }) => url), ["/api/m/?assignment=7&size=50", "/api/m/1/read/"]);
  assert.deepEqual([at("messages-new").hidden, at("no-threads").hidden, document.activeElement === at("message-text")], [true, true, true]);
  await messages.toggle();
  assert.ok(at("messages").hidden);
});

test("a message is about the words selected when it was begun, and is sent by Ctrl and Enter", async () => {
  const { messages, store, storage, done } = panel();
  store.select(selection.of({ a: [0], b: [] }));
  await messages.open();
  assert.equal(words(at("message-about")), `New message: ${store.grids.a.slice(...store.grids.a.tokens[0])}`);
  assert.ok(!at("no-threads").hidden);
  const text = at("message-text");
  text.value = "One or two?";
  send(text, "input");
  assert.equal(storage.getItem("draft"), "One or two?");
  store.select(selection.of({ a: [2], b: [] }));
  const event = press(text, "Enter", { ctrlKey: true });
  assert.ok(event.defaultPrevented);
  press(text, "Enter", { ctrlKey: true });
  await rest();
  const [start, end] = store.grids.a.tokens[0];
  assert.deepEqual(requests.slice(1), [{ method: "POST", url: "/api/m/", body: { assignment: 7, text: "One or two?", span: "", words: [{ side: "a", start, end }] } }]);
  assert.deepEqual([text.value, storage.getItem("draft"), done.at(-1), at("threads").childElementCount], ["", null, ["say", "Message sent"], 1]);
});

test("words chosen while nothing is typed are those it is about; an empty message is not sent", async () => {
  const { messages, store } = panel();
  await messages.open();
  assert.equal(words(at("message-about")), "New message: about the pair");
  store.select(selection.of({ a: [], b: [1] }));
  assert.match(words(at("message-about")), new RegExp(store.grids.b.slice(...store.grids.b.tokens[1])));
  store.select(selection.EMPTY);
  assert.equal(words(at("message-about")), "New message: about the pair");
  send(at("message-form"), "submit");
  await rest();
  assert.equal(requests.length, 1);
});

test("a thread is answered, resolved and opened again", async () => {
  const { messages, done } = panel([thread(1, { words: [{ side: "a", start: 0, end: 1, text: "eins" }] })]);
  await messages.open();
  const press = (what) => send(at("threads").querySelector(`[data-do=${what}]`), "click");
  press("answer");
  assert.equal(words(at("message-about")), "Answer: eins");
  assert.ok(!at("message-new").hidden);
  at("message-text").value = "Yes.";
  send(at("message-form"), "submit");
  await rest();
  assert.deepEqual(requests.at(-1), { method: "POST", url: "/api/m/1/", body: { text: "Yes." } });
  assert.ok(at("message-new").hidden);
  press("answer");
  send(at("message-new"), "click");
  assert.match(words(at("message-about")), /^New message/);
  press("resolve");
  await rest();
  assert.deepEqual([requests.at(-1).body, done.at(-1), document.activeElement.id], [{ resolved: true }, ["say", "Resolved"], "thread-1"]);
  press("reopen");
  await rest();
  assert.deepEqual([requests.at(-1).body, done.at(-1)], [{ resolved: false }, ["say", "Open again"]]);
});

test("its words are shown in the texts; in a narrow window the panel makes way", async () => {
  const quoted = [{ side: "b", start: 0, end: 1, text: "x" }];
  const { messages, done, store } = panel([thread(1, { words: quoted })]);
  await messages.open(1);
  assert.deepEqual([done[0], store.flashed.b.has(0), document.activeElement.id], [["go", "b", 0], true, "thread-1"]);
  const show = () => send(at("threads").querySelector("[data-do=show]"), "click");
  show();
  assert.ok(!at("messages").hidden);
  media.add("(max-width: 1100px)");
  show();
  media.clear();
  assert.ok(at("messages").hidden);
});

test("what is refused stays in the field, with the reason", async () => {
  const { messages } = panel();
  await messages.open();
  answering(() => ({ status: 422, body: { error: { message: "Too long.", hint: "" } } }));
  at("message-text").value = "x";
  send(at("message-form"), "submit");
  await rest();
  assert.deepEqual([at("message-text").value, at("message-problem").hidden, at("message-problem").textContent], ["x", false, "Too long."]);
});

test("what was typed is there when the page opens again; in an archived project nothing is written", () => {
  const storage = new FakeStorage();
  storage.setItem("draft", "One or");
  panel([], { storage });
  assert.deepEqual([at("message-text").value, at("message-form").hidden], ["One or", false]);
  panel([], { archived: true });
  assert.ok(at("message-form").hidden);
});

test("where the browser selects, its selection is what a message is about", async () => {
  const { messages, store, word } = panel();
  store.readOnly = true;
  await messages.open();
  const range = document.createRange();
  range.setStart(word("a", 1), 0);
  range.setEnd(word("a", 2), 1);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  send(document, "selectionchange");
  assert.deepEqual(messages.about.words.map(({ start }) => start), [store.grids.a.tokens[1][0]]);
  getSelection().removeAllRanges();
});
