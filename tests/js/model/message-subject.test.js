/** What a message is about. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { assignment } from "../helpers.js";
import { aboutOf, MAX_RUNS, quoteRuns } from "../../../static/js/workspace/model/message-subject.js";
import * as selection from "../../../static/js/workspace/model/selection.js";
import { fragmentsOf } from "../../../static/js/workspace/model/spans.js";
import { Store } from "../../../static/js/workspace/model/store.js";

const words = (...parts) =>
  fragmentsOf({ a: [], b: [], ...Object.assign({}, ...parts) }, new Store(assignment()).grids);

test("the picked span comes first, then what is selected on each side, by the workspace or by the browser, then the pair", () => {
  const store = new Store(assignment());
  const marked = { a: [], b: [1] };
  assert.deepEqual(aboutOf(store), { span: "", words: [] });
  assert.deepEqual(aboutOf(store, marked), { span: "", words: words({ b: [1] }) });
  store.select(selection.selectionOf({ a: [0, 1], b: [] }));
  assert.deepEqual(aboutOf(store, marked), { span: "", words: words({ a: [0, 1] }, { b: [1] }) });
  assert.deepEqual(aboutOf(store, { a: [2], b: [] }), { span: "", words: words({ a: [0, 1] }) });
  const fragments = words({ a: [2], b: [0] });
  store.commit([
    { kind: "span", id: "s9", before: null, after: { id: "s9", label: "3", origin: "manual", comment: "", fragments } },
  ]);
  store.pick("s9");
  assert.deepEqual(aboutOf(store, marked), { span: "s9", words: fragments });
});

test("a message is about no more runs than the server accepts", () => {
  const store = new Store(assignment());
  const fragments = Array.from({ length: MAX_RUNS + 5 }, (_, n) => ({ side: "a", start: n, end: n + 1 }));
  store.doc.spans.set("s", { id: "s", label: "3", origin: "manual", comment: "", fragments });
  store.picked = "s";
  assert.equal(aboutOf(store).words.length, MAX_RUNS);
});

test("runs are quoted with single spaces", () => {
  const store = new Store(assignment());
  const { start, end } = words({ a: [0, 1] })[0];
  assert.deepEqual(quoteRuns([{ side: "a", start, end }], store.grids), [
    store.grids.a.slice(start, end).replace(/\s+/g, " "),
  ]);
  assert.equal(quoteRuns([], store.grids).length, 0);
});
