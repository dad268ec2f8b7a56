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
