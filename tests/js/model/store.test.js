import assert from "node:assert/strict";
import { test } from "node:test";
import { markTokens } from "../../../static/js/workspace/model/span-edits.js";
import { beginRun, extendRun } from "../../../static/js/workspace/model/selection.js";
import { Store } from "../../../static/js/workspace/model/store.js";
import { assignment, NEW } from "../helpers.js";

/** The tokens to be repainted, as "side:token". */
function watch(store) {
  const touched = [];
  store.on("touched", (sets) => {
    for (const side of ["a", "b"]) for (const index of sets[side] ?? []) touched.push(`${side}:${index}`);
  });
  return () => touched.splice(0).sort();
}

test("a change repaints the words it touches and no others", () => {
  const store = new Store(assignment());
  const touched = watch(store);
  store.commit(markTokens(store, { a: [1, 2], b: [3] }, "2"));
  assert.deepEqual(touched(), ["a:1", "a:2", "b:3"]);
  const [id] = store.doc.spans.keys();
  store.pick(id);
  assert.deepEqual(touched(), ["a:1", "a:2", "b:3"]);
  store.undo();
  assert.deepEqual([...new Set(touched())], ["a:1", "a:2", "b:3"]);
  assert.equal(store.picked, null, "what is gone is no longer picked");
});

test("a longer selection repaints only added and removed words", () => {
  const store = new Store(assignment());
  store.select(beginRun(store.selection, "a", 1, 3, false));
  const touched = watch(store);
  store.select(extendRun(store.selection, 4));
  assert.deepEqual(touched(), ["a:4"]);
  store.select(extendRun(store.selection, 2));
  assert.deepEqual(touched(), ["a:3", "a:4"]);
});

test("hovering a word shows its counterparts and its span, unless suggestions are hidden", () => {
  const highlights = {
    run: "r",
    method: "m",
    scores_a: [],
    scores_b: [],
    edges: [
      [1, 2],
      [1, 3],
    ],
    proposals: [],
    dismissed: [],
  };
  const store = new Store(assignment({ highlights }));
  store.commit(markTokens(store, { a: [1], b: [] }, "2"));
  store.hoverWord({ side: "a", index: 1 });
  assert.deepEqual([[...store.highlighted.b], store.hovered], [[2, 3], [...store.doc.spans.keys()][0]]);
  store.hoverWord(null);
  assert.deepEqual([store.highlighted.b.size, store.hovered], [0, null]);
  store.showSuggestions = false;
  store.hoverWord({ side: "a", index: 1 });
  assert.equal(store.highlighted.b.size, 0);
});

test("read-only pairs do not change", () => {
  const store = new Store(assignment());
  store.readOnly = true;
  assert.equal(store.commit(markTokens(store, { a: [1], b: [] }, "2")), false);
  assert.equal(store.undo(), null);
  assert.equal(store.doc.spans.size, 0);
});

test("the cursor stays in its text", () => {
  const store = new Store(assignment());
  store.moveTo("b", 999);
  assert.deepEqual(store.cursor, { side: "b", index: store.grids.b.count - 1 });
  store.moveTo("a", -4);
  assert.deepEqual(store.cursor, { side: "a", index: 0 });
});

/** What a topic says from now on. */
function said(store, topic) {
  const found = [];
  store.on(topic, (detail) => found.push(detail));
  return found;
}
const one = [
  {
    kind: "span",
    id: "s1",
    before: null,
    after: { id: "s1", label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 4, end: 11 }] },
  },
];

test("a label applies to what is selected, else to the span just marked, else to the word at the cursor", () => {
  const store = new Store(assignment());
  store.moveTo("b", 2);
  assert.deepEqual(store.targetTokens(), { a: [], b: [2] });
  store.moveTo("a", 5);
  assert.deepEqual(store.targetTokens(), { a: [5], b: [] });
  store.commit(one);
  store.lastMarked = "s1";
  assert.deepEqual(store.targetTokens(), { a: [1, 2], b: [] });
  store.select({ fixed: { a: [0], b: [3] }, active: null });
  assert.deepEqual(store.targetTokens(), { a: [0], b: [3] });
  store.select({ fixed: { a: [], b: [] }, active: null });
  store.undo();
  assert.deepEqual(store.targetTokens(), { a: [5], b: [] }, "it is gone");
});

