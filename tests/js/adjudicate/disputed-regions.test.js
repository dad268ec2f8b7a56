import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  decisionPatch,
  goldSpansIn,
  isSettled,
  optionsOf,
  regionsOf,
  sourcesOf,
  spansKey,
} from "../../../static/js/adjudicate/disputed-regions.js";
import { Cover } from "../../../static/js/workspace/model/cover.js";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { applyPatch, invertPatch } from "../../../static/js/workspace/model/patches.js";
import { fragmentsOf, textOrder } from "../../../static/js/workspace/model/spans.js";

const words = Array.from({ length: 12 }, (_, n) => String.fromCharCode(97 + n));
const text = {
  language: "en",
  direction: "ltr",
  text: words.join(" "),
  tokens: words.map((_, n) => [2 * n, 2 * n + 1]),
  sentences: [],
  paragraphs: [],
};
const grids = { a: new Grid(text), b: new Grid(text) };
const label = (key, value) => ({ key, name: key, description: "", colour: "g1", hotkey: key, value });
const graded = {
  name: "graded",
  labels: [1, 2, 3, 4, 5].map((n) => label(String(n), n)),
  sides: ["a", "b"],
  links: true,
  discontinuous: true,
  overlap: true,
  default: "0",
  questions: [],
};
const marked = {
  ...graded,
  name: "xparade",
  labels: [label("new", null), label("inferable", null)],
  sides: ["b"],
  links: false,
  overlap: false,
  default: "same",
};

let made = 0;
const span = (key, a = [], b = [], id = `s${(made += 1)}`) => ({
  id,
  label: key,
  origin: "manual",
  comment: "",
  fragments: fragmentsOf({ a, b }, grids),
});
const version = (people, ...spans) => ({ people, spans });
const region = (versions, proposed = [], more = {}) => ({
  key: "k1",
  state: "disputed",
  why: "",
  versions,
  proposed,
  ...more,
});

function context(spans = [], scheme = graded) {
  const doc = {
    spans: new Map(spans.map((one) => [one.id, one])),
    answers: {},
    comment: "",
    read: { a: new Set(), b: new Set() },
    dismissed: new Set(),
    unmarked: new Set(),
  };
  const cover = new Cover(grids);
  for (const one of spans) cover.set(one.id, one);
  return { doc, cover, grids, scheme };
}
const one = (data) =>
  regionsOf(
    [data],
    grids,
    textOrder(() => 0),
  )[0];
const does = (on, patch) => {
  applyPatch(on.doc, patch);
  for (const change of patch) if (change.kind === "span") on.cover.set(change.id, change.after);
  return [...on.doc.spans.values()];
};

test("each variant has a digit, leaving it unmarked has 0, and composed options have letters", () => {
  const options = optionsOf(
    one(region([version(["A"], span("3", [0, 1], [4])), version(["B", "C"], span("4", [1, 2], [4])), version(["D"])])),
    context(),
  );
  assert.deepEqual(
    options.map(({ kind, press, people }) => [kind, press, people.join("")]),
    [
      ["variant", "1", "A"],
      ["variant", "2", "BC"],
      ["joined", "j", ""],
      ["common", "c", ""],
      ["none", "0", "D"],
    ],
  );
  assert.equal(spansKey(options[2].spans), spansKey([span("4", [0, 1, 2], [4])]), "the label most gave");
  assert.equal(spansKey(options[3].spans), spansKey([span("4", [1], [4])]));
});

test("of two tied labels, the higher is used", () => {
  const [, , joined] = optionsOf(
    one(region([version(["A"], span("2", [0])), version(["B"], span("5", [1, 0]))])),
    context(),
  );
  assert.equal(joined.kind, "common", "all their words are B's already");
  assert.equal(joined.spans[0].label, "5");
});

test("the rule's proposal is an option; an annotator's equal variant is marked", () => {
  const versions = [version(["A"], span("2", [0])), version(["B"])];
  assert.deepEqual(
    optionsOf(one(region(versions, [span("3", [0])])), context()).map(({ kind }) => kind),
    ["variant", "rule", "none"],
  );
  const same = optionsOf(one(region(versions, [span("2", [0])])), context());
  assert.deepEqual(
    same.map(({ kind, ruled }) => [kind, ruled]),
    [
      ["variant", true],
      ["none", false],
    ],
  );
});

test("without links, all words form one span per side", () => {
  const options = optionsOf(
    one(region([version(["A"], span("new", [], [1, 2])), version(["B"], span("inferable", [], [2, 3]))])),
    context([], marked),
  );
  assert.equal(spansKey(options[2].spans), spansKey([span("new", [], [1, 2, 3])]));
});

test("choosing an option replaces the region's spans, and only those; undo restores them", () => {
  const [old, elsewhere] = [span("1", [1]), span("5", [9])];
  const on = context([old, elsewhere]);
  const here = one(region([version(["A"], span("3", [0, 1])), version(["B"])]));
  const patch = decisionPatch(here, optionsOf(here, on)[0], on);
  const after = does(on, patch);
  assert.deepEqual(
    after.map(({ label: key, origin }) => [key, origin]),
    [
      ["5", "manual"],
      ["3", "accepted"],
    ],
  );
  assert.ok(isSettled(here, on));
  assert.deepEqual(
    does(on, invertPatch(patch))
      .map(({ id }) => id)
      .sort(),
    [old.id, elsewhere.id].sort(),
  );
});

test("left unmarked on purpose counts as decided, and choosing an option takes that back", () => {
  const on = context();
  const here = one(region([version(["A"], span("3", [0])), version(["B"])]));
  assert.ok(!isSettled(here, on));
  const options = optionsOf(here, on);
  does(on, decisionPatch(here, options.at(-1), on));
  assert.ok(isSettled(here, on) && on.doc.unmarked.has("k1"));
  does(on, decisionPatch(here, options[0], on));
  assert.ok(!on.doc.unmarked.has("k1") && goldSpansIn(here, on).length === 1);
  assert.deepEqual(decisionPatch(here, options[0], on), [], "twice is once");
});

test("agreed and ruled regions need no decision; regions are in text order", () => {
  for (const state of ["agreed", "ruled"])
    assert.ok(isSettled(one(region([version(["A"], span("1", [0]))], [], { state })), context()));
  const found = regionsOf(
    [
      region([version(["A"], span("1", [7]))], [], { key: "x" }),
      region([version(["A"], span("1", [], [0]))], [], { key: "y" }),
      region([version(["A"], span("1", [2]))], [], { key: "z" }),
    ],
    grids,
    textOrder(() => 0),
  );
  assert.deepEqual(
    found.map(({ data }) => data.key),
    ["z", "x", "y"],
  );
});

for (const row of JSON.parse(readFileSync(new URL("../../vectors/origins.json", import.meta.url), "utf8")))
  test(`where a span is from: ${row.name}`, () => {
    const people = row.people.map((spans, n) => ({ name: String(n), spans: spans.map((each) => span(...each)) }));
    const { how, names } = sourcesOf(span(...row.span), people, grids);
    assert.deepEqual([how, names.map(Number)], [row.how, row.sources]);
  });
