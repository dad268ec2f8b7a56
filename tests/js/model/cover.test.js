import assert from "node:assert/strict";
import { test } from "node:test";
import { textData } from "../helpers.js";
import { Cover } from "../../../static/js/workspace/model/cover.js";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { fragmentsOf } from "../../../static/js/workspace/model/spans.js";

const grids = { a: new Grid(textData("a b c d e")), b: new Grid(textData("f g h")) };
const span = (id, a, b = []) => ({
  id,
  label: "1",
  origin: "manual",
  comment: "",
  fragments: fragmentsOf({ a, b }, grids),
});

test("longer spans are below shorter ones, counted over both sides, whichever came first", () => {
  const cover = new Cover(grids);
  for (const [id, a, b] of [
    ["short", [1]],
    ["long", [0, 1, 2]],
    ["linked", [1], [0, 1, 2]],
  ])
    cover.set(id, span(id, a, b));
  assert.deepEqual(cover.at("a", 1), ["linked", "long", "short"]);
  assert.deepEqual(
    ["short", "long", "linked", "none"].map((id) => cover.size(id)),
    [1, 3, 4, 0],
  );
  assert.deepEqual(cover.at("a", 4), []);
});

test("a change returns the tokens it covered before and after; a removed span covers none", () => {
  const cover = new Cover(grids);
  cover.set("s", span("s", [0, 1], [2]));
  const moved = cover.set("s", span("s", [1, 2]));
  assert.deepEqual([[...moved.a].sort(), [...moved.b]], [[0, 1, 2], [2]]);
  assert.deepEqual(
    [0, 1, 2].map((n) => cover.at("a", n)),
    [[], ["s"], ["s"]],
  );
  const gone = cover.set("s", null);
  assert.deepEqual([[...gone.a], [...gone.b], cover.at("a", 1), cover.of("s")], [[1, 2], [], [], { a: [], b: [] }]);
});
