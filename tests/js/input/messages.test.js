/** The panel of messages. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, at, media, press, requests, rest, send, sighted, words } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Messages } from "../../../static/js/workspace/input/messages.js";
import * as selection from "../../../static/js/workspace/model/selection.js";
import { Threads } from "../../../static/js/workspace/sync/threads.js";

const said = (id, by, text) => ({ id, by, name: "", mine: false, text, made: "2026-11-23T09:05:00+00:00" });
const thread = (id, more = {}) => ({
  id,
  words: [],
  span: "",
  unread: false,
  new: false,
  read_by: [],
  resolved: false,
  waiting_for: "lead",
  messages: [said(10 * id, "lead", `text ${id}`)],
  ...more,
});

/** The words that the browser selects, from one to another. */
function marks(from, to) {
  getSelection().removeAllRanges();
  const range = document.createRange();
  range.setStart(from.firstChild, 0);
  range.setEnd(to.firstChild, 1);
  getSelection().addRange(range);
  send(document, "selectionchange");
}

/** Type over what is in the field. */
function type(text) {
  at("message-text").value = text;
  send(at("message-text"), "input");
}

/** The words that the message that is written is about. */
const about = () => words(at("message-about"));

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
    return {
      body: thread(id, url.endsWith("/resolved/") ? body : { messages: [said(1, "annotator", body.text ?? "")] }),
    };
  });
  const messages = new Messages(made.store, made.view, new Threads("/api/m/", 7, mine), storage, "unsent", does);
  return { ...made, messages, done, storage };
}

test("it opens with what was said, which is read once it has been in view, and closes again", async () => {
  const { messages } = panel([thread(1, { new: true }), thread(2), thread(3, { new: true })]);
  assert.deepEqual(
    [at("messages").hidden, at("messages-new").hidden, at("messages-new").textContent],
    [true, false, "1"],
  );
  await messages.toggle();
  const said = [...at("threads").querySelectorAll(".message-text")];
  assert.deepEqual(
    said.map((one) => one.textContent),
    ["text 1", "text 3", "text 2"],
  );
  assert.deepEqual(
    [requests.map(({ url }) => url), at("messages-new").textContent],
    [["/api/m/?assignment=7&size=50"], "2"],
  );
  sighted([said[1]]);
  sighted([said[0]], false);
  await rest();
  assert.deepEqual(
    [requests.slice(1).map(({ url }) => url), at("messages-new").textContent],
    [["/api/m/3/read/"], "1"],
  );
  sighted([said[0]]);
  await rest();
  assert.deepEqual(
    [at("messages-new").hidden, at("no-threads").hidden, document.activeElement === at("message-text")],
    [true, true, true],
  );
  await messages.toggle();
  assert.ok(at("messages").hidden);
});

test("a message is about the words selected when it was started, and is sent by Ctrl and Enter", async () => {
  const { messages, store, storage, done } = panel();
  store.select(selection.selectionOf({ a: [0], b: [] }));
  await messages.open();
  assert.equal(words(at("message-about")), `New message: ${store.grids.a.slice(...store.grids.a.tokens[0])}`);
  assert.ok(!at("no-threads").hidden);
  const text = at("message-text");
  text.value = "One or two?";
  send(text, "input");
  assert.equal(JSON.parse(storage.getItem("unsent")).text, "One or two?");
  store.select(selection.selectionOf({ a: [2], b: [] }));
  const event = press(text, "Enter", { ctrlKey: true });
  assert.ok(event.defaultPrevented);
  press(text, "Enter", { ctrlKey: true });
  await rest();
  const [start, end] = store.grids.a.tokens[0];
  assert.deepEqual(requests.slice(1), [
    {
      method: "POST",
      url: "/api/m/",
      body: { assignment: 7, text: "One or two?", span: "", words: [{ side: "a", start, end }] },
    },
  ]);
  assert.deepEqual(
    [text.value, storage.getItem("unsent"), done.at(-1), at("threads").childElementCount],
    ["", null, ["say", "Message sent"], 1],
  );
});

test("words chosen while nothing is typed are those it is about; an empty message is not sent", async () => {
  const { messages, store } = panel();
  await messages.open();
  assert.equal(words(at("message-about")), "New message: about the pair");
  store.select(selection.selectionOf({ a: [], b: [1] }));
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
  assert.equal(words(at("message-about")), "Reply: eins");
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
  assert.deepEqual(
    [requests.at(-1).body, done.at(-1), document.activeElement.id],
    [{ resolved: true }, ["say", "Resolved"], "thread-1"],
  );
  press("reopen");
  await rest();
  assert.deepEqual([requests.at(-1).body, done.at(-1)], [{ resolved: false }, ["say", "Reopened"]]);
});

test("its words are shown in the texts; in a narrow window the panel makes way", async () => {
  const quoted = [{ side: "b", start: 0, end: 1, text: "x" }];
  const { messages, done, store } = panel([thread(1, { words: quoted })]);
  await messages.open(1);
  assert.deepEqual(
    [done[0], store.highlighted.b.has(0), document.activeElement.id],
    [["go", "b", 0], true, "thread-1"],
  );
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
  assert.deepEqual(
    [at("message-text").value, at("message-problem").hidden, at("message-problem").textContent],
    ["x", false, "Too long."],
  );
});

