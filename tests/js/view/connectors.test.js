/** Lines in the gutter between the two ends of a span. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame } from "../page.js";
import { built } from "../built.js";
import { GRADED } from "../helpers.js";
import { Connectors } from "../../../static/js/workspace/view/connectors.js";

test("the connectors join both ends of the picked or hovered span, once per frame", () => {
  const { store, view, add, span, actions } = built();
  const connectors = new Connectors(store, view, at("connectors"));
  view.columns.a.children[0].style.paddingRight = "0px";
  add(span("s1", "2", [0, 1], [0]), span("s2", "2", [4], []), span("s3", "1", [5], [4, 6]));
  actions.pick("s1");
  assert.equal(connectors.path.getAttribute("d"), null, "not before the frame");
  frame();
  const drawn = connectors.path.getAttribute("d");
  assert.equal(drawn, "M306 33V47M494 33V47M306 40C400 40 400 40 494 40");
  actions.pick("s2");
  frame();
  assert.equal(connectors.path.getAttribute("d"), "", "one side alone is no link");
  store.hover("s1");
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn, "what is pointed at is joined beside what is picked");
  actions.clear();
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn);
  store.hover(null);
  store.select({ fixed: { a: [0, 4], b: [0] }, active: null });
  frame();
  assert.equal(
    connectors.path.getAttribute("d"),
    "M306 33V47M306 133V147M494 33V47M306 40C400 40 400 40 494 40M306 140C400 140 400 40 494 40",
  );
});

/** What is drawn: the vertical lines at A and B, and the curves between them, by the heights that they join. */
function drawn(connectors) {
  const path = connectors.path.getAttribute("d") ?? "";
  const marks = { a: [], b: [], joins: [] };
  for (const [, x, top, bottom] of path.matchAll(/M([\d.-]+) ([\d.-]+)V([\d.-]+)/g))
    marks[x === "306" ? "a" : "b"].push(Number(top) - 3, Number(bottom) + 3);
  for (const [, from, to] of path.matchAll(/M[\d.-]+ ([\d.-]+)C.*? ([\d.-]+)(?=M|$)/g))
    marks.joins.push([Number(from), Number(to)]);
  return marks;
}
/** A page with connectors; `lines()` are those of the next frame. */
function joined(parts) {
  const made = built(parts);
  const connectors = new Connectors(made.store, made.view, at("connectors"));
  made.view.columns.a.children[0].style.paddingRight = "0px";
  return { ...made, connectors, lines: () => (frame(), drawn(connectors)) };
}

test("each line of the side with more lines is joined to the first of the other, and no line twice", () => {
  const { actions, add, span, lines } = joined();
  add(span("s1", "2", [0, 1], [0, 4]), span("s2", "2", [0, 4], [1]));
  actions.pick("s1");
  assert.deepEqual(lines(), {
    a: [30, 50],
    b: [30, 50, 130, 150],
    joins: [
      [40, 40],
      [40, 140],
    ],
  });
  actions.pick("s2");
  assert.deepEqual(lines(), {
    a: [30, 50, 130, 150],
    b: [30, 50],
    joins: [
      [40, 40],
      [140, 40],
    ],
  });
});

test("what is dragged over while a span is picked is joined as it will be", () => {
  const { store, actions, add, span, lines } = joined();
  add(span("s1", "2", [0], [0]));
  actions.pick("s1");
  store.select({ fixed: { a: [0], b: [0, 5] }, active: null });
  assert.deepEqual(lines().b, [30, 50, 130, 150]);
});

test("in a scheme without links the picked span alone is joined, and a selection never", () => {
  const { store, actions, add, span, lines } = joined({ scheme: { ...GRADED, links: false } });
  store.select({ fixed: { a: [0], b: [0] }, active: null });
  assert.deepEqual(lines().joins, []);
  add(span("s1", "2", [0], [0]));
  actions.pick("s1");
  assert.deepEqual(lines().joins, [[40, 40]]);
});

test("a span that is picked and pointed at is joined once, and nothing where the gutter is hidden", () => {
  const { store, actions, add, span, lines } = joined();
  add(span("s1", "2", [0], [0]));
  actions.pick("s1");
  store.hover("s1");
  assert.deepEqual(lines().joins, [[40, 40]]);
  boxes.set(at("connectors"), [0, 0, 0, 400]);
  store.hover(null);
  assert.deepEqual(lines().joins, []);
  boxes.clear();
});

test("the lines follow a change of the span, drawn once per frame", () => {
  const { store, actions, add, span, connectors, lines } = joined();
  add(span("s1", "2", [0], [0]));
  actions.pick("s1");
  lines();
  let times = 0;
  const { draw } = connectors;
  connectors.draw = () => ((times += 1), draw.call(connectors));
  store.commit([{ kind: "span", id: "s1", before: store.span("s1"), after: null }]);
  actions.clear();
  assert.deepEqual([lines().joins, times], [[], 1]);
});

test("for a span of a whole page, its first two hundred words are measured", () => {
  const rows = Array.from({ length: 130 }, (_, n) => n);
  const { connectors } = joined({ a: rows.map(() => "x y").join("\n"), b: "z", beads: [[rows, [0]]] });
  assert.equal(
    connectors.rows(
      "a",
      rows.flatMap((n) => [2 * n, 2 * n + 1]),
    ).length,
    1,
    "page.js has one row on one line",
  );
  const measured = [];
  connectors.view = {
    word: (_, token) => ({
      getBoundingClientRect: () => (measured.push(token), { top: 30 * token, bottom: 30 * token + 20, height: 20 }),
    }),
  };
  assert.equal(
    connectors.rows(
      "a",
      Array.from({ length: 260 }, (_, n) => n),
    ).length,
    200,
  );
  assert.equal(measured.at(-1), 199);
});
