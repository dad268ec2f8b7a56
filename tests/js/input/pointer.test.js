/** The effects of mouse and touch on the selection and the spans. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { at, send } from "../page.js";
import { built, chosen, HIGHLIGHTS, spans } from "../built.js";
import { Actions } from "../../../static/js/workspace/input/actions.js";
import { Cursor } from "../../../static/js/workspace/input/cursor.js";
import { Pointer } from "../../../static/js/workspace/input/pointer.js";
import { SelectionActions } from "../../../static/js/workspace/input/selection-actions.js";

/** A page with the mouse connected. */
function mouse(parts, suggesting = undefined) {
  const made = built(parts);
  const pointer = new Pointer(made.store, made.view, made.cursor, made.actions, suggesting);
  const down = (side, index, how = {}) =>
    send(made.word(side, index), "mousedown", { ...made.point(side, index), detail: 1, ...how });
  const move = (side, index, how = {}) => send(window, "mousemove", { ...made.point(side, index), ...how });
  const up = () => send(window, "mouseup");
  const click = (side, index, how) => {
    down(side, index, how);
    up();
  };
  const drag = (side, from, to, how) => {
    down(side, from, how);
    move(side, to, how);
    up();
  };
  return { ...made, pointer, down, move, up, click, drag };
}

test("a drag selects words, a label makes them a span, Delete removes it, and each can be undone", () => {
  const { store, actions, said, drag, cursor } = mouse();
  assert.ok(actions instanceof Actions && actions instanceof SelectionActions && cursor instanceof Cursor);
  drag("a", 1, 2);
  assert.deepEqual(chosen(store), [[1, 2], []]);
  assert.deepEqual(store.cursor, { side: "a", index: 2 });
  assert.ok(!store.dragging);
  actions.label("3");
  assert.deepEqual(spans(store), [["3", "manual", [1, 2], []]]);
  assert.deepEqual(chosen(store), [[], []]);
  assert.equal(said.at(-1), "Marked L3, only in English: card is");
  actions.remove();
  assert.deepEqual([spans(store), said.at(-1)], [[], "Deleted"]);
  assert.ok(actions.history("undo"));
  assert.equal(said.at(-1), "Undone");
  assert.equal(spans(store).length, 1);
  actions.history("undo");
  assert.equal(actions.history("undo"), null, "there is nothing left to undo");
});

test("a drag within one word selects it, alone or as a fragment; small movements during a click do not", () => {
  const { store, word, point, down, up } = mouse();
  const within = (index, px, how = {}) => {
    down("a", index, how);
    send(window, "mousemove", { ...point("a", index), clientX: point("a", index).clientX + px, ...how });
    up();
  };
  assert.ok(word("a", 1));
  within(1, 3);
  assert.deepEqual(chosen(store), [[], []]);
  within(1, 9);
  assert.deepEqual(chosen(store), [[1], []]);
  within(3, -9, { ctrlKey: true });
  assert.deepEqual(chosen(store), [[1, 3], []]);
});

test("a label without a selection marks the word at the cursor, and changes the span that is picked", () => {
  const { store, actions, said, click } = mouse();
  click("b", 2);
  actions.label("1");
  assert.deepEqual(spans(store), [["1", "manual", [], [2]]]);
  click("b", 2);
  assert.equal(store.picked, [...store.doc.spans.keys()][0]);
  assert.equal(said.at(-1), "Picked L1, only in German: ist");
  actions.label("4");
  assert.deepEqual([spans(store), said.at(-1)], [[["4", "manual", [], [2]]], "Now L4: ist"]);
});

test("words dragged on the other side are linked to the span that is picked", () => {
  const { store, actions, add, span, said, drag } = mouse();
  add(span("s1", "2", [1], []));
  actions.pick("s1");
  drag("b", 0, 1);
  assert.deepEqual([spans(store), said.at(-1)], [[["2", "manual", [1], [0, 1]]], "Linked, L2: card – Die Karte"]);
});

test("Ctrl adds a fragment by a drag and toggles a word by a click", () => {
  const { store, drag, click, said } = mouse();
  drag("a", 0, 1);
  drag("a", 5, 6, { ctrlKey: true });
  assert.deepEqual(chosen(store), [[0, 1, 5, 6], []]);
  click("a", 8, { ctrlKey: true });
  assert.deepEqual([chosen(store)[0], said.at(-1)], [[0, 1, 5, 6, 8], "weeks. added"]);
  click("a", 8, { ctrlKey: true });
  assert.deepEqual([chosen(store)[0], said.at(-1)], [[0, 1, 5, 6], "weeks. removed"]);
});

