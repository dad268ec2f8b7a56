import assert from "node:assert/strict";
import { test } from "node:test";
import { alignedScroll, Counterparts, rowIndex, rowsOf } from "../../../static/js/workspace/model/alignment.js";

test("rows follow the beads, and know the row of each paragraph", () => {
  const rows = rowsOf(
    [
      [[0], [0]],
      [[1, 2], [1]],
      [[], [2]],
    ],
    3,
    3,
  );
  assert.deepEqual(rowIndex(rows, "a"), [0, 1, 1]);
  assert.deepEqual(rowIndex(rows, "b"), [0, 1, 2]);
});

test("a paragraph missing from the beads is still on the page, in order", () => {
  assert.deepEqual(
    rowsOf(
      [
        [[0], [0]],
        [[2], [1]],
      ],
      4,
      2,
    ),
    [
      [[0], [0]],
      [[1], []],
      [[2], [1]],
      [[3], []],
    ],
  );
  assert.deepEqual(rowsOf([], 2, 2), [
    [[0], [0]],
    [[1], [1]],
  ]);
  assert.deepEqual(rowsOf([], 1, 0), [[[0], []]]);
});

test("counterparts go both ways", () => {
  const counterparts = new Counterparts([
    [0, 1],
    [0, 2],
    [3, 1],
  ]);
  assert.deepEqual(counterparts.get("a", 0), [1, 2]);
  assert.deepEqual(counterparts.get("b", 1), [0, 3]);
  assert.deepEqual(counterparts.get("a", 9), []);
});

test("scroll positions are converted row by row, proportionally within a row", () => {
  const a = [0, 100, 300, 400];
  const b = [0, 50, 50, 250];
  assert.equal(alignedScroll(0, a, b), 0);
  assert.equal(alignedScroll(50, a, b), 25);
  assert.equal(alignedScroll(200, a, b), 50, "a row without a counterpart holds the other side still");
  assert.equal(alignedScroll(350, a, b), 150);
  assert.equal(alignedScroll(999, a, b), 250);
  assert.equal(alignedScroll(10, [0], [0]), 0);
});
