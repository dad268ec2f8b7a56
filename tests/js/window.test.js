/** What depends on the window: how much is made at once, what counts as in view, where the label bar goes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes } from "./page.js";
import { built } from "./built.js";
import { LabelBar } from "../../static/js/workspace/view/label-bar.js";
import { View } from "../../static/js/workspace/view/render.js";
import { ReadingWatch } from "../../static/js/workspace/view/reading-watch.js";

test("when the page opens, the words of one and a half windows are made, and no more", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const { view } = built({ a: rows.map((n) => `Line ${n} is here.`).join("\n"), b: rows.map(String).join("\n"), beads: rows.map((n) => [[n], [n]]) });
  assert.ok(view instanceof View);
  assert.ok(view.words.a[0] && view.words.b[0]);
  const made = rows.filter((row) => !view.unrendered.has(view.paragraphs.a[row])).length;
  assert.ok(made > 10 && made < 30, String(made));
  assert.equal(view.paragraphs.a[59].textContent, "Line 59 is here.");
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

test("the label bar is next to the moving end of the run", () => {
  const { store, view, actions } = built();
  const labelBar = new LabelBar(store, view, actions, at("label-bar"), () => {});
  const head = (anchor, end) => {
    store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor, head: end } });
    return labelBar.head([Math.min(anchor, end), Math.max(anchor, end)]);
  };
  assert.deepEqual([head(1, 3), head(3, 1)], [3, 1]);
  store.select({ fixed: { a: [1, 2], b: [] }, active: null });
  assert.equal(labelBar.head([1, 2]), 2);
});