test("a double click selects the word, a triple click the sentence, a click beside the texts nothing", () => {
  const { store, down, up, click } = mouse();
  click("a", 5);
  down("a", 5, { detail: 2 });
  up();
  assert.deepEqual(chosen(store), [[5], []]);
  down("a", 5, { detail: 3 });
  up();
  assert.deepEqual(chosen(store), [[4, 5, 6, 7, 8], []]);
  send(at("texts"), "mousedown", { clientX: 890, clientY: 390, detail: 1 });
  up();
  assert.deepEqual(chosen(store), [[], []]);
});

test("a double click in the other text links its word to the span that was picked before", () => {
  const { store, actions, add, span, click, down, up } = mouse();
  add(span("s1", "1", [1], []));
  actions.pick("s1");
  click("b", 2);
  assert.equal(store.picked, null, "the first click deselects the span");
  down("b", 2, { detail: 2 });
  assert.equal(store.gesture, "span.join");
  up();
  assert.deepEqual([store.picked, spans(store)], ["s1", [["1", "manual", [1], [2]]]]);
  down("b", 2, { detail: 3 });
  up();
  const [from, to] = store.grids.b.sentenceOf(2);
  const sentence = Array.from({ length: to - from }, (_, n) => from + n);
  assert.ok(sentence.length > 2);
  assert.deepEqual([store.picked, spans(store)], ["s1", [["1", "manual", [1], sentence]]], "a third one its sentence");
});

test("a double click has an effect of its own, whatever was done before", () => {
  const { store, drag, click, down } = mouse();
  drag("a", 0, 1);
  drag("a", 4, 5, { ctrlKey: true });
  click("b", 2);
  down("b", 2, { detail: 2 });
  assert.equal(store.gesture, "select.link");
  assert.deepEqual(chosen(store), [[0, 1, 4, 5], [2]]);
});

test("a click on a suggestion opens it; a second one on its word is a click on the word", () => {
  const looked = [];
  const { store, click } = mouse({ highlights: HIGHLIGHTS }, { show: (...given) => looked.push(given) });
  click("a", 1);
  assert.deepEqual(looked, [["p1", { side: "a", index: 1 }]]);
  store.suggest("p1");
  click("a", 2);
  store.suggest(null);
  store.showSuggestions = false;
  click("a", 1);
  assert.equal(looked.length, 1);
});

test("Shift with a click extends the selection; another button does nothing", () => {
  const { store, click, drag, cursor } = mouse();
  drag("a", 0, 1);
  const place = mock.method(cursor, "place");
  click("a", 3, { shiftKey: true });
  assert.deepEqual(
    place.mock.calls.map((call) => call.arguments),
    [["a", 3, { reveal: false }]],
    "the text stays where it is",
  );
  assert.deepEqual(chosen(store), [[0, 1, 2, 3], []]);
  assert.equal(store.cursor.index, 3);
  click("a", 6, { button: 2 });
  assert.equal(store.cursor.index, 3);
});

test("a drag ends if the button was released outside the page, and stays on its side", () => {
  const { store, down, move, pointer } = mouse();
  down("a", 1);
  move("b", 3);
  assert.equal(store.gesture, "select");
  assert.deepEqual(chosen(store), [[1, 2, 3, 4].slice(0, chosen(store)[0].length), []]);
  assert.ok(store.dragging && chosen(store)[0].length > 1);
  move("a", 2, { buttons: 0 });
  assert.equal(pointer.drag, null);
  assert.ok(!store.dragging);
});

test("a tap selects a word; hovering highlights its counterpart", () => {
  const { store, word, click } = mouse({ highlights: HIGHLIGHTS });
  send(word("a", 0), "mouseover");
  assert.deepEqual([...store.highlighted.b], [0]);
  send(at("sheet"), "mouseleave");
  assert.deepEqual([...store.highlighted.b], []);
  send(word("a", 3), "pointerdown", { pointerType: "touch" });
  assert.equal(store.device, "touch");
  click("a", 3);
  store.hoverWord({ side: "a", index: 0 });
  send(at("sheet"), "mouseleave");
  assert.deepEqual([...store.highlighted.b], [0]);
  assert.deepEqual(chosen(store), [[3], []]);
  send(word("a", 3), "pointerdown", { pointerType: "mouse" });
  assert.equal(store.device, "mouse");
});

test("in a read-only pair nothing is selected", () => {
  const { store, drag, actions, down, move, up } = mouse();
  store.readOnly = true;
  down("a", 0);
  move("a", 2);
  assert.equal(store.gesture, "", "a drag has no effect to announce");
  up();
  drag("a", 0, 2);
  assert.deepEqual(chosen(store), [[], []]);
  actions.label("1");
  assert.equal(spans(store).length, 0);
});
