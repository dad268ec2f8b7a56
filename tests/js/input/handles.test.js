/** The handles at both ends of a selection, dragged by finger or mouse. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, media, send } from "../page.js";
import { built } from "../built.js";
import { Handles } from "../../../static/js/workspace/input/handles.js";

/** A page with the handles. */
function fingers(parts) {
  const made = built(parts);
  const handles = new Handles(made.store, made.view, made.actions);
  const [start, end] = handles.ends;
  const to = (element, type, x, y) => send(element, type, { pointerId: 4, clientX: x, clientY: y });
  return { ...made, handles, start, end, to };
}

test("the handles are at both ends of the selection, and dragging one moves its end", () => {
  const { store, start, end, to, handles } = fingers();
  assert.ok(start.hidden && end.hidden);
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 1, head: 2 } });
  assert.deepEqual(
    [start, end].map(({ hidden, style }) => [hidden, style.left, style.top, style.getPropertyValue("--line")]),
    [
      [false, "60px", "30px", "20px"],
      [false, "170px", "30px", "20px"],
    ],
  );
  const moving = () => [start, end].map((one) => one.classList.contains("moves"));
  assert.deepEqual(moving(), [false, false], "the cursor is not in the run");
  store.moveTo("a", 2);
  assert.deepEqual(moving(), [false, true]);
  store.moveTo("b", 2);
  assert.deepEqual(moving(), [false, false]);
  to(end, "pointerdown", 170, 40);
  assert.ok(store.dragging);
  to(end, "pointermove", 172, 40);
  assert.deepEqual([...store.selected.a], [1, 2], "a finger that trembles changes nothing");
  to(end, "pointermove", 220, 40);
  assert.deepEqual([...store.selected.a], [1, 2, 3]);
  to(end, "pointerup", 220, 40);
  assert.ok(!store.dragging && handles.drag === null);
  to(start, "pointerdown", 60, 40);
  to(start, "pointermove", 0, 40);
  to(start, "pointercancel", 0, 40);
  assert.deepEqual([...store.selected.a], [0, 1, 2, 3]);
  store.readOnly = true;
  handles.place();
  assert.ok(start.hidden);
});

test("dragging a handle changes the picked span on release; a tap goes through to the word", () => {
  const { store, actions, add, span, end, to, word } = fingers();
  add(span("s1", "1", [1], []));
  actions.pick("s1");
  store.moveTo("a", 1);
  to(end, "pointerdown", 110, 40);
  to(end, "pointermove", 170, 40);
  assert.deepEqual(store.cover.of("s1").a, [1]);
  to(end, "pointerup", 170, 40);
  assert.deepEqual(store.cover.of("s1").a, [1, 2]);
  const heard = [];
  for (const type of ["mousedown", "mouseup"]) word("a", 4).addEventListener(type, () => heard.push(type));
  to(end, "pointerdown", 10, 135);
  to(end, "pointerup", 10, 135);
  assert.deepEqual(heard, ["mousedown", "mouseup"]);
});

/** Words of A that are selected as the run being drawn, from one to another. */
const run = (store, anchor, head, fixed = { a: [], b: [] }) =>
  store.select({ fixed, active: { side: "a", anchor, head } });
const tokens = (store) => [[...store.selected.a].sort((x, y) => x - y), [...store.selected.b]];

test("a dragged end leaves other fragments and the other text as they are", () => {
  const { store, end, to } = fingers();
  run(store, 1, 2, { a: [0, 6, 7], b: [3] });
  to(end, "pointerdown", 170, 40);
  to(end, "pointermove", 110, 40);
  assert.deepEqual(tokens(store), [[0, 1, 6, 7], [3]]);
  to(end, "pointerup", 110, 40);
});

test("the finger need not be on the end that it moves: how far it is from it is kept", () => {
  const { store, start, to } = fingers({ a: "one two three four five six seven.\nIt arrives." });
  run(store, 6, 5);
  to(start, "pointerdown", 15, 20);
  to(start, "pointermove", 75, 20);
  assert.deepEqual(tokens(store)[0], [6], "30 above the line, and 15 right of its start");
  to(start, "pointermove", 75, 0);
  assert.deepEqual(tokens(store)[0], [1, 2, 3, 4, 5, 6]);
  to(start, "pointerup", 75, 0);
});

test("a drag that ends where it began is no tap, but one that hardly moved is", () => {
  const { store, end, to, word } = fingers();
  const heard = [];
  word("a", 3).addEventListener("mousedown", (event) => heard.push([event.detail, event.clientX, end.hidden]));
  run(store, 1, 2);
  for (const [x, back] of [
    [176, 170],
    [300, 170],
  ]) {
    to(end, "pointerdown", 170, 40);
    to(end, "pointermove", x, 40);
    to(end, "pointermove", back, 40);
    to(end, "pointerup", 185, 40);
  }
  assert.deepEqual(heard, []);
  to(end, "pointerdown", 170, 40);
  to(end, "pointermove", 173, 42);
  to(end, "pointerup", 185, 40);
  assert.deepEqual(
    [heard, end.hidden],
    [[[1, 185, true]], false],
    "the handles are out of the way of the tap, and then there again",
  );
});

