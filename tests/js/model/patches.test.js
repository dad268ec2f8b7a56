/** Changes of the document as data: applied, inverted, joined, found between two documents. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { annotation, random, randomChange, smallSpan } from "../helpers.js";
import {
  applyPatch,
  contentChanges,
  diffDocs,
  docOf,
  invertPatch,
  joinPatches,
  serializeDoc,
} from "../../../static/js/workspace/model/patches.js";

/** A document with something of every kind. */
const full = () => ({
  ...annotation([smallSpan("s2", "2"), smallSpan("s1", "1")]),
  answers: { form: "yes" },
  comment: "see 🙂",
  read: { a: [10, 9, 2], b: [1] },
  dismissed: ["p2", "p1"],
  unmarked: ["k2", "k1"],
});
const byId = (x, y) => (x.id < y.id ? -1 : 1);
const span = (id, before, after) => ({
  kind: "span",
  id,
  before: before && smallSpan(id, before),
  after: after && smallSpan(id, after),
});
const tick = (id, after) => ({ kind: "read", id, before: !after, after });

test("a document is a copy of the annotation: changing it leaves what was loaded", () => {
  const loaded = full();
  const doc = docOf(loaded);
  applyPatch(doc, [
    span("s1", "1", null),
    { kind: "answer", id: "form", before: "yes", after: "" },
    tick("a:2", false),
    { kind: "dismissed", id: "p1", before: true, after: false },
    { kind: "unmarked", id: "k1", before: true, after: false },
  ]);
  assert.deepEqual(loaded, full());
  assert.deepEqual(docOf({ ...annotation(), read: {} }).read, { a: new Set(), b: new Set() }, "sides may be left out");
});

test("what is sent is plain JSON: numbers ascending as numbers, keys sorted, spans in the order asked for", () => {
  const { spans, ...others } = serializeDoc(docOf(full()), byId);
  assert.deepEqual(spans, { v: 1, spans: [smallSpan("s1", "1"), smallSpan("s2", "2")] });
  assert.deepEqual(others, {
    answers: { form: "yes" },
    comment: "see 🙂",
    read: { a: [2, 9, 10], b: [1] },
    dismissed: ["p1", "p2"],
    unmarked: ["k1", "k2"],
  });
  assert.deepEqual(
    serializeDoc(docOf(full())).spans.spans.map(({ id }) => id),
    ["s2", "s1"],
    "without an order, as they were added",
  );
  const doc = docOf(full());
  serializeDoc(doc).answers.form = "no";
  assert.equal(doc.answers.form, "yes");
});

test("each kind of change does one thing, and its inverse takes it back", () => {
  for (const change of [
    span("new", null, "3"),
    span("s1", "1", "4"),
    span("s2", "2", null),
    { kind: "answer", id: "meaning", before: "", after: "no" },
    { kind: "answer", id: "form", before: "yes", after: "" },
    { kind: "comment", id: "", before: "see 🙂", after: "" },
    tick("a:3", true),
    tick("b:1", false),
    { kind: "dismissed", id: "p3", before: false, after: true },
    { kind: "dismissed", id: "p1", before: true, after: false },
    { kind: "unmarked", id: "k3", before: false, after: true },
    { kind: "unmarked", id: "k1", before: true, after: false },
  ]) {
    const doc = docOf(full());
    applyPatch(doc, [change]);
    assert.deepEqual(diffDocs(docOf(full()), doc), [change]);
    applyPatch(doc, invertPatch([change]));
    assert.deepEqual(serializeDoc(doc, byId), serializeDoc(docOf(full()), byId));
  }
});

test("a patch is inverted from its end, and stays as it is", () => {
  const patch = [span("s1", "1", "2"), span("s1", "2", null)];
  assert.deepEqual(invertPatch(patch), [span("s1", null, "2"), span("s1", "2", "1")]);
  assert.deepEqual(patch, [span("s1", "1", "2"), span("s1", "2", null)]);
  const doc = docOf(full());
  applyPatch(doc, patch);
  applyPatch(doc, invertPatch(patch));
  assert.deepEqual(doc.spans.get("s1"), smallSpan("s1", "1"));
});

test("joined, only the first state and the last count, for each thing by itself", () => {
  const first = [span("s1", "1", "2"), tick("a:3", true), { kind: "answer", id: "s1", before: "", after: "yes" }];
  const second = [span("s1", "2", "3"), tick("a:3", false), tick("b:3", true)];
  assert.deepEqual(joinPatches(first, second), [
    span("s1", "1", "3"),
    { kind: "answer", id: "s1", before: "", after: "yes" },
    tick("b:3", true),
  ]);
  assert.deepEqual(joinPatches([span("s3", null, "1")], [span("s3", "1", null)]), []);
  assert.deepEqual(joinPatches([], second), second);
});

test("equal documents do not differ; a span counts by its content", () => {
  assert.deepEqual(diffDocs(docOf(full()), docOf(full())), []);
  const other = docOf(full());
  other.spans.set("s1", { ...smallSpan("s1", "1"), comment: "why" });
  assert.deepEqual(
    diffDocs(docOf(full()), other).map(({ kind, id }) => [kind, id]),
    [["span", "s1"]],
  );
  assert.deepEqual(
    diffDocs(docOf(full()), docOf(annotation()))
      .map(({ kind, id }) => `${kind} ${id}`)
      .sort(),
    [
      "answer form",
      "comment ",
      "dismissed p1",
      "dismissed p2",
      "read a:10",
      "read a:2",
      "read a:9",
      "read b:1",
      "span s1",
      "span s2",
      "unmarked k1",
      "unmarked k2",
    ],
  );
});

test("ticks and dismissals are no content: they alone create no revision", () => {
  const kinds = ["span", "answer", "comment", "read", "dismissed", "unmarked"];
  assert.deepEqual(
    contentChanges(kinds.map((kind) => ({ kind, id: "x", before: "", after: "y" }))).map(({ kind }) => kind),
    ["span", "answer", "comment", "unmarked"],
  );
});

test("a patch and its inverse leave nothing; the difference of two documents leads from one to the other", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const pick = random(seed + 100);
    const [one, two] = [docOf(annotation()), docOf(annotation())];
    for (const doc of [one, two]) for (let n = 0; n < pick(12); n += 1) applyPatch(doc, [randomChange(doc, pick)]);
    const patch = diffDocs(one, two);
    assert.equal(joinPatches(patch, invertPatch(patch)).length, 0);
    applyPatch(one, patch);
    assert.deepEqual(serializeDoc(one, byId), serializeDoc(two, byId));
  }
});
