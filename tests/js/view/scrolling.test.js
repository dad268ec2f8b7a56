/** Scrolling: a word into view, at the edge during a drag, and the other column along. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, media, send } from "../page.js";
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
  for (const [y, top] of [
    [200, 0],
    [296, 12],
    [104, 0],
    [109, 0],
  ]) {
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

test("a column that is out of view itself is scrolled to as well", () => {
  const { view, word } = built();
  const texts = at("texts");
  const column = view.columns.a;
  boxes.set(column, [0, 300, 300, 200]);
  boxes.set(word("a", 8), [0, 520, 50, 20]);
  const from = (high) => {
    column.scrollTop = texts.scrollTop = 0;
    Object.defineProperty(texts, "scrollHeight", { get: () => high, configurable: true });
    scrollIntoView(word("a", 8), column);
    return [column.scrollTop, texts.scrollTop];
  };
  assert.deepEqual(from(400), [90, 0], "nothing to scroll");
  assert.deepEqual(from(401), [90, 540 - 400 + 96]);
  delete texts.scrollHeight;
  boxes.clear();
});

test("rows of one side alone have the height of none on the other", () => {
  const { view } = built({
    beads: [
      [[0], []],
      [[], [0]],
      [[1], [1]],
    ],
  });
  const linkedScrolling = new LinkedScrolling(view);
  assert.deepEqual(
    [linkedScrolling.tops("a"), linkedScrolling.tops("b")],
    [
      [30, 130, 230, 330],
      [130, 130, 230, 330],
    ],
  );
});

test("scrolling follows once per frame, smoothly unless less motion is preferred, and only what leads", () => {
  const { view } = built();
  const linkedScrolling = new LinkedScrolling(view);
  const { a, b } = view.columns;
  view.sheet.classList.add("apart");
  const asked = [];
  b.scrollTo = ({ behavior }) => asked.push(behavior);
  for (const prefers of [false, true]) {
    if (prefers) media.add("(prefers-reduced-motion: reduce)");
    send(a, "scroll");
    send(a, "scroll");
    frame();
  }
  media.clear();
  assert.deepEqual(asked, ["auto", "instant"]);
  for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    linkedScrolling.leader = null;
    send(b, type);
    assert.equal(linkedScrolling.leader, "b", type);
  }
  send(a, "scroll");
  frame();
  assert.equal(asked.length, 2, "B leads now");
});
