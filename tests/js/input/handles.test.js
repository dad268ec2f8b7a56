/** The handles at both ends of a selection, dragged by finger or mouse. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "../page.js";
import { built } from "../built.js";
import { Handles } from "../../../static/js/workspace/input/handles.js";

/** A page with the handles. */
function fingers() {
  const made = built();
  const handles = new Handles(made.store, made.view, made.actions);
  const [start, end] = handles.ends;
  const to = (element, type, x, y) => send(element, type, { pointerId: 4, clientX: x, clientY: y });
  return { ...made, handles, start, end, to };
}

test("the handles are at both ends of the selection, and dragging one moves its end", () => {
  const { store, start, end, to, handles } = fingers();
  assert.ok(start.hidden && end.hidden);
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 1, head: 2 } });
  assert.deepEqual([start, end].map(({ hidden, style }) => [hidden, style.left, style.top, style.getPropertyValue("--line")]), [[false, "60px", "30px", "20px"], [false, "170px", "30px", "20px"]]);
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
