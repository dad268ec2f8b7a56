/** Which paragraphs are in view, and for how long. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, media, send, sighted } from "../page.js";
import { built } from "../built.js";
import { ReadingWatch } from "../../../static/js/workspace/view/reading-watch.js";

test("only paragraphs in view while the user is active are read, the row of the pointer first", () => {
  const { store, view, cursor } = built();
  const clock = { active: true };
  const read = [];
  const watch = new ReadingWatch(store, view, clock, (ids) => read.push(...ids));
  assert.deepEqual(watch.visibleParagraphs(), []);
  sighted([...view.paragraphs.a, ...view.paragraphs.b]);
  assert.deepEqual(
    watch.visibleParagraphs().map(({ id, words: n, start, end }) => [id, n, start, end]),
    [
      ["a:0", 4, true, true],
      ["b:0", 4, true, true],
      ["a:1", 5, true, true],
      ["b:1", 5, true, true],
    ],
  );
  cursor.place("a", 5);
  assert.equal(watch.visibleParagraphs()[0].id, "a:1");
  send(view.word("b", 0), "pointermove");
  assert.equal(watch.visibleParagraphs()[0].id, "a:0");
  watch.setByUser("a:0", false);
  assert.equal(watch.visibleParagraphs()[0].id, "b:0", "unticked by hand, it stays so");
  watch.setByUser("a:0", true);
  sighted([view.paragraphs.b[0]], false);
  assert.deepEqual(
    watch.visibleParagraphs().map(({ id }) => id),
    ["a:0", "a:1", "b:1"],
  );
  boxes.set(view.paragraphs.a[1], [0, 380, 300, 100]);
  assert.deepEqual(
    watch.visibleParagraphs().map(({ id }) => id),
    ["a:0", "b:1"],
    "a fifth is too little",
  );
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

test("a paragraph taller than the texts is in view where it fills most of them", () => {
  const { store, view } = built();
  const watch = new ReadingWatch(store, view, { active: true }, () => {});
  boxes.set(at("texts"), [0, 100, 900, 200]);
  const seen = (top, bottom) => watch.visibleEnds("a", { top, bottom, height: bottom - top });
  assert.deepEqual(seen(0, 900), { start: false, end: false });
  assert.deepEqual(seen(150, 1000), { start: true, end: false });
  assert.equal(seen(200, 1000), null, "half of the texts is too little");
  assert.deepEqual(seen(-500, 250), { start: false, end: true });
  boxes.clear();
});

test("an end counts as seen two pixels before it is in view", () => {
  const { store, view } = built();
  const watch = new ReadingWatch(store, view, { active: true }, () => {});
  const seen = (top, bottom) => watch.visibleEnds("a", { top, bottom, height: bottom - top });
  assert.deepEqual(
    [-2, -3].map((top) => seen(top, 100).start),
    [true, false],
  );
  assert.deepEqual(
    [402, 403].map((bottom) => seen(300, bottom).end),
    [true, false],
  );
  assert.deepEqual([seen(-40, 60), seen(-41, 59)], [{ start: false, end: true }, null], "six tenths are enough");
  assert.equal(seen(400, 500), null);
  assert.equal(seen(400, 400), null, "nor is something without height");
});

test("only what has letters or digits is a word to be read, in every script", () => {
  const { store, view } = built({ a: "– One 2 ! שלום 東京 🙂 …", beads: [[[0], [0, 1]]] });
  const watch = new ReadingWatch(store, view, { active: true }, () => {});
  assert.equal(watch.wordCount("a", 0), 4);
});

test("no more than a second counts between two checks, and none while the user does something else", () => {
  const { store, view } = built();
  const clock = { active: true };
  const watch = new ReadingWatch(store, view, clock, () => {});
  sighted([view.paragraphs.a[0]]);
  const counted = [];
  watch.dwell.count = (ms, paragraphs) => (counted.push([ms, paragraphs.map(({ id }) => id)]), []);
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  watch.last = 0;
  for (const [at, active] of /** @type {const} */ ([
    [400, true],
    [5000, true],
    [5600, false],
    [5700, true],
  ])) {
    [time, clock.active] = [at, active];
    watch.check();
  }
  performance.now = now;
  assert.deepEqual(counted, [
    [400, ["a:0"]],
    [1000, ["a:0"]],
    [100, ["a:0"]],
  ]);
});

test("what was read is reported by side and paragraph", () => {
  const { store, view } = built();
  const read = [];
  const watch = new ReadingWatch(store, view, { active: true }, (paragraphs) => read.push(...paragraphs));
  watch.dwell.count = () => ["a:0", "b:11"];
  watch.check();
  assert.deepEqual(read, [
    ["a", 0],
    ["b", 11],
  ]);
});

test("a paragraph that the user ticks or unticks begins again", () => {
  const { store, view } = built();
  const watch = new ReadingWatch(store, view, { active: true }, () => {});
  const forgotten = [];
  watch.dwell.forget = (id) => forgotten.push(id);
  for (const read of [true, false]) watch.setByUser("a:0", read);
  assert.deepEqual([forgotten, [...watch.markedUnread]], [["a:0", "a:0"], ["a:0"]]);
});

test("while a dialog or the list lies over the texts, or the page is hidden, nobody reads", () => {
  const { store, view } = built();
  const watch = new ReadingWatch(store, view, { active: true }, () => {});
  assert.ok(watch.isUserReading);
  at("help").setAttribute("open", "");
  assert.ok(!watch.isUserReading);
  at("help").removeAttribute("open");
  document.body.classList.add("span-list-open");
  assert.ok(!watch.isUserReading);
  document.body.classList.remove("span-list-open");
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  assert.ok(!watch.isUserReading);
  delete document.visibilityState;
  store.readOnly = true;
  assert.ok(!watch.isUserReading);
});
