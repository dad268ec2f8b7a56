import assert from "node:assert/strict";
import { test } from "node:test";
import { docOf } from "../../static/js/workspace/patches.js";
import { differing, merge } from "../../static/js/workspace/versions.js";
import { annotation } from "./helpers.js";

const span = (id, label, start = 0, end = 3) => ({ id, label, origin: "manual", comment: "", fragments: [{ side: "a", start, end }] });
const doc = (...spans) => docOf(annotation(spans));

test("the spans in which two versions differ, whatever their ids", () => {
  const list = differing(doc(span("1", "2"), span("2", "3", 5, 6)), doc(span("x", "2"), span("2", "4", 5, 6), span("3", "1", 8, 9)));
  assert.deepEqual(list.map(({ mine, theirs }) => [mine?.label ?? null, theirs?.label ?? null]), [["3", "4"], [null, "1"]]);
});

test("both together: what one changed is taken from it; what both changed stays mine", () => {
  const base = doc(span("1", "1"), span("2", "1", 5, 6), span("3", "1", 8, 9));
  const mine = doc(span("1", "2"), span("2", "1", 5, 6), span("3", "1", 8, 9), span("m", "5", 20, 21));
  const theirs = doc(span("1", "3"), span("2", "4", 5, 6), span("t", "5", 30, 31));
  const both = merge(base, mine, theirs, true);
  assert.deepEqual([...both.spans.values()].map(({ id, label }) => id + label).sort(), ["12", "24", "m5", "t5"]);
});

test("where labels exclude each other, theirs gives way to mine", () => {
  const both = merge(doc(), doc(span("m", "1", 0, 5)), doc(span("t", "2", 3, 8), span("u", "2", 9, 10)), false);
  assert.deepEqual([...both.spans.keys()], ["m", "u"]);
});

test("ticks and dismissals are added up; a comment that only they changed is theirs", () => {
  const [base, mine, theirs] = [doc(), doc(), doc()];
  mine.read.a.add(1);
  theirs.read.a.add(2);
  theirs.comment = "see line 3";
  theirs.answers = { q: "1", r: "2" };
  mine.answers = { q: "0" };
  const both = merge(base, mine, theirs, true);
  assert.deepEqual([[...both.read.a].sort(), both.comment, both.answers], [[1, 2], "see line 3", { q: "0", r: "2" }]);
});
