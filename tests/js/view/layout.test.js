/** How the two texts are laid out: in rows or separately, and the bar between them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, media, press, queries, resized, send } from "../page.js";
import { built } from "../built.js";
import { Layout } from "../../../static/js/workspace/view/layout.js";

test("the two texts are in rows, or separate if the window is narrow or the user prefers it", () => {
  const { view, preferences, store, cursor } = built();
  let moved = 0;
  const layout = new Layout(view, preferences, () => (moved += 1));
  layout.apply();
  assert.ok(!view.sheet.classList.contains("apart") && layout.linkedScrolling.on);
  preferences.toggle("together");
  assert.ok(
    view.sheet.classList.contains("apart") && !layout.linkedScrolling.on && moved === 0,
    "others have still to hear of it",
  );
  frame();
  assert.equal(moved, 1);
  preferences.toggle("together");
  media.add("(max-width: 640px)");
  frame();
  moved = 0;
  send(queries["(max-width: 640px)"], "change");
  assert.equal(moved, 1);
  assert.ok(view.sheet.classList.contains("apart"));
  media.clear();
  layout.apply();
  layout.showBothEnds({ a: [0], b: [0] });
  assert.ok(!layout.separatedForLink, "both are in view");
  boxes.set(view.word("b", 8), [500, 900, 50, 20]);
  layout.showBothEnds({ a: [0], b: [8] });
  assert.ok(layout.separatedForLink && view.sheet.classList.contains("apart") && !layout.linkedScrolling.on);
  assert.ok(view.columns.b.scrollTop > 0);
  cursor.place("a", 0);
  store.pick("x");
  store.pick(null);
  assert.ok(!layout.separatedForLink && !view.sheet.classList.contains("apart") && layout.linkedScrolling.on);
  boxes.clear();
});

test("what lies over the texts is repositioned whenever words move", () => {
  const { view, preferences } = built();
  let moved = 0;
  assert.ok(new Layout(view, preferences, () => (moved += 1)));
  for (const element of [at("texts"), view.sheet, view.columns.a, view.columns.b]) resized(element);
  assert.equal(moved, 4);
  document.fonts.dispatchEvent(new Event("loadingdone"));
  dispatchEvent(new Event("resize"));
  assert.equal(moved, 6);
  preferences.set("size", 24);
  frame();
  assert.equal(moved, 7);
});

test("the bar between the texts is dragged, or moved by the arrows, within limits", () => {
  const { view, preferences } = built();
  const layout = new Layout(view, preferences, () => {});
  const bar = at("divider");
  boxes.set(bar, [0, 200, 900, 4]);
  send(bar, "pointermove", { pointerId: 5, clientY: 10 });
  assert.equal(layout.share, 50, "not held");
  send(bar, "pointerdown", { pointerId: 5, clientY: 202 });
  send(bar, "pointermove", { pointerId: 5, clientY: 122 });
  assert.equal(layout.share, 30);
  assert.equal(document.documentElement.style.getPropertyValue("--split"), "30%");
  send(bar, "pointermove", { pointerId: 5, clientY: 0 });
  assert.equal(layout.share, 15);
  send(bar, "pointerup", { pointerId: 5 });
  assert.equal(preferences.values.split, 15);
  assert.equal(bar.getAttribute("aria-valuenow"), "15");
  assert.ok(press(bar, "ArrowDown").defaultPrevented && preferences.values.split === 20);
  press(bar, "ArrowUp");
  press(bar, "ArrowUp");
  assert.equal(preferences.values.split, 15);
  assert.ok(!press(bar, "x").defaultPrevented);
  boxes.clear();
});

/** A page whose last word of B is far below, with its layout. */
function far(top = 900) {
  const made = built();
  boxes.set(made.view.word("b", 8), [500, top, 50, 20]);
  let moved = 0;
  const layout = new Layout(made.view, made.preferences, () => (moved += 1));
  layout.apply();
  return { ...made, layout, moves: () => moved, apart: () => made.view.sheet.classList.contains("apart") };
}

test("rows stay rows while six tenths of the window hold both ends", () => {
  for (const [top, separate] of [
    [269, false],
    [270, true],
  ]) {
    const { layout, apart, moves } = far(top);
    layout.showBothEnds({ a: [0], b: [8] });
    assert.deepEqual([apart(), layout.separatedForLink, moves()], [separate, separate, Number(separate)]);
    boxes.clear();
  }
});

test("a span of one side is no link to be shown", () => {
  const { layout, apart, moves } = far();
  layout.showBothEnds({ a: [], b: [8] });
  layout.showBothEnds({ a: [0], b: [] });
  assert.deepEqual([apart(), moves()], [false, 0]);
  boxes.clear();
});

test("texts that scroll separately anyway stay so when the span is left, and are scrolled together again", () => {
  const { layout, preferences, apart, store } = far();
  preferences.toggle("together");
  layout.linkedScrolling.on = true;
  layout.showBothEnds({ a: [0], b: [8] });
  assert.deepEqual([layout.separatedForLink, layout.linkedScrolling.on], [false, false]);
  store.pick("x");
  store.pick(null);
  assert.deepEqual([apart(), layout.linkedScrolling.on], [true, false], "as preferred");
  preferences.toggle("together");
  layout.linkedScrolling.on = false;
  store.pick("x");
  assert.equal(layout.linkedScrolling.on, false, "not while a span is picked");
  store.pick(null);
  assert.equal(layout.linkedScrolling.on, true);
  boxes.clear();
});

test("in rows again, the cursor's word is where it was in the window", () => {
  const { layout, view, cursor, store, moves } = far();
  cursor.place("a", 5);
  store.pick("x");
  layout.showBothEnds({ a: [0], b: [8] });
  const texts = at("texts");
  texts.scrollTop = 0;
  view.columns.a.scrollTop = 70;
  const height = view.word("a", 5).getBoundingClientRect().top;
  view.columns.a.addEventListener("scroll", () => {});
  const { apply } = layout;
  layout.apply = () => (apply.call(layout), (view.columns.a.scrollTop = 0));
  const before = moves();
  store.pick(null);
  assert.deepEqual([view.word("a", 5).getBoundingClientRect().top, texts.scrollTop, moves()], [height, 70, before + 1]);
  texts.scrollTop = 0;
  boxes.clear();
});

test("the bar says where it is, in whole per cent", () => {
  const { preferences } = far();
  assert.equal(at("divider").getAttribute("aria-valuenow"), "50");
  preferences.set("split", 33.4);
  assert.equal(at("divider").getAttribute("aria-valuenow"), "33");
  boxes.clear();
});

test("the bar is kept within its limits by keys too", () => {
  const { layout, preferences } = far();
  const bar = at("divider");
  for (const [key, times, share] of /** @type {const} */ ([
    ["ArrowDown", 9, 85],
    ["ArrowUp", 20, 15],
  ])) {
    for (let n = 0; n < times; n += 1) press(bar, key);
    assert.deepEqual([preferences.values.split, layout.share], [share, share]);
  }
  boxes.clear();
});