test("what was typed is there when the page opens again; in an archived project nothing is written", () => {
  const storage = new FakeStorage();
  storage.setItem("unsent", "One or");
  panel([], { storage });
  assert.deepEqual([at("message-text").value, at("message-form").hidden], ["One or", false]);
  panel([], { archived: true });
  assert.ok(at("message-form").hidden);
});

test("where the browser selects, its selection is what a message is about", async () => {
  const { messages, store, word } = panel();
  store.readOnly = true;
  await messages.open();
  marks(word("a", 1), word("a", 2));
  assert.equal(about(), "New message: card is");
  // Focusing the field moves the browser's selection there.
  getSelection().removeAllRanges();
  send(document, "selectionchange");
  assert.equal(about(), "New message: card is");
  marks(word("a", 3), word("a", 3));
  assert.equal(about(), "New message: free.");
  const caret = document.createRange();
  caret.setStart(word("a", 0).firstChild, 0);
  getSelection().removeAllRanges();
  getSelection().addRange(caret);
  send(document, "selectionchange");
  assert.equal(about(), "New message: about the pair");
  getSelection().removeAllRanges();
});

test("the button takes the words that were selected when it was pressed", async () => {
  const { messages, store, word } = panel();
  store.readOnly = true;
  marks(word("b", 0), word("b", 1));
  send(document.querySelector("[data-command=messages]"), "pointerdown");
  getSelection().removeAllRanges();
  await messages.toggle();
  assert.equal(about(), "New message: Die Karte");
  await messages.toggle();
  await messages.toggle();
  assert.equal(about(), "New message: about the pair");
});

test("what is typed first is about all words chosen then, until more is typed or it is about the pair again", async () => {
  const { messages, store } = panel();
  await messages.open();
  type("One");
  for (const last of [0, 1, 2]) store.select(selection.selectionOf({ a: [0, 1, 2].slice(0, last + 1), b: [] }));
  assert.equal(about(), "New message: The card is");
  store.select(selection.EMPTY);
  assert.equal(about(), "New message: The card is");
  type("One or two?");
  store.select(selection.selectionOf({ a: [3], b: [] }));
  assert.equal(about(), "New message: The card is");
  send(at("message-pair"), "click");
  assert.deepEqual(
    [about(), at("message-pair").hidden, document.activeElement.id],
    ["New message: about the pair", true, "message-text"],
  );
  store.select(selection.selectionOf({ a: [3], b: [] }));
  assert.deepEqual([about(), at("message-pair").hidden], ["New message: free.", false]);
});

test("an unsent message keeps its words, and the conversation that it answers", async () => {
  const storage = new FakeStorage();
  const first = panel([], { storage });
  first.store.select(selection.selectionOf({ a: [1], b: [] }));
  await first.messages.open();
  type("One or");
  const again = panel([thread(1)], { storage });
  await again.messages.open();
  assert.deepEqual([about(), at("message-text").value], ["New message: card", "One or"]);
  send(at("threads").querySelector("[data-do=answer]"), "click");
  type("Yes, be");
  const third = panel([thread(1)], { storage });
  await third.messages.open();
  assert.deepEqual(
    [about(), at("message-text").value, at("message-new").hidden],
    ["Reply: about the pair", "Yes, be", false],
  );
  await third.messages.toggle();
  await third.messages.toggle();
  send(at("message-form"), "submit");
  await rest();
  assert.deepEqual([requests.at(-1).url, storage.getItem("unsent")], ["/api/m/1/", null]);
});

test("an answer to a conversation that is gone becomes a new message; one that could not be loaded stays", async () => {
  const storage = new FakeStorage();
  storage.setItem("unsent", JSON.stringify({ text: "Yes", about: { span: "", words: [] }, answering: 4 }));
  const offline = panel([], { storage });
  answering(() => ({ status: 0 }));
  await offline.messages.open();
  assert.deepEqual(
    [about(), at("no-threads").hidden, at("message-problem").hidden],
    ["Reply: about the pair", true, false],
  );
  const { messages } = panel([thread(1)], { storage });
  await messages.open();
  assert.equal(about(), "New message: about the pair");
});

test("what is typed while a message is under way is not lost", async () => {
  const { messages, storage } = panel();
  await messages.open();
  let answer = () => {};
  const { fetch } = globalThis;
  globalThis.fetch = async (...given) => {
    await new Promise((resolve) => (answer = resolve));
    return fetch(...given);
  };
  type("One?");
  send(at("message-form"), "submit");
  type("One? Or two");
  answer();
  await rest();
  globalThis.fetch = fetch;
  assert.deepEqual(
    [requests.at(-1).body.text, at("message-text").value, JSON.parse(storage.getItem("unsent")).text],
    ["One?", "Or two", "Or two"],
  );
});

test("the words that a message is about are outlined in the texts while the panel is open, whatever has the focus", async () => {
  const { messages, store, view } = panel([thread(1, { words: [{ side: "b", start: 0, end: 1, text: "x" }] })]);
  const outlined = () => [...document.querySelectorAll(".token.quoted")].map((one) => one.textContent);
  marks(view.words.a[0], view.words.a[1]);
  await messages.open();
  getSelection().removeAllRanges();
  assert.equal(document.activeElement, at("message-text"));
  assert.deepEqual(outlined(), [view.words.a[0].textContent, view.words.a[1].textContent]);
  send(at("threads").querySelector("[data-do=answer]"), "click");
  assert.deepEqual(outlined(), [view.words.b[0].textContent]);
  at("messages").hidden = true;
  await rest();
  assert.deepEqual([outlined(), store.quoted.b.size], [[], 0]);
});
