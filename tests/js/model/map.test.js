import assert from "node:assert/strict";
import { test } from "node:test";
import { mapMarks, MIN_MARK_HEIGHT, offsetOf, scrollFor, viewFrame } from "../../../static/js/workspace/model/map.js";
import { random } from "../helpers.js";

const band = (row, start, end, top, height) => ({ row, start, end, top, height });
const BANDS = {
  a: [band(0, 0, 100, 40, 50), band(2, 101, 201, 140, 100)],
  b: [band(0, 0, 10, 40, 50), band(1, 11, 21, 90, 50)],
};
const span = (label, ...fragments) => ({
  label,
  fragments: fragments.map(([side, start, end]) => ({ side, start, end })),
});
const NOTHING = { unread: new Set(), suggestions: [], spans: [] };

test("a word is where its row is, further down the later it is in it", () => {
  assert.deepEqual(
    [0, 50, 100, 101, 151, 201, 999, -5].map((point) => offsetOf(BANDS.a, point)),
    [40, 65, 90, 140, 190, 240, 240, 40],
  );
  assert.equal(offsetOf([], 7), 0);
});

test("unread rows, suggestions and spans are drawn in this order, on their side, none too thin to be seen", () => {
  const content = {
    unread: new Set([2]),
    suggestions: [span("", ["b", 0, 5])],
    spans: [span("1", ["a", 0, 100], ["b", 20, 21]), span("2", ["a", 101, 102])],
  };
  const marks = mapMarks(BANDS, { a: 0.5, b: 1 }, content, (label) => `g${label}`);
  assert.deepEqual(
    marks.map(({ side, colour }) => [side, colour]),
    [
      ["a", "unread"],
      ["b", "suggestion"],
      ["a", "g1"],
      ["b", "g1"],
      ["a", "g2"],
    ],
  );
  assert.deepEqual([marks[0].top, marks[0].height], [70, 50]);
  assert.deepEqual([marks[2].top, marks[2].height], [20, 24.75]);
  assert.deepEqual([marks[4].top, marks[4].height], [70, MIN_MARK_HEIGHT]);
});

test("marks of one colour at one position are drawn once; the same words with another label are drawn over them", () => {
  const many = Array.from({ length: 50 }, (_, n) => span("1", ["a", n, n + 1]));
  const marks = mapMarks(BANDS, { a: 0.01, b: 0.01 }, { ...NOTHING, spans: [...many, span("2", ["a", 0, 1])] }, String);
  assert.deepEqual(
    marks.map(({ colour }) => colour),
    ["1", "2"],
  );
});

test("the frame is as tall as what is in view, reaches both ends, and a click in its middle leaves it there", () => {
  const scrolled = (top) => ({ top, room: 400, whole: 4000 });
  assert.deepEqual(viewFrame(scrolled(0), 300), { top: 0, height: 30 });
  assert.deepEqual(viewFrame(scrolled(3600), 300), { top: 270, height: 30 });
  assert.deepEqual(viewFrame({ top: 0, room: 400, whole: 400 }, 300), { top: 0, height: 300 });
  assert.equal(viewFrame({ top: 0, room: 400, whole: 400000 }, 300).height, 8, "never too small to be grabbed");
  const pick = random(7);
  for (let n = 0; n < 200; n += 1) {
    const whole = 300 + pick(500000);
    const top = pick(Math.max(1, whole - 300));
    const frame = viewFrame({ top, room: 300, whole }, 250);
    assert.ok(frame.top >= 0 && frame.top + frame.height <= 250 + 1e-9);
    assert.ok(Math.abs(scrollFor(frame.top + frame.height / 2, { room: 300, whole }, 250) - top) < 1e-6 * whole + 1e-6);
  }
  assert.deepEqual([scrollFor(-50, scrolled(0), 300), scrollFor(999, scrolled(0), 300)], [0, 3600]);
});
