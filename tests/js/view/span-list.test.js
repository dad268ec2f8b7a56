/** The list of spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, press, send, words } from "../page.js";
import { built } from "../built.js";
import { GRADED } from "../helpers.js";
import { SpanList } from "../../../static/js/workspace/view/span-list.js";

test("the spans are listed in text order with both sides quoted, and only what changed is drawn again", () => {
  const { store, add, span } = built();
  add(span("s2", "2", [5], []), span("s1", "1", [0, 1], [0], { comment: "why", origin: "accepted" }));
  const went = [];
  const list = new SpanList(
    store,
    (...to) => went.push(to),
    (id) => went.push(id),
    (tokens) => went.push(tokens),
  );
  const rows = () => [...at("spans").querySelectorAll("li")];
  assert.deepEqual(
    rows().map((row) => row.dataset.id),
    ["s1", "s2"],
  );
  assert.equal(words(rows()[0]), "1L1The cardDieaccepted from a suggestion · “why”");
  assert.equal(words(rows()[1]), "2L2arrivesonly in English");
  assert.equal(rows()[0].querySelector(".quotation.b").lang, "de");
  assert.equal(at("span-count").textContent, "2 spans");
  assert.ok(at("no-spans").hidden);
  const kept = rows()[0];
  add(span("s0", "3", [2], []));
  assert.deepEqual(
    rows().map((row) => row.dataset.id),
    ["s1", "s0", "s2"],
  );
  assert.equal(rows()[0], kept);
  store.commit([{ kind: "span", id: "s2", before: store.span("s2"), after: null }]);
  assert.deepEqual(
    rows().map((row) => row.dataset.id),
    ["s1", "s0"],
  );
  rows()[1].querySelector("button").click();
  assert.deepEqual(went, [["a", 2], "s0", { a: [2], b: [] }]);
  store.pick("s0");
  assert.deepEqual(
    rows().map((row) => row.className),
    ["row", "row active"],
  );
  send(rows()[0].querySelector("button"), "mouseover");
  assert.equal(store.hovered, "s1");
  assert.equal(rows()[0].className, "row active");
  send(at("spans"), "mouseleave");
  assert.equal(store.hovered, null);
  assert.equal(rows()[0].className, "row");
  assert.deepEqual(
    rows().map((row) => row.querySelector("button").tabIndex),
    [0, -1],
  );
  rows()[0].querySelector("button").focus();
  assert.ok(press(rows()[0].querySelector("button"), "ArrowDown").defaultPrevented);
  assert.deepEqual(
    [document.activeElement, rows()[0].querySelector("button").tabIndex],
    [rows()[1].querySelector("button"), -1],
  );
  list.listRemaining();
  assert.equal(rows().length, 2);
  for (const id of ["s1", "s0"]) store.commit([{ kind: "span", id, before: store.span(id), after: null }]);
  assert.ok(!at("no-spans").hidden);
});

test("a row that is picked out of view is scrolled to, and a page of many spans lists the rest later", () => {
  const { store, add, span } = built({
    a: Array.from({ length: 60 }, (_, n) => `w${n}`).join(" "),
    beads: [
      [[0], [0]],
      [[], [1]],
    ],
  });
  add(...Array.from({ length: 50 }, (_, n) => span(`s${n}`, "1", [n], [])));
  const list = new SpanList(
    store,
    () => {},
    () => {},
    () => {},
  );
  assert.equal(at("spans").children.length, 40);
  list.listRemaining();
  assert.equal(at("spans").children.length, 50);
  assert.deepEqual(
    [...at("spans").children].map((row) => row.dataset.id),
    Array.from({ length: 50 }, (_, n) => `s${n}`),
  );
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
  new SpanList(
    store,
    () => {},
    () => {},
    () => {},
  );
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

/** A page with a list of spans; `rows()` are its rows. */
function listing(parts) {
  const made = built(parts);
  const went = [];
  const list = new SpanList(
    made.store,
    (...to) => went.push(["go", ...to]),
    (id) => went.push(["pick", id]),
    (tokens) => went.push(["both", tokens]),
  );
  return { ...made, list, went, rows: () => [...at("spans").querySelectorAll("li")] };
}

