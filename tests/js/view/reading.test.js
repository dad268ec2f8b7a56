/** Read rows: ticked by time in view, by keys and by clicks, and counted in the footer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../page.js";
import { reading } from "../built.js";
import { Reading } from "../../../static/js/workspace/view/reading.js";

test("a row is unread, read or marked; keys and clicks tick it, and the footer counts unread ones", () => {
  const { store, add, span, said, cursor, reading: marks, ticks, view } = reading();
  assert.ok(marks instanceof Reading);
  assert.deepEqual([ticks(), at("unread-count").textContent], [["unread", "unread"], "2 paragraphs unread"]);
  assert.equal(at("unread-short").textContent, "2 unread");
  assert.equal(view.paragraphs.a[0].getAttribute("aria-label"), "Paragraph 1 of 2, not read yet");
  view.ticks.get(0).click();
  assert.deepEqual(
    [ticks(), said.at(-1), at("unread-count").textContent],
    [["read", "unread"], "Read", "1 paragraph unread"],
  );
  assert.equal(view.ticks.get(0).getAttribute("aria-pressed"), "true");
  view.ticks.get(0).click();
  assert.deepEqual([ticks(), said.at(-1)], [["unread", "unread"], "Marked as unread"]);
  cursor.place("a", 1);
  marks.tickHere();
  assert.deepEqual([ticks(), store.cursor.index], [["read", "unread"], 4]);
  marks.tickHere();
  assert.deepEqual(
    [marks.unread(), said.at(-1), at("unread-count").textContent],
    [[], "All paragraphs are read", "All read"],
  );
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
  const {
    store,
    cursor,
    reading: marks,
    ticks,
  } = reading({ a: "One two.\nThree four.", b: "Eins zwei.\nDrei vier.\nFünf." });
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
  marks.markSeen([
    ["a", 0],
    ["b", 0],
  ]);
  assert.deepEqual([ticks(), store.history.canUndo], [["read", "unread"], false]);
  assert.deepEqual(
    patches,
    ["a:0", "b:0"].map((id) => ({ kind: "read", id, before: false, after: true })),
  );
  view.ticks.get(0).click();
  assert.deepEqual(ticks(), ["read", "unread"]);
  marks.seenAt.set(0, performance.now() - 2000);
  view.ticks.get(0).click();
  assert.deepEqual(ticks(), ["unread", "unread"]);
  marks.markSeen([
    ["a", 1],
    ["b", 1],
  ]);
  store.moveTo("a", 4);
  marks.tickHere();
  assert.deepEqual([ticks(), store.cursor.index], [["unread", "read"], 0], "a key makes sure of it and goes on");
  store.moveTo("a", 4);
  marks.tickHere();
  assert.deepEqual(ticks(), ["unread", "unread"], "then it is ticked by hand, and the key unticks it");
});

test("once it is started, what is long enough in view is ticked, and what the user unticks is not ticked again", () => {
  const { reading: marks, ticks, view, store } = reading();
  assert.equal(marks.watch, null);
  marks.start(/** @type {any} */ ({ active: true }));
  marks.watch.onRead([
    ["a", 0],
    ["b", 0],
  ]);
  assert.deepEqual(ticks(), ["read", "unread"]);
  marks.toggle(0);
  assert.deepEqual([...marks.watch.markedUnread], ["a:0", "b:0"]);
  marks.toggle(0);
  assert.deepEqual([[...marks.watch.markedUnread], [...store.tickedByUser]], [[], [0]]);
  marks.toggle(0);
  assert.deepEqual([[...store.tickedByUser], view.ticks.get(0).dataset.state], [[], "unread"]);
});

test("a span over several rows marks each of them, and a change of its words those that it leaves", () => {
  const { store, add, span, ticks } = reading({
    a: "One.\nTwo.\nThree.",
    b: "Eins.\nZwei.\nDrei.",
    beads: [
      [[0], [0]],
      [[1], [1]],
      [[2], [2]],
    ],
  });
  add(span("s1", "1", [0, 1, 2], []));
  assert.deepEqual(ticks(), ["marked", "marked", "marked"]);
  store.commit([{ kind: "span", id: "s1", before: store.span("s1"), after: span("s1", "1", [1], []) }]);
  assert.deepEqual(ticks(), ["unread", "marked", "unread"]);
});

test("a half-read row is unread; ticking it reads the rest, and only that is a step", () => {
  const { store, reading: marks, ticks } = reading();
  marks.markSeen([["a", 0]]);
  assert.deepEqual(
    [ticks(), marks.unread()],
    [
      ["unread", "unread"],
      [0, 1],
    ],
  );
  marks.toggle(0);
  assert.deepEqual(
    [ticks()[0], store.history.patches],
    ["read", [[{ kind: "read", id: "b:0", before: false, after: true }]]],
  );
});

test("the next unread row is after the cursor, or the first one; if the cursor's is the only one, there is no other", () => {
  const {
    store,
    cursor,
    reading: marks,
    said,
  } = reading({
    a: "One.\nTwo.\nThree.",
    b: "Eins.\nZwei.\nDrei.",
    beads: [
      [[0], [0]],
      [[1], [1]],
      [[2], [2]],
    ],
  });
  const goes = () => (marks.goToNextUnread(), store.cursor.index);
  assert.deepEqual([goes(), goes(), goes()], [1, 2, 0]);
  for (const row of [0, 1]) marks.toggle(row);
  cursor.place("a", 2);
  const { length } = said;
  assert.deepEqual([goes(), said.length], [2, length + 1]);
});

test("ticks and paragraphs say their state; a page without the number of unread rows works too", () => {
  const { view, reading: marks, store, cursor, say } = reading();
  const told = () => [
    view.ticks.get(1).getAttribute("aria-label"),
    view.ticks.get(1).title,
    view.paragraphs.b[1].getAttribute("aria-label"),
  ];
  const before = told();
  marks.toggle(1);
  told().forEach((one, n) => assert.notEqual(one, before[n]));
  assert.deepEqual(
    told().map((one) => one.match(/\d+/g)),
    [["2"], null, ["2", "2"]],
    "rows and paragraphs are counted from one",
  );
  assert.deepEqual(
    [view.ticks.get(0), view.ticks.get(1)].map((tick) => tick.getAttribute("aria-pressed")),
    ["false", "true"],
  );
  at("unread-count").remove();
  const bare = new Reading(store, view, cursor, say);
  bare.toggle(0);
  assert.deepEqual(bare.unread(), []);
});
