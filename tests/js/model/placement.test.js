import assert from "node:assert/strict";
import { test } from "node:test";
import { bestPosition, mergeIntoLines, overlapArea, WEIGHTS } from "../../../static/js/workspace/model/placement.js";

const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const frame = box(0, 50, 1000, 800);
const size = { width: 400, height: 70 };
const lefts = [100];
const covered = (at, obstacle) => overlapArea(box(at.left, at.top, size.width, size.height), obstacle);

test("next to the word if nothing is in the way", () => {
  const near = box(120, 300, 60, 25);
  const { top } = bestPosition(size, frame, near, [{ box: near, weight: WEIGHTS.selected }], { lefts });
  assert.equal(Math.min(Math.abs(top - 333), Math.abs(top + 70 - 292)), 0);
});

test("not on the next words, not on the counterpart, and inside the frame", () => {
  const near = box(120, 60, 60, 25);
  const next = box(100, 89, 400, 25);
  const counterpart = box(90, 120, 60, 25);
  const obstacles = [
    { box: near, weight: WEIGHTS.selected },
    { box: next, weight: WEIGHTS.next },
    { box: counterpart, weight: WEIGHTS.counterpart },
  ];
  const at = bestPosition(size, frame, near, obstacles, { lefts });
  for (const { box: obstacle } of obstacles) assert.equal(covered(at, obstacle), 0);
  assert.equal(at.top, 153);
});

test("the aligned text is covered before the next words, those before the counterpart, that before the span", () => {
  const tops = [100, 200];
  const near = box(500, 600, 50, 20);
  const order = ["opposite", "next", "counterpart", "selected"];
  for (let n = 1; n < order.length; n += 1) {
    const obstacles = [
      { box: box(100, 100, 400, 70), weight: WEIGHTS[order[n - 1]] },
      { box: box(100, 200, 400, 70), weight: WEIGHTS[order[n]] },
    ];
    assert.equal(bestPosition(size, frame, near, obstacles, { lefts, tops }).top, 100, order[n]);
  }
});

test("a frame lower than the bar keeps its upper edge", () => {
  assert.equal(bestPosition(size, box(0, 50, 1000, 40), box(0, 60, 10, 10), [], { lefts }).top, 50);
});

test("words of a line are one box, a new line begins another", () => {
  assert.deepEqual(mergeIntoLines([box(0, 0, 10, 20), box(15, 1, 10, 20), box(0, 29, 30, 20)]), [
    { left: 0, top: 0, right: 25, bottom: 21 },
    { left: 0, top: 29, right: 30, bottom: 49 },
  ]);
});

test("of positions that cover nothing, the nearest to the word is taken, above it, below it or beside it", () => {
  const low = box(0, 700, 50, 20);
  const high = box(0, 100, 50, 20);
  const tops = [200, 600];
  assert.equal(bestPosition(size, frame, low, [], { lefts, tops }).top, 600);
  assert.equal(bestPosition(size, frame, high, [], { lefts, tops }).top, 200);
  const sides = { lefts: [0, 500], tops: [300] };
  assert.equal(bestPosition(size, frame, box(950, 400, 40, 20), [], sides).left, 500);
  assert.equal(bestPosition(size, frame, box(0, 400, 40, 20), [], sides).left, 0);
});
