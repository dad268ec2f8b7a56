import assert from "node:assert/strict";
import { test } from "node:test";
import { unpackAssignment, unpackRanges } from "../../../static/js/workspace/model/packing.js";
import { vectors } from "../helpers.js";

for (const { name, pairs, flat } of vectors("packing").cases)
  test(`pairs come back as Python packed them: ${name}`, () => assert.deepEqual(unpackRanges(flat), pairs));

test("an embedded assignment is unpacked whole, with highlights or without", () => {
  const side = () => ({ tokens: [0, 3], sentences: [0, 3], paragraphs: [0, 3] });
  const one = unpackAssignment({ pair: { a: side(), b: side() }, highlights: { edges: [1, 2] } });
  assert.deepEqual([one.pair.a.tokens, one.pair.b.paragraphs, one.highlights?.edges], [[[0, 3]], [[0, 3]], [[1, 3]]]);
  assert.equal(unpackAssignment({ pair: { a: side(), b: side() }, highlights: null }).highlights, null);
});
