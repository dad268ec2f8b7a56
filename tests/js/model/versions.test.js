import assert from "node:assert/strict";
import { test } from "node:test";
import { docOf } from "../../../static/js/workspace/model/patches.js";
import { differingSpans, mergeVersions } from "../../../static/js/workspace/model/versions.js";
import { annotation } from "../helpers.js";

const span = (id, label, start = 0, end = 3) => ({
  id,
  label,
  origin: "manual",
  comment: "",
  fragments: [{ side: "a", start, end }],
});
const doc = (...spans) => docOf(annotation(spans));

test("the spans in which two versions differ, whatever their ids", () => {
  const list = differingSpans(
    doc(span("1", "2"), span("2", "3", 5, 6)),
    doc(span("x", "2"), span("2", "4", 5, 6), span("3", "1", 8, 9)),
  );
  assert.deepEqual(
    list.map(({ mine, theirs }) => [mine?.label ?? null, theirs?.label ?? null]),
    [
      ["3", "4"],
      [null, "1"],
    ],
  );
});

const change = (one, parts) => ({ ...one, ...parts });
const both = (base, mine, theirs, overlap = true) => mergeVersions(base, mine, theirs, overlap).doc;
const shown = ({ spans }) => [...spans.values()].map(({ id, label }) => id + label).sort();

test("merging: what one version changed is taken from it; of what both changed, mine is kept", () => {
  const base = doc(span("1", "1"), span("2", "1", 5, 6), span("3", "1", 8, 9));
  const mine = doc(span("1", "2"), span("2", "1", 5, 6), span("3", "1", 8, 9), span("m", "5", 20, 21));
  const theirs = doc(span("1", "3"), span("2", "4", 5, 6), span("t", "5", 30, 31));
  assert.deepEqual(shown(both(base, mine, theirs)), ["12", "24", "m5", "t5"]);
});

test("a change wins over a deletion, on either side; what only one deleted is deleted", () => {
  const base = doc(span("1", "1"), span("2", "1", 5, 6), span("3", "1", 8, 9), span("4", "1", 10, 11));
  const mine = doc(span("1", "2"), span("4", "1", 10, 11));
  const theirs = doc(span("2", "3", 5, 6), span("3", "1", 8, 9));
  assert.deepEqual(shown(both(base, mine, theirs)), ["12", "23"]);
});

test("of one span, the label that I changed, the comment that they wrote and the words that they changed are all kept", () => {
  const base = doc(span("1", "1"));
  const mine = doc(span("1", "4"));
  const theirs = doc(change(span("1", "1", 0, 7), { comment: "two words" }));
  assert.deepEqual(
    [...both(base, mine, theirs).spans.values()],
    [change(span("1", "4", 0, 7), { comment: "two words" })],
  );
});

test("what was predicted of an accepted span stays with it, whichever version has it", () => {
  const base = doc(change(span("1", "1"), { predicted: "1" }));
  const mine = doc(change(span("1", "4"), { predicted: "1" }));
  const theirs = doc(change(span("1", "1"), { predicted: "1", comment: "so" }));
  assert.deepEqual(
    [...both(base, mine, theirs).spans.values()].map(({ label, predicted }) => [label, predicted]),
    [["4", "1"]],
  );
  assert.ok(
    ![...both(doc(), doc(span("m", "2")), doc(span("m", "3"))).spans.values()].some((one) => "predicted" in one),
  );
});

test("the same words with the same label, marked in both versions, are one span", () => {
  assert.deepEqual(shown(both(doc(), doc(span("m", "2")), doc(span("t", "2")))), ["m2"]);
  assert.deepEqual(shown(both(doc(), doc(span("m", "2")), doc(span("t", "3")))), ["m2", "t3"]);
});

test("if labels exclude each other, mine wins over theirs, which is reported", () => {
  const { doc: merged, dropped } = mergeVersions(
    doc(),
    doc(span("m", "1", 0, 5)),
    doc(span("t", "2", 3, 8), span("u", "2", 9, 10)),
    false,
  );
  assert.deepEqual([[...merged.spans.keys()], dropped.map(({ id }) => id)], [["m", "u"], ["t"]]);
});

