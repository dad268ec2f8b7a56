import assert from "node:assert/strict";
import { test } from "node:test";
import { markTokens } from "../../../static/js/workspace/model/span-edits.js";
import { beginRun, extendRun } from "../../../static/js/workspace/model/selection.js";
import { Store } from "../../../static/js/workspace/model/store.js";
import { assignment } from "../helpers.js";

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
  const highlights = { run: "r", method: "m", scores_a: [], scores_b: [], edges: [[1, 2], [1, 3]], proposals: [], dismissed: [] };
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
