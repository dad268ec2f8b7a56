import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSpans, overlapShare } from "../../../static/js/workspace/model/comparison.js";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { fragmentsOf } from "../../../static/js/workspace/model/spans.js";
import { textData } from "../helpers.js";

const grid = new Grid(textData("a b c d e f g h"));
const grids = { a: grid, b: grid };
const span = (id, label, a, b = []) => ({
  id,
  label,
  origin: "manual",
  comment: "",
  fragments: fragmentsOf({ a, b }, grids),
});

test("each span is listed once, with the other's span that shares most words", () => {
  const mine = [span("1", "2", [0, 1]), span("2", "3", [3]), span("3", "1", [5, 6]), span("4", "1", [], [0])];
  const gold = [span("x", "2", [0, 1]), span("y", "5", [3]), span("z", "1", [6]), span("w", "4", [], [4])];
  assert.deepEqual(
    compareSpans(mine, gold, grids).map((one) => `${one.mine?.id ?? "-"} ${one.gold?.id ?? "-"} ${one.kind}`),
    ["1 x same", "2 y label", "3 z near", "4 - extra", "- w missing"],
  );
});

test("of two equal matches the one with the same label is taken", () => {
  const list = compareSpans([span("1", "3", [0])], [span("x", "1", [0]), span("y", "3", [0])], grids);
  assert.deepEqual(
    list.map(({ gold, kind }) => `${gold?.id} ${kind}`),
    ["y same", "x missing"],
  );
});

test("the share of words is over both sides and ignores labels", () => {
  assert.equal(overlapShare([span("1", "1", [0, 1], [0])], [span("x", "2", [1, 2], [0])], grids), 0.5);
  assert.equal(overlapShare([], [], grids), null);
});