test("a row that has the focus counts as pointed at; beside the rows, nothing does", () => {
  const { store, add, span, rows, went } = listing();
  add(span("s1", "1", [0], []), span("s2", "1", [2], []));
  send(rows()[1].querySelector("button"), "focusin");
  assert.equal(store.hovered, "s2");
  send(at("spans"), "mouseover");
  assert.equal(store.hovered, null);
  send(at("spans"), "click");
  assert.deepEqual(went, []);
});

test("a change of a span changes its row, wherever it is, and other changes none", () => {
  const { store, add, span, rows } = listing();
  add(span("s1", "1", [0], []), span("s2", "1", [2], []), span("s3", "1", [4], []));
  const [, second, third] = rows();
  store.commit([
    { kind: "span", id: "s1", before: store.span("s1"), after: span("s1", "1", [7], []) },
    { kind: "comment", id: "", before: "", after: "x" },
  ]);
  assert.deepEqual(
    rows().map((row) => row.dataset.id),
    ["s2", "s3", "s1"],
  );
  assert.ok(rows()[0] === second && rows()[1] === third);
});

test("what a row says of its span depends on the scheme: where it is, if it could be elsewhere, where it is from, and its comment", () => {
  const notes = (parts, ...fields) => {
    const { add, span, rows } = listing(parts);
    add(span("s1", "1", ...fields));
    return rows()[0].querySelector("small")?.textContent ?? "";
  };
  assert.equal(notes({}, [0], [0]), "");
  assert.notEqual(notes({}, [0], []), "");
  assert.equal(notes({ scheme: { ...GRADED, sides: ["b"], links: false } }, [], [0]), "", "there is no other side");
  assert.equal(notes({}, [0], [0], { comment: "why" }), "“why”");
  const [accepted, edited] = ["accepted", "edited"].map((origin) => notes({}, [0], [0], { origin }));
  assert.ok(accepted && edited && accepted !== edited);
});

test("a label that the scheme lacks is named by its key", () => {
  const { add, span, rows } = listing();
  add(span("s1", "gone", [0], []));
  assert.equal(rows()[0].querySelector(".sr-only").textContent, "gone");
});

test("a click goes to the first word, on B if there is none on A, picks the span and shows both ends", () => {
  const { add, span, rows, went } = listing();
  add(span("s1", "1", [], [3, 4]));
  rows()[0].querySelector(".quotation").click();
  assert.deepEqual(went, [
    ["go", "b", 3],
    ["pick", "s1"],
    ["both", { a: [], b: [3, 4] }],
  ]);
});

test("the row that Tab reaches is there again after it was removed", () => {
  const { store, add, span, rows } = listing();
  add(span("s1", "1", [0], []), span("s2", "1", [2], []));
  store.commit([{ kind: "span", id: "s1", before: store.span("s1"), after: null }]);
  assert.deepEqual(
    rows().map((row) => row.querySelector("button").tabIndex),
    [0],
  );
});

test("a row out of view is scrolled to only if the list is shown", () => {
  const { store, add, span, rows } = listing();
  add(span("s1", "1", [0], []));
  boxes.set(rows()[0], [0, -50, 300, 20]);
  boxes.set(at("span-list"), [0, 0, 0, 300]);
  at("span-list").scrollTop = 200;
  store.pick("s1");
  assert.equal(at("span-list").scrollTop, 200);
  store.pick(null);
  boxes.set(at("span-list"), [0, 0, 300, 300]);
  store.hover("s1");
  assert.equal(at("span-list").scrollTop, 200, "what is pointed at is not scrolled away");
  store.pick("s1");
  assert.equal(at("span-list").scrollTop, 50);
  boxes.clear();
});
