import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import {
  fragmentsOf,
  kindOf,
  newId,
  quote,
  rangesOf,
  sameSpan,
  textOrder,
  tokensOnSide,
} from "../../../static/js/workspace/model/spans.js";
import { random, textData, vectors } from "../helpers.js";

const { cases, covered: coverings } = vectors("spans");

for (const { name, tokens, chosen, ranges } of cases)
  test(`tokens become the fewest ranges, as in Python: ${name}`, () =>
    assert.deepEqual(rangesOf(chosen, tokens), ranges));

for (const { name, tokens, ranges, covers } of coverings)
  test(`ranges cover the tokens they touch, as in Python: ${name}`, () => {
    const grid = new Grid({ ...textData(""), tokens, text: "x".repeat(20), sentences: [], paragraphs: [] });
    const fragments = ranges.map(([start, end]) => ({ side: "a", start, end }));
    assert.deepEqual(tokensOnSide({ fragments }, "a", grid), covers);
    assert.deepEqual(tokensOnSide({ fragments }, "b", grid), []);
  });

test("fragments of chosen tokens cover exactly those, in random texts of any script", () => {
  const pick = random(11);
  const words = ["free", "Ausweis", "रानी", "豆腐", "👩‍🔬", "الدم", "𠮷"];
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: 1 + pick(30) }, () => words[pick(words.length)]).join(pick(2) ? " " : "\n");
    const grid = new Grid(textData(text));
    const chosen = Array.from({ length: pick(grid.count) }, () => pick(grid.count));
    const fragments = fragmentsOf({ a: chosen, b: [] }, { a: grid, b: grid });
    assert.deepEqual(
      tokensOnSide({ fragments }, "a", grid),
      [...new Set(chosen)].sort((x, y) => x - y),
    );
    for (const { start, end } of fragments) assert.equal([...grid.slice(start, end)].length, end - start);
  }
});

test("the kind of a span", () => {
  const a = { side: "a", start: 0, end: 1 };
  const b = { side: "b", start: 0, end: 1 };
  assert.equal(kindOf({ fragments: [a, b] }), "linked");
  assert.equal(kindOf({ fragments: [a] }), "a");
  assert.equal(kindOf({ fragments: [b] }), "b");
  assert.equal(kindOf({ fragments: [] }), "broken");
});

test("a quote joins fragments in text order and makes line breaks spaces", () => {
  const grid = new Grid(textData("nach etwa\neinem Monat"));
  const fragments = [
    { side: "a", start: 16, end: 21 },
    { side: "a", start: 0, end: 15 },
  ];
  assert.equal(quote({ fragments }, "a", grid), "nach etwa einem … Monat");
});

test("text order is by row, then side, then position; the longer first", () => {
  const order = textOrder((side, start) => (start < 10 ? 0 : 1));
  const span = (id, ...fragments) => ({ id, fragments: fragments.map(([side, start, end]) => ({ side, start, end })) });
  const list = [
    span("late", ["a", 12, 14]),
    span("b", ["b", 0, 2]),
    span("short", ["a", 3, 5]),
    span("long", ["a", 3, 9]),
    span("both", ["b", 40, 42], ["a", 1, 2]),
  ];
  assert.deepEqual(
    list.sort(order).map(({ id }) => id),
    ["both", "long", "short", "b", "late"],
  );
});

test("spans are the same whatever the order of their fragments, but not with another label or comment", () => {
  const span = {
    id: "1",
    label: "2",
    comment: "",
    origin: "manual",
    fragments: [
      { side: "a", start: 0, end: 3 },
      { side: "b", start: 1, end: 2 },
    ],
  };
  assert.ok(sameSpan(span, { ...span, id: "9", fragments: [...span.fragments].reverse() }));
  assert.ok(!sameSpan(span, { ...span, label: "3" }));
  assert.ok(!sameSpan(span, { ...span, comment: "?" }));
  assert.ok(!sameSpan(span, { ...span, fragments: [span.fragments[0], span.fragments[0]] }));
});

test("ids do not repeat", () => assert.equal(new Set(Array.from({ length: 500 }, newId)).size, 500));