test("if labels exclude each other, their replacement of a span that I did not change is kept", () => {
  const base = doc(span("1", "1", 0, 5));
  assert.deepEqual(shown(both(base, base, doc(span("t", "2", 3, 8)), false)), ["t2"]);
});

test("if labels exclude each other, a span of theirs that grew over one of mine keeps its other changes", () => {
  const base = doc(span("1", "1", 0, 3));
  const mine = doc(span("1", "1", 0, 3), span("m", "2", 4, 6));
  const { doc: merged, dropped } = mergeVersions(base, mine, doc(span("1", "3", 0, 6)), false);
  assert.deepEqual([shown(merged), merged.spans.get("1").fragments[0].end, dropped.length], [["13", "m2"], 3, 1]);
});

test("answers: the one that only they changed is theirs, the one that both changed is mine", () => {
  const answers = (one) => change(doc(), { answers: one });
  const base = answers({ q: "0", r: "0", s: "0", t: "0" });
  const mine = answers({ q: "0", r: "1", s: "1", m: "3" });
  const theirs = answers({ q: "2", r: "0", s: "2", t: "0", n: "4" });
  assert.deepEqual(both(base, mine, theirs).answers, { q: "2", r: "1", s: "1", m: "3", n: "4" });
  // An answer that one version removed and the other changed is kept.
  assert.deepEqual(both(base, answers({}), answers({ q: "2" })).answers, { q: "2" });
  assert.deepEqual(both(base, answers({ q: "2" }), answers({})).answers, { q: "2" });
});

test("comments: the one that only one version changed is kept; two that both changed are joined", () => {
  const comment = (words) => change(doc(), { comment: words });
  const merged = (...three) => both(...three.map(comment)).comment;
  assert.equal(merged("", "", "see line 3"), "see line 3");
  assert.equal(merged("", "see line 3", ""), "see line 3");
  assert.equal(merged("see line 3", "", "see line 3"), "");
  assert.equal(merged("", "mine", "theirs"), "mine / theirs");
  assert.equal(merged("see", "see line", "see line 3"), "see line 3");
  assert.equal(merged("see", "", "see line 3"), "see line 3");
  assert.equal(merged("", "x".repeat(6000), "y".repeat(6000)), "x".repeat(6000), "no longer than the server takes");
});

test("ticks and dismissals: added and removed by either", () => {
  const marked = (read, dismissed) =>
    change(doc(), { read: { a: new Set(read), b: new Set() }, dismissed: new Set(dismissed) });
  const merged = both(marked([1, 2, 3], ["x", "y"]), marked([1, 2, 4], ["x", "m"]), marked([1, 3, 5], ["y", "t"]));
  assert.deepEqual(
    [[...merged.read.a].sort(), [...merged.dismissed].sort()],
    [
      [1, 4, 5],
      ["m", "t"],
    ],
  );
});

/** One region over the first three characters of A, as an adjudicator decides it. */
const REGIONS = [{ key: "k1", spans: [span("v", "1")] }];
const unmarked = (one, ...keys) => ({ ...one, unmarked: new Set(keys) });

test("a region never holds a span and a decision to leave it unmarked: the span is kept, and the loss of theirs is named", () => {
  const theirs = mergeVersions(doc(), doc(span("m", "1")), unmarked(doc(), "k1", "other"), true, REGIONS);
  assert.deepEqual([shown(theirs.doc), [...theirs.doc.unmarked], theirs.overruled], [["m1"], ["other"], ["k1"]]);
  const mine = mergeVersions(doc(), unmarked(doc(), "k1"), doc(span("t", "1")), true, REGIONS);
  assert.deepEqual([shown(mine.doc), [...mine.doc.unmarked], mine.overruled], [["t1"], [], []]);
  const apart = mergeVersions(doc(), doc(span("m", "1", 8, 9)), unmarked(doc(), "k1"), true, REGIONS);
  assert.deepEqual([shown(apart.doc), [...apart.doc.unmarked], apart.overruled], [["m1"], ["k1"], []]);
});
