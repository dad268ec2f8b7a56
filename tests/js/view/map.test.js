/** The map beside the scroll bar: what it draws, and where a click or a drag on it scrolls to. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, media, rest, send } from "../page.js";
import { HIGHLIGHTS, RATING, reading } from "../built.js";
import { DocumentMap } from "../../../static/js/workspace/view/map.js";

const PAUSE = 150;

/** A map of 20 × 300 px beside texts of 4000 px, of which 400 are in view. */
function shown(parts = {}) {
  const made = reading({ highlights: HIGHLIGHTS, ...parts });
  const [map, texts] = [at("map"), at("texts")];
  boxes.set(map, [900, 50, 20, 300]);
  Object.defineProperty(texts, "scrollHeight", { value: 4000, configurable: true });
  texts.scrollTop = 0;
  const drawn = [];
  const context = { scale() {}, fillRect: (...box) => drawn.push([context.fillStyle, ...box.map(Math.round)]) };
  const document_map = new DocumentMap(made.store, made.view, made.reading);
  document_map.canvas.getContext = () => context;
  document_map.cssColour = (name) => name;
  document_map.start();
  return { ...made, map, texts, drawn, document_map };
}
const point = (y, x = 905) => ({ clientX: x, clientY: 50 + y, button: 0, pointerId: 1 });

test("it draws unread rows, suggestions and spans, and again after a change", async () => {
  const { drawn, add, span, store } = shown();
  await rest(PAUSE);
  assert.deepEqual([...new Set(drawn.map(([ink]) => ink))], ["unread", "suggestion"]);
  assert.deepEqual(
    drawn.filter(([ink]) => ink === "unread").map(([, left]) => left),
    [1, 1, 11, 11],
    "A is on the left, B on the right",
  );
  drawn.length = 0;
  add(span("s1", "2", [0, 1], [0]));
  store.emit("doc", []);
  assert.equal(drawn.length, 0, "keys do not wait for it");
  await rest(PAUSE);
  assert.deepEqual(
    drawn.filter(([ink]) => ink === "g2").map(([, left]) => left),
    [1, 11],
  );
  drawn.length = 0;
  store.showSuggestions = false;
  store.readOnly = true;
  store.emit("view");
  await rest(PAUSE);
  assert.deepEqual(
    [...new Set(drawn.map(([ink]) => ink))],
    ["g2"],
    "hidden suggestions are not drawn, nor unread rows where nothing is to be read",
  );
});

test("a click scrolls there; a drag of the frame keeps the place where it was grabbed", async () => {
  const { map, texts } = shown();
  await rest(PAUSE);
  send(map, "pointerdown", point(150));
  assert.equal(texts.scrollTop, 1800);
  frame();
  assert.equal(map.querySelector(".frame").style.height, "30px");
  send(map, "pointerup", point(150));
  send(map, "pointermove", point(299));
  assert.equal(texts.scrollTop, 1800, "only while it is held");
  send(texts, "scroll");
  frame();
  send(map, "pointerdown", point(145));
  assert.equal(texts.scrollTop, 1800, "on the frame, nothing jumps");
  send(map, "pointermove", point(280));
  assert.equal(texts.scrollTop, 3600);
  send(map, "pointerup", point(280));
  assert.ok(send(map, "mousedown", point(10)).defaultPrevented, "the focus stays in the texts");
  send(map, "pointerdown", { ...point(10), button: 2 });
  assert.equal(texts.scrollTop, 3600);
});

test("where the texts scroll separately, each half is about its text", async () => {
  const { map, view, document_map } = shown();
  view.sheet.classList.add("apart");
  for (const side of ["a", "b"])
    Object.defineProperty(view.columns[side], "scrollHeight", { value: 800, configurable: true });
  await rest(PAUSE);
  send(map, "pointerdown", point(300, 915));
  assert.deepEqual(
    ["a", "b"].map((side) => view.columns[side].scrollTop),
    [0, 400],
  );
  assert.ok(document_map.apart);
  const wheel = Object.assign(new Event("wheel", { bubbles: true }), { clientX: 905, clientY: 60, deltaY: 70 });
  map.dispatchEvent(wheel);
  assert.equal(view.columns.a.scrollTop, 70);
});

test("without labels there is no map, and without room nothing is drawn", async () => {
  const rating = shown({ scheme: RATING });
  await rest(PAUSE);
  assert.equal(rating.drawn.length, 0);
  const { drawn, map, store } = shown();
  boxes.set(map, [0, 0, 0, 0]);
  store.emit("doc", []);
  await rest(PAUSE);
  assert.equal(drawn.length, 0);
  boxes.clear();
  media.clear();
});