test("the span just marked is forgotten once the cursor moves, not if it stays", () => {
  const store = new Store(assignment());
  store.moveTo("a", 5);
  store.lastMarked = "s1";
  store.moveTo("a", 5);
  assert.equal(store.lastMarked, "s1");
  store.moveTo("b", 5);
  assert.equal(store.lastMarked, null);
});

test("a run that the cursor enters is the active one", () => {
  const store = new Store(assignment());
  const heard = said(store, "cursor");
  store.select({ fixed: { a: [1, 2], b: [] }, active: null });
  store.moveTo("a", 2);
  assert.deepEqual([store.selection.active?.side, [...store.selected.a]], ["a", [1, 2]]);
  assert.deepEqual(heard, [{ side: "a", index: 0 }]);
});

test("others hear of a change, with what was before, and not of none", () => {
  const store = new Store(assignment());
  store.commit(one);
  for (const [topic, change, heard] of /** @type {const} */ ([
    ["picked", (id) => store.pick(id), [null, "s1"]],
    ["hover", (id) => store.hover(id), [null, "s1"]],
  ])) {
    const found = said(store, topic);
    for (const id of ["s1", "s1", null, null]) change(id);
    assert.deepEqual(found, heard, topic);
  }
  const controls = said(store, "controls");
  store.setDevice("touch");
  store.setDevice("touch");
  store.setDragging(true, "select");
  assert.deepEqual([store.device, store.dragging, store.gesture, controls.length], ["touch", true, "select", 2]);
  store.setDragging(false);
  assert.equal(store.gesture, "");
  const selection = said(store, "selection");
  for (const [adding, awaiting] of [
    [true, true],
    [true, true],
    [true, false],
    [false, false],
  ])
    store.setAdding(adding, awaiting);
  assert.deepEqual([selection.length, store.adding, store.awaiting], [3, false, false]);
});

test("a suggestion is current while some of its words are selected", () => {
  const proposals = [{ id: "p1", fragments: [{ side: "a", start: 4, end: 11 }] }];
  const store = new Store(
    assignment({
      highlights: { run: "r", method: "m", scores_a: [], scores_b: [], edges: [], proposals, dismissed: [] },
    }),
  );
  const heard = said(store, "suggestion");
  const touched = watch(store);
  store.suggest("p1");
  store.suggest("p1");
  assert.deepEqual([touched(), heard.length], [["a:1", "a:2"], 1]);
  store.select(beginRun(store.selection, "a", 2, 3, false));
  assert.equal(store.suggestion, "p1");
  store.select(beginRun(store.selection, "a", 3, 4, false));
  assert.deepEqual([store.suggestion, heard.length], [null, 2]);
});

test("what is highlighted or quoted is repainted with what was before", () => {
  const store = new Store(assignment());
  const touched = watch(store);
  store.highlight({ a: [1], b: [] });
  store.highlight({ a: [2], b: [0] });
  assert.deepEqual(
    [touched(), [...store.highlighted.a], [...store.highlighted.b]],
    [["a:1", "a:1", "a:2", "b:0"], [2], [0]],
  );
  store.quote({ a: [4], b: [] });
  store.select(beginRun(store.selection, "a", 7, 7, false));
  assert.deepEqual([touched(), [...store.quoted.a]], [["a:4", "a:7"], [4]]);
});

test("a span that is deleted is pointed at no more", () => {
  const store = new Store(assignment());
  store.commit(one);
  store.hover("s1");
  store.undo();
  assert.equal(store.hovered, null);
});

test("the cursor is in a text that can be marked at first", () => {
  assert.equal(new Store(assignment({ scheme: NEW })).cursor.side, "b");
  assert.equal(new Store(assignment({ scheme: { ...NEW, sides: [] } })).cursor.side, "a");
});
