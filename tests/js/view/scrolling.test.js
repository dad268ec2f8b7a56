/** Scrolling: a word into view, at the edge during a drag, and the other column along. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, send } from "../page.js";
import { built } from "../built.js";
import { EdgeScroll, LinkedScrolling, scrollIntoView } from "../../../static/js/workspace/view/scrolling.js";

test("an element is scrolled into view with a margin, no further than needed", () => {
  const { view, word } = built();
  const scroller = at("texts");
  const from = (top) => {
    scroller.scrollTop = 0;
    boxes.set(word("a", 0), [0, top, 50, 20]);
    scrollIntoView(word("a", 0), scroller);
    return scroller.scrollTop;
  };
  assert.deepEqual([200, 96, 50, 300, 900, -600].map(from), [0, 0, -46, 16, 900 - 400 / 3, -600 - 400 / 3]);
  boxes.clear();
  assert.equal(view.scroller("a"), scroller);
});

test("a drag at the edge scrolls the text, once per frame, as long as it moves", () => {
  const edge = new EdgeScroll();
  const scroller = document.createElement("div");
  boxes.set(scroller, [0, 100, 300, 200]);
  const again = [];
  for (const [y, top] of [[200, 0], [296, 12], [104, 0], [109, 0]]) {
    edge.at(scroller, y, () => again.push(y));
    edge.at(scroller, y, () => again.push("twice"));
    frame();
    assert.equal(scroller.scrollTop, top, String(y));
  }
  assert.deepEqual(again, [296, 104]);
  boxes.clear();
});

test("if the columns scroll separately, the other one follows row by row", () => {
  const { view } = built();
  const linkedScrolling = new LinkedScrolling(view);
  const { a, b } = view.columns;
  assert.deepEqual(linkedScrolling.tops("a"), [30, 130, 230]);
  a.scrollTop = 60;
  send(a, "scroll");
  frame();
  assert.equal(b.scrollTop, 0, "one sheet");
  view.sheet.classList.add("apart");
  send(a, "wheel");
  send(b, "scroll");
  frame();
  assert.equal(a.scrollTop, 60, "what follows does not lead");
  send(a, "scroll");
  frame();
  assert.ok(Math.abs(b.scrollTop - 60) < 1, String(b.scrollTop));
  linkedScrolling.on = false;
  a.scrollTop = 0;
  send(a, "scroll");
  frame();
  assert.ok(b.scrollTop > 50);
});
