/** The list of spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, press, send, words } from "../page.js";
import { built } from "../built.js";
import { SpanList } from "../../../static/js/workspace/view/span-list.js";

test("the spans are listed in text order with both sides quoted, and only what changed is drawn again", () => {
  const { store, add, span } = built();
  add(span("s2", "2", [5], []), span("s1", "1", [0, 1], [0], { comment: "why", origin: "accepted" }));
  const went = [];
  const list = new SpanList(store, (...to) => went.push(to), (id) => went.push(id), (tokens) => went.push(tokens));
  const rows = () => [...at("spans").querySelectorAll("li")];
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s2"]);
  assert.equal(words(rows()[0]), "1L1The cardDieaccepted from a suggestion · “why”");
  assert.equal(words(rows()[1]), "2L2arrivesonly in English");
  assert.equal(rows()[0].querySelector(".quotation.b").lang, "de");
  assert.equal(at("span-count").textContent, "2 spans");
  assert.ok(at("no-spans").hidden);
  const kept = rows()[0];
  add(span("s0", "3", [2], []));
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s0", "s2"]);
  assert.equal(rows()[0], kept);
  store.commit([{ kind: "span", id: "s2", before: store.span("s2"), after: null }]);
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s0"]);
  rows()[1].querySelector("button").click();
  assert.deepEqual(went, [["a", 2], "s0", { a: [2], b: [] }]);
  store.pick("s0");
  assert.deepEqual(rows().map((row) => row.className), ["row", "row active"]);
  send(rows()[0].querySelector("button"), "mouseover");
  assert.equal(store.hovered, "s1");
  assert.equal(rows()[0].className, "row active");
  send(at("spans"), "mouseleave");
  assert.equal(store.hovered, null);
  assert.equal(rows()[0].className, "row");
  assert.deepEqual(rows().map((row) => row.querySelector("button").tabIndex), [0, -1]);
  rows()[0].querySelector("button").focus();
  assert.ok(press(rows()[0].querySelector("button"), "ArrowDown").defaultPrevented);
  assert.deepEqual([document.activeElement, rows()[0].querySelector("button").tabIndex], [rows()[1].querySelector("button"), -1]);
  list.listRemaining();
  assert.equal(rows().length, 2);
  for (const id of ["s1", "s0"]) store.commit([{ kind: "span", id, before: store.span(id), after: null }]);
  assert.ok(!at("no-spans").hidden);
});

test("a row that is picked out of view is scrolled to, and a page of many spans lists the rest later", () => {
  const { store, add, span } = built({ a: Array.from({ length: 60 }, (_, n) => `w${n}`).join(" "), beads: [[[0], [0]], [[], [1]]] });
  add(...Array.from({ length: 50 }, (_, n) => span(`s${n}`, "1", [n], [])));
  const list = new SpanList(store, () => {}, () => {}, () => {});
  assert.equal(at("spans").children.length, 40);
  list.listRemaining();
  assert.equal(at("spans").children.length, 50);
  assert.deepEqual([...at("spans").children].map((row) => row.dataset.id), Array.from({ length: 50 }, (_, n) => `s${n}`));
  boxes.set(at("span-list"), [0, 0, 300, 300]);
  boxes.set(at("spans").children[9], [0, 500, 300, 20]);
  store.pick("s9");
  assert.equal(at("span-list").scrollTop, 400);
  store.pick("s8");
  assert.equal(at("span-list").scrollTop, 400, "it was in view");
  boxes.clear();
});

test("arrows go from row to row in each list, and stop at its ends", () => {
  const { store } = built();
  new SpanList(store, () => {}, () => {}, () => {});
  at("more-suggestions").open = true;
  for (const id of ["suggestions", "more-suggestion-list"]) {
    at(id).innerHTML = '<li><button tabindex="0">1</button></li><li><button tabindex="-1">2</button></li>';
    const [first, second] = at(id).querySelectorAll("button");
    first.focus();
    press(first, "ArrowDown");
    const has = (button) => [document.activeElement === button, first.tabIndex, second.tabIndex];
    assert.deepEqual(has(second), [true, -1, 0], id);
    assert.ok(press(second, "ArrowDown").defaultPrevented, "the page does not scroll");
    assert.deepEqual(has(second), [true, -1, 0]);
    press(second, "ArrowUp");
    press(first, "ArrowUp");
    assert.deepEqual(has(first), [true, 0, -1]);
    assert.ok(!press(first, "Enter").defaultPrevented);
  }
});
