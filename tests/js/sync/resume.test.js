import assert from "node:assert/strict";
import { test } from "node:test";
import { countUnsaved, resume, withPending } from "../../../static/js/workspace/sync/resume.js";
import { applyPatch, docOf, serializeDoc } from "../../../static/js/workspace/model/patches.js";
import { annotation } from "../helpers.js";

const span = (id, label = "1") => ({
  id,
  label,
  origin: "manual",
  comment: "",
  fragments: [{ side: "a", start: 0, end: 1 }],
});
const add = (id) => [{ kind: "span", id, before: null, after: span(id) }];
const base = (revision, ...spans) => ({ revision, clock: 3, doc: serializeDoc(docOf(annotation(spans, revision))) });
const tick = [{ kind: "read", id: "a:0", before: false, after: true }];

test("a first visit, and a visit after work elsewhere, start with the server's state", () => {
  assert.deepEqual(resume(annotation([span("1")], 4), null, []), {
    patches: [],
    revision: 4,
    unsaved: false,
    steps: false,
  });
  assert.deepEqual(resume(annotation([span("1")], 4), base(3), []), {
    patches: [],
    revision: 4,
    unsaved: false,
    steps: false,
  });
});

test("a reload keeps the undo steps, also after submitting and reopening", () => {
  assert.equal(resume(annotation([span("1")], 4), base(4, span("1")), []).steps, true);
  assert.equal(resume(annotation([span("1")], 6), base(4, span("1")), []).steps, true);
});

test("changes that never arrived are applied again to the same revision", () => {
  const { patches, revision, unsaved } = resume(annotation([], 4), base(4), [add("1"), tick]);
  assert.deepEqual([patches, revision, unsaved], [[add("1"), tick], 4, true]);
});

test("a save whose response was lost is no conflict", () => {
  const taken = resume(annotation([span("1")], 5), base(4), [add("1"), tick]);
  assert.deepEqual([taken.revision, taken.unsaved, taken.patches.flat()], [5, true, tick]);
});

test("changes on both sides: ours is restored, and the save names the old revision so that it conflicts", () => {
  const server = annotation([span("2")], 5);
  const { patches, revision, unsaved } = resume(server, base(4), [add("1")]);
  assert.deepEqual([revision, unsaved], [4, true]);
  const doc = docOf(server);
  for (const patch of patches) applyPatch(doc, patch);
  assert.deepEqual([...doc.spans.keys()], ["1"]);
  assert.deepEqual([...withPending(server, base(4), [add("1")]).spans.keys()], ["1"]);
});

test("a newer revision with the same content, submitted and reopened, is nothing to choose between", () => {
  const { patches, revision, unsaved } = resume(annotation([span("2")], 6), base(4, span("2")), [add("1"), tick]);
  assert.deepEqual([patches, revision, unsaved], [[add("1"), tick], 6, true]);
});

test("a page that only has unsent ticks shows what was saved elsewhere at once, with its ticks added", () => {
  const server = { ...annotation([span("2")], 5), read: { a: [], b: [1] } };
  const { patches, revision, unsaved, steps } = resume(server, base(4, span("1")), [tick]);
  assert.deepEqual([revision, unsaved, steps], [5, true, false]);
  const doc = docOf(server);
  for (const patch of patches) applyPatch(doc, patch);
  assert.deepEqual([[...doc.spans.keys()], [...doc.read.a], [...doc.read.b]], [["2"], [0], [1]]);
});

test("unsaved changes are counted in spans, answers and comments, not in ticks, letters or steps", () => {
  const letters = (before, after) => [{ kind: "comment", id: "", before, after }];
  const dismissed = [{ kind: "dismissed", id: "a1", before: false, after: true }];
  assert.deepEqual(countUnsaved([]), { changes: 0, ticks: false });
  assert.deepEqual(countUnsaved([tick, dismissed]), { changes: 0, ticks: true });
  assert.deepEqual(countUnsaved([dismissed]), { changes: 0, ticks: false });
  assert.deepEqual(countUnsaved([add("1"), tick, letters("", "a"), letters("a", "ab"), add("2")]), {
    changes: 3,
    ticks: true,
  });
  assert.deepEqual(countUnsaved([add("1"), [{ kind: "span", id: "1", before: span("1"), after: null }]]), {
    changes: 0,
    ticks: false,
  });
});
