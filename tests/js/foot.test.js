/** The footer: read rows, hints on keys, the save status, the comment. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, at, boxes, media, press, rest, send, sighted, words } from "./page.js";
import { built, RATING, reading } from "./built.js";
import { Notice } from "../../static/js/workspace/view/notice.js";
import { Reading } from "../../static/js/workspace/view/reading.js";
import { connectPairComment } from "../../static/js/workspace/view/pair-comment.js";
import { ReadingWatch } from "../../static/js/workspace/view/reading-watch.js";
import { Status } from "../../static/js/workspace/view/status.js";

const CLOCK = { seconds: 130, active: true };

test("a row is unread, read or marked; keys and clicks tick it, and the footer counts unread ones", () => {
  const { store, add, span, said, cursor, reading: marks, ticks, view } = reading();
  assert.ok(marks instanceof Reading);
  assert.deepEqual([ticks(), at("unread-count").textContent], [["unread", "unread"], "2 paragraphs unread"]);
  assert.equal(at("unread-short").textContent, "2 unread");
  assert.equal(view.paragraphs.a[0].getAttribute("aria-label"), "Paragraph 1 of 2, not read yet");
  view.ticks.get(0).click();
  assert.deepEqual([ticks(), said.at(-1), at("unread-count").textContent], [["read", "unread"], "Read", "1 paragraph unread"]);
  assert.equal(view.ticks.get(0).getAttribute("aria-pressed"), "true");
  view.ticks.get(0).click();
  assert.deepEqual([ticks(), said.at(-1)], [["unread", "unread"], "Marked as unread"]);
  cursor.place("a", 1);
  marks.tickHere();
  assert.deepEqual([ticks(), store.cursor.index], [["read", "unread"], 4]);
  marks.tickHere();
  assert.deepEqual([marks.unread(), said.at(-1), at("unread-count").textContent], [[], "All paragraphs are read", "All read"]);
  assert.equal(at("unread-short").textContent, "All read");
  assert.ok(at("unread-count").closest("button").classList.contains("none"));
  marks.tickHere();
  assert.deepEqual(marks.unread(), [1], "ticked by hand, it is unticked");
  add(span("s1", "1", [5], []));
  assert.deepEqual(ticks(), ["read", "marked"]);
  store.commit([{ kind: "span", id: "s1", before: store.span("s1"), after: null }]);
  assert.deepEqual(ticks(), ["read", "unread"]);
  marks.goToRow(0);
  assert.equal(store.cursor.index, 0);
  marks.goToNextUnread();
  assert.equal(store.cursor.index, 4);
});

test("the next unread row is gone to in the text of the cursor, or in the other where it has no such row", () => {
  const { store, cursor, reading: marks, ticks } = reading({ a: "One two.\nThree four.", b: "Eins zwei.\nDrei vier.\nFünf." });
  cursor.place("b", 0);
  marks.goToNextUnread();
  assert.deepEqual(store.cursor, { side: "b", index: 2 });
  marks.goToRow(0);
  assert.deepEqual(store.cursor, { side: "b", index: 0 });
  cursor.place("a", 0);
  marks.goToRow(2);
  assert.equal(store.cursor.side, "b", "the third row is only there");
  marks.markSeen([["b", 2]]);
  assert.deepEqual(ticks(), ["unread", "unread", "read"]);
});

test("what has been in view long enough is read, is no undo step, and a click meant to tick it does not untick it", () => {
  const { store, reading: marks, ticks, view } = reading();
  const patches = [];
  store.on("doc", (patch) => patches.push(...patch));
  marks.markSeen([["a", 0], ["b", 0]]);
  assert.deepEqual([ticks(), store.history.canUndo], [["read", "unread"], false]);
  assert.deepEqual(patches, ["a:0", "b:0"].map((id) => ({ kind: "read", id, before: false, after: true })));
  view.ticks.get(0).click();
  assert.deepEqual(ticks(), ["read", "unread"]);
  marks.seenAt.set(0, performance.now() - 2000);
  view.ticks.get(0).click();
  assert.deepEqual(ticks(), ["unread", "unread"]);
  marks.markSeen([["a", 1], ["b", 1]]);
  store.moveTo("a", 4);
  marks.tickHere();
  assert.deepEqual([ticks(), store.cursor.index], [["unread", "read"], 0], "a key makes sure of it and goes on");
  store.moveTo("a", 4);
  marks.tickHere();
  assert.deepEqual(ticks(), ["unread", "unread"], "then it is ticked by hand, and the key unticks it");
});

test("only paragraphs in view while the user is active are read, the row of the pointer first", () => {
  const { store, view, cursor } = built();
  const clock = { active: true };
  const read = [];
  const watch = new ReadingWatch(store, view, clock, (ids) => read.push(...ids));
  assert.deepEqual(watch.visibleParagraphs(), []);
  sighted([...view.paragraphs.a, ...view.paragraphs.b]);
  assert.deepEqual(watch.visibleParagraphs().map(({ id, words: n, start, end }) => [id, n, start, end]), [["a:0", 4, true, true], ["b:0", 4, true, true], ["a:1", 5, true, true], ["b:1", 5, true, true]]);
  cursor.place("a", 5);
  assert.equal(watch.visibleParagraphs()[0].id, "a:1");
  send(view.word("b", 0), "pointermove");
  assert.equal(watch.visibleParagraphs()[0].id, "a:0");
  watch.setByUser("a:0", false);
  assert.equal(watch.visibleParagraphs()[0].id, "b:0", "unticked by hand, it stays so");
  watch.setByUser("a:0", true);
  sighted([view.paragraphs.b[0]], false);
  assert.deepEqual(watch.visibleParagraphs().map(({ id }) => id), ["a:0", "a:1", "b:1"]);
  boxes.set(view.paragraphs.a[1], [0, 380, 300, 100]);
  assert.deepEqual(watch.visibleParagraphs().map(({ id }) => id), ["a:0", "b:1"], "a fifth is too little");
  assert.equal(watch.visibleEnds("a", { top: -50, bottom: 50, height: 100 }), null);
  assert.deepEqual(watch.visibleEnds("a", { top: -300, bottom: 390, height: 690 }), { start: false, end: true });
  boxes.clear();
  assert.ok(watch.isUserReading);
  clock.active = false;
  assert.ok(!watch.isUserReading);
  clock.active = true;
  at("guidelines").hidden = false;
  assert.ok(watch.isUserReading, "beside the texts");
  media.add("(max-width: 1100px)");
  assert.ok(!watch.isUserReading, "over them");
  media.clear();
  at("guidelines").hidden = true;
  for (let n = 0; n < 20; n += 1) {
    watch.last = performance.now() - 5000;
    watch.check();
  }
  assert.deepEqual(read[0], ["a", 0]);
  store.readOnly = true;
  const { length } = read;
  watch.last = performance.now() - 5000;
  watch.check();
  assert.equal(read.length, length);
});

test("the comment is part of the annotation: typed, undone, and Enter goes back to the texts", () => {
  const { store } = built();
  let back = 0;
  connectPairComment(store, () => (back += 1));
  const field = at("pair-comment");
  assert.ok(!document.body.classList.contains("editing-comment"));
  for (const value of ["t", "th"]) {
    field.value = value;
    send(field, "input");
  }
  assert.deepEqual([store.doc.comment, document.body.classList.contains("editing-comment")], ["th", true]);
  store.undo();
  assert.deepEqual([store.doc.comment, field.value], ["", ""], "one step");
  assert.ok(press(field, "Enter").defaultPrevented && back === 1);
  assert.ok(!press(field, "Enter", { ctrlKey: true }).defaultPrevented && !press(field, "a").defaultPrevented && back === 1);
  field.focus();
  store.redo();
  store.undo();
  assert.ok(document.body.classList.contains("editing-comment"), "while it has the focus");
  field.blur();
  assert.ok(!document.body.classList.contains("editing-comment"));
});

test("the footer says what the controls do now, during a drag its effect, and nothing if the pair is read-only", async () => {
  const { store, preferences } = built();
  const clock = { ...CLOCK };
  const status = new Status(store, clock, preferences);
  assert.equal(at("hints").textContent, "1–5 mark the word · drag to select · R ticks as read · ? shortcuts");
  assert.equal(at("time").textContent, "2 min");
  clock.seconds = 7300;
  status.showTime();
  assert.equal(at("time").textContent, "2 h 1 min");
  const undo = document.querySelector(".steps [data-command=undo]");
  assert.equal(undo.getAttribute("aria-disabled"), "true");
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  assert.equal(undo.getAttribute("aria-disabled"), "false");
  const before = at("hints").textContent;
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  assert.equal(at("hints").textContent, before, "not with every single change");
  await rest();
  assert.notEqual(at("hints").textContent, before);
  store.readOnly = true;
  store.emit("view");
  await rest();
  assert.deepEqual([at("hints").textContent, undo.getAttribute("aria-disabled")], ["", "true"]);
});

test("if there are only questions, the footer names the keys that answer", () => {
  const { store, preferences } = built({ scheme: RATING });
  new Status(store, CLOCK, preferences);
  assert.equal(at("hints").textContent, "y n answer · Ctrl ↵ submits · ? shortcuts");
});

test("the state is one word; trouble is explained, with the matching links and buttons", async () => {
  built();
  const notice = new Notice();
  const facts = { detail: "", unsaved: 0, ticks: 0, waiting: false, reopens: true, final: false };
  const ways = () => [...at("save-problem").querySelectorAll("[data-when]")].filter((way) => !way.hidden).map((way) => way.id || way.dataset.command);
  notice.show("saved", facts, false);
  assert.deepEqual([at("state").textContent, at("state").dataset.state, at("state-detail").textContent, ways()], ["Saved", "saved", "", []]);
  notice.show("offline", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Offline, 2 changes kept here");
  notice.show("offline", facts, true);
  assert.equal(at("state").textContent, "Offline");
  notice.show("refused", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Not accepted", "what was refused doesn't wait here");
  assert.ok(at("state-detail").textContent.endsWith("This browser can't store your changes: keep the page open until they are saved."));
  notice.show("login", facts, false);
  assert.ok(ways().includes("login"));
  const login = at("login");
  asked.length = 0;
  login.href = "/login/";
  assert.ok(send(login, "click").defaultPrevented);
  await rest();
  assert.equal(asked[0][0], "open");
  notice.show("submitted", { ...facts, unsaved: 1 }, false);
  assert.ok(ways().includes("reopen") && ways().includes("discard"));
  notice.show("submitted", { ...facts, unsaved: 1, reopens: false }, false);
  assert.ok(!ways().includes("reopen"));
  notice.show("submitted", facts, false);
  assert.ok(!ways().includes("discard"), "there is nothing to give up");
  notice.show("saving", facts, false);
  assert.notEqual(at("state-detail").textContent, "", "until it is saved");
  notice.show("saved", facts, false);
  assert.equal(at("state-detail").textContent, "");
  notice.note = "sent on another version";
  notice.show("saved", facts, false);
  assert.equal(at("state-detail").textContent, "sent on another version");
});
