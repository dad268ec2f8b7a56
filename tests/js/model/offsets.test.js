import assert from "node:assert/strict";
import { test } from "node:test";
import { Offsets, slice } from "../../../static/js/workspace/model/offsets.js";
import { random, vectors } from "../helpers.js";

for (const { name, text, points, units } of vectors("offsets").cases)
  test(`code points and units agree with Python: ${name}`, () => {
    const offsets = new Offsets(text);
    assert.deepEqual(
      points.map((point) => offsets.toUnits(point)),
      units,
    );
    assert.equal(offsets.length, [...text].length);
  });

test("beyond the text counts as its end", () => {
  const offsets = new Offsets("a😀b");
  assert.equal(offsets.toUnits(99), 4);
  assert.equal(offsets.toUnits(-1), 0);
});

test("slices are by code points, in random texts", () => {
  const pick = random(3);
  const alphabet = ["a", "é", "ा", "豆", "😀", "\u200d", "ب", "𠮷", " "];
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: pick(40) }, () => alphabet[pick(alphabet.length)]).join("");
    const offsets = new Offsets(text);
    const points = [...text];
    for (let at = 0; at <= points.length; at += 1)
      assert.equal(slice(text, offsets, at, points.length), points.slice(at).join(""));
  }
});
