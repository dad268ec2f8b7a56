import assert from "node:assert/strict";
import { test } from "node:test";
import * as marking from "../../../static/js/workspace/model/span-edits.js";
import { AnnotationModel } from "../../../static/js/workspace/model/annotation-model.js";
import { assignment, GRADED, NEW, random } from "../helpers.js";

const on = (a = [], b = []) => ({ a, b });
/** Spans as "label a:tokens b:tokens". */
const seen = (work) =>
  [...work.doc.spans.values()].map(({ id, label }) => `${label} ${work.cover.of(id).a}|${work.cover.of(id).b}`);

test("a selection on both sides is one linked span", () => {
  const work = new AnnotationModel(assignment());
  work.commit(marking.markTokens(work, on([1, 2], [0]), "4"));
  assert.deepEqual(seen(work), ["4 1,2|0"]);
  const [span] = work.doc.spans.values();
  assert.deepEqual(span.fragments, [
    { side: "a", start: 4, end: 11 },
    { side: "b", start: 0, end: 3 },
  ]);
  assert.equal(span.origin, "manual");
});

test("spans of one annotator may overlap where the scheme says so; the shorter lies on top", () => {
  const work = new AnnotationModel(assignment());
  work.commit(marking.markTokens(work, on([1, 2, 3]), "1"));
  work.commit(marking.markTokens(work, on([2]), "5"));
  assert.equal(work.cover.at("a", 2).length, 2);
  assert.equal(work.labelOf(work.cover.at("a", 2)[1]).key, "5");
  assert.equal(work.cover.at("a", 1).length, 1);
});

test("the same words marked again are relabelled, not marked twice", () => {
  const work = new AnnotationModel(assignment());
  work.commit(marking.markTokens(work, on([1]), "1"));
  work.commit(marking.markTokens(work, on([1]), "3"));
  assert.deepEqual(seen(work), ["3 1|"]);
});

test("if labels exclude each other, a new span takes the words from the old one", () => {
  const work = new AnnotationModel(assignment({ scheme: NEW }));
  work.commit(marking.markTokens(work, on([], [0, 1, 2, 3]), "new"));
  work.commit(marking.markTokens(work, on([], [1]), "inferable"));
  assert.deepEqual(seen(work).sort(), ["inferable |1", "new |0,2,3"]);
  work.commit(marking.markTokens(work, on([], [0, 2, 3]), "inferable"));
  assert.ok(seen(work).every((one) => one.startsWith("inferable")));
  work.undo();
  assert.deepEqual(seen(work).sort(), ["inferable |1", "new |0,2,3"]);
});

test("a side that may not be marked is ignored, and creates no span of its own", () => {
  const work = new AnnotationModel(assignment({ scheme: NEW }));
  assert.equal(work.commit(marking.markTokens(work, on([1, 2]), "new")), false);
  work.commit(marking.markTokens(work, on([1], [2]), "new"));
  assert.deepEqual(seen(work), ["new |2"]);
});

test("without links the sides become separate spans, without gaps the runs do", () => {
  const plain = { ...GRADED, links: false };
  assert.deepEqual(marking.allowedShapes(on([1, 3], [0]), plain), [on([1, 3]), on([], [0])]);
  assert.deepEqual(marking.allowedShapes(on([1, 3], []), { ...plain, discontinuous: false }), [on([1]), on([3])]);
  assert.deepEqual(marking.allowedShapes(on([1, 3], [0]), { ...GRADED, discontinuous: false }), [
    on([1], [0]),
    on([3]),
  ]);
});

test("a reshaped suggestion counts as edited; without words it is deleted", () => {
  const work = new AnnotationModel(assignment());
  work.commit(marking.markTokens(work, on([1, 2]), "2", "accepted"));
  const [id] = work.doc.spans.keys();
  work.commit(marking.reshapeSpan(work, id, on([1, 2, 3], [0])));
  assert.equal(work.span(id).origin, "edited");
  assert.deepEqual(marking.reshapeSpan(work, id, on([1, 2, 3], [0])), []);
  work.commit(marking.reshapeSpan(work, id, on()));
  assert.equal(work.doc.spans.size, 0);
});

test("a split separates the words at the cursor; at the first word it separates the sides", () => {
  const work = new AnnotationModel(assignment());
  work.commit(marking.markTokens(work, on([0, 1, 2], [1]), "2"));
  const [id] = work.doc.spans.keys();
  work.commit(marking.splitSpan(work, id, "a", 1));
  assert.deepEqual(seen(work).sort(), ["2 0|1", "2 1,2|"]);
  work.undo();
  work.commit(marking.splitSpan(work, id, "a", 0));
  assert.deepEqual(seen(work).sort(), ["2 0,1,2|", "2 |1"]);
  const lone = new AnnotationModel(assignment());
  lone.commit(marking.markTokens(lone, on([1, 2]), "2"));
  assert.deepEqual(marking.splitSpan(lone, [...lone.doc.spans.keys()][0], "a", 1), []);
});

test("the strongest label of a graded scheme is its highest, of another its first", () => {
  assert.equal(marking.strongestLabel(GRADED).key, "5");
  assert.equal(marking.strongestLabel(NEW).key, "new");
});

test("after any operation, the cover agrees with the spans, and undo leads back to the start", () => {
  for (const scheme of [GRADED, NEW])
    for (let seed = 0; seed < 30; seed += 1) {
      const pick = random(seed);
      const work = new AnnotationModel(assignment({ scheme }));
      for (let n = 0; n < 40; n += 1) {
        const some = () => Array.from({ length: 9 }, (_, index) => index).filter(() => pick(3) === 0);
        const ids = [...work.doc.spans.keys()];
        const id = ids[pick(ids.length || 1)] ?? "";
        const label = scheme.labels[pick(scheme.labels.length)].key;
        const act = [
          () => marking.markTokens(work, on(some(), some()), label),
          () => marking.relabelSpan(work, id, label),
          () => marking.splitSpan(work, id, pick(2) ? "a" : "b", pick(9)),
          () => marking.removeSpan(work, id),
          () => (id ? marking.reshapeSpan(work, id, scheme === NEW ? on([], some()) : on(some(), some())) : []),
        ][pick(5)];
        work.commit(act());
        for (const side of ["a", "b"])
          for (let index = 0; index < 9; index += 1) {
            const there = [...work.doc.spans.keys()].filter((one) => work.cover.of(one)[side].includes(index));
            assert.deepEqual([...work.cover.at(side, index)].sort(), there.sort());
            if (!scheme.overlap) assert.ok(there.length < 2);
          }
        for (const span of work.doc.spans.values()) assert.ok(span.fragments.length > 0);
      }
      while (work.undo());
      assert.equal(work.doc.spans.size, 0);
      assert.ok(work.cover.stacks.a.every((ids) => !ids?.length));
    }
});
