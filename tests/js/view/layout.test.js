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
  assert.ok(view.sheet.classList.contains("apart") && !layout.linkedScrolling.on && moved === 0, "others have still to hear of it");
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
