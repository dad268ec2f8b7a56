import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { textData } from "../helpers.js";

test("tokens know their paragraph and sentence", () => {
  const grid = new Grid(textData("One two. Three\nfour five"));
  assert.deepEqual(grid.paragraphTokens, [
    [0, 3],
    [3, 5],
  ]);
  assert.equal(grid.paragraphOf(2), 0);
  assert.equal(grid.paragraphOf(3), 1);
  assert.deepEqual(grid.sentenceOf(0), [0, 2]);
  assert.deepEqual(grid.sentenceOf(4), [3, 5]);
  assert.equal(grid.word(2), "Three");
});

test("empty lines and texts without tokens do no harm", () => {
  const grid = new Grid({
    ...textData("one\n\ntwo"),
    paragraphs: [
      [0, 3],
      [4, 4],
      [5, 8],
    ],
  });
  assert.deepEqual(grid.paragraphTokens, [
    [0, 1],
    [1, 1],
    [1, 2],
  ]);
  const empty = new Grid(textData(""));
  assert.equal(empty.count, 0);
  assert.deepEqual(empty.paragraphTokens, [[0, 0]]);
});