test("one finger at a time drags, and a second one changes nothing", () => {
  const { store, start, end, to, handles } = fingers();
  run(store, 1, 2);
  to(end, "pointerdown", 170, 40);
  const { drag } = handles;
  send(start, "pointerdown", { pointerId: 5, clientX: 60, clientY: 40 });
  send(start, "pointermove", { pointerId: 5, clientX: 0, clientY: 40 });
  for (const type of ["pointerup", "pointercancel"]) send(start, type, { pointerId: 5, clientX: 0, clientY: 40 });
  assert.deepEqual([handles.drag === drag, tokens(store)[0]], [true, [1, 2]]);
  to(end, "pointercancel", 170, 40);
  assert.equal(handles.drag, null);
  to(end, "pointermove", 220, 40);
  to(end, "pointerup", 220, 40);
  assert.deepEqual([tokens(store)[0], store.dragging], [[1, 2], false], "the drag is over");
});

test("others hear that a drag begins and ends", () => {
  const { store, end, to } = fingers();
  run(store, 1, 2);
  const heard = [];
  store.on("selection", () => heard.push(store.dragging));
  to(end, "pointerdown", 170, 40);
  to(end, "pointercancel", 170, 40);
  assert.deepEqual(heard, [true, false]);
});

test("without a selection, or with one elsewhere, there is nothing to drag", () => {
  const { store, end, to, handles } = fingers();
  assert.ok(to(end, "pointerdown", 170, 40).defaultPrevented);
  assert.deepEqual([handles.run(), handles.drag, store.dragging], [null, null, false]);
  store.select({ fixed: { a: [0], b: [2, 3, 5] }, active: null });
  store.moveTo("b", 0);
  assert.deepEqual(handles.run(), { side: "b", first: 5, last: 5 }, "the last run of the cursor's text");
  store.moveTo("a", 4);
  assert.deepEqual(handles.run(), { side: "a", first: 0, last: 0 });
  store.select({ fixed: { a: [], b: [2] }, active: null });
  assert.deepEqual(handles.run(), { side: "b", first: 2, last: 2 }, "or of the text that has one");
  store.setDragging(true);
  handles.place();
  assert.ok(end.hidden, "a drag of the mouse has no handles");
});

test("in a right-to-left text the start is at the right edge of its word", () => {
  const { store, start, end } = fingers();
  store.grids.a.direction = "rtl";
  run(store, 0, 1);
  assert.deepEqual([start.style.left, end.style.left], ["50px", "60px"]);
});

test("an end that is scrolled out of view has no handle, unless it is dragged", () => {
  const { store, start, end, to, word, handles } = fingers();
  boxes.set(word("a", 2), [120, 450, 50, 20]);
  run(store, 1, 2);
  assert.deepEqual([start.hidden, end.hidden], [false, true]);
  boxes.set(word("a", 1), [60, -40, 50, 20]);
  handles.place();
  assert.deepEqual([start.hidden, end.hidden], [true, true]);
  to(end, "pointerdown", 170, 460);
  handles.place();
  assert.ok(!end.hidden);
  to(end, "pointercancel", 170, 460);
  boxes.clear();
});

test("a drag held at the edge scrolls the text and goes on selecting", () => {
  const { store, end, to } = fingers();
  run(store, 1, 2);
  const texts = at("texts");
  texts.scrollTop = 0;
  to(end, "pointerdown", 170, 40);
  to(end, "pointermove", 170, 399);
  frame();
  assert.equal(texts.scrollTop, 12);
  assert.ok(tokens(store)[0].length > 2);
  frame();
  assert.equal(texts.scrollTop, 24, "as long as it is held");
  to(end, "pointercancel", 170, 399);
  frame();
  frame();
  assert.equal(texts.scrollTop, 36, "what was begun is the last");
  texts.scrollTop = 0;
});

test("on a touch screen the text scrolls until the handles are within it, but not to what had been left", () => {
  const { store, start, end } = fingers();
  const texts = at("texts");
  const scrolled = (from, to, more = () => {}) => {
    texts.scrollTop = 100;
    boxes.set(start, [0, from, 36, 36]);
    boxes.set(end, [0, to, 36, 36]);
    more();
    run(store, 1, 2);
    store.readOnly = store.dragging = false;
    return texts.scrollTop - 100;
  };
  assert.equal(scrolled(300, 390), 0, "a mouse needs no room");
  media.add("(pointer: coarse)");
  assert.deepEqual(
    [scrolled(100, 200), scrolled(300, 390), scrolled(-10, 60), scrolled(5, 400)],
    [0, 26, -10, 5],
    "no further than the start allows",
  );
  assert.deepEqual([scrolled(300, 440), scrolled(-40, 60)], [0, 0]);
  assert.deepEqual(
    [scrolled(300, 390, () => (store.readOnly = true)), scrolled(300, 390, () => (store.dragging = true))],
    [0, 0],
  );
  media.clear();
  boxes.clear();
  texts.scrollTop = 0;
});
