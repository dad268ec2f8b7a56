/** The panel of the current region, by itself: its options, what is said of it, its keys and previews. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, send, words } from "../page.js";
import { adjudicating, mark, QUESTIONS } from "../built.js";
import { GRADED, NEW } from "../helpers.js";
import { Dock, undecidedText } from "../../../static/js/adjudicate/dock.js";
import { decisionPatch } from "../../../static/js/adjudicate/disputed-regions.js";

const FOUND = [
  { versions: { A: [mark("a1", "1", [[0, 8]], [[0, 3]])], B: [mark("b1", "3", [[4, 8]])] } },
  {
    why: "no majority",
    versions: { A: [mark("a2", "2", [[21, 28]])], B: [] },
    proposed: [mark("g2", "2", [[21, 28]])],
  },
  { state: "agreed", versions: { "A B": [mark("a3", "5", [[36, 39]])] }, proposed: [mark("g3", "5", [[36, 39]])] },
  {
    state: "ruled",
    versions: { A: [mark("a4", "5", [], [[35, 40]])], B: [] },
    proposed: [mark("g4", "4", [], [[35, 40]])],
  },
];

/** A page with the panel. */
function docked(found = FOUND, parts = {}, more = {}) {
  const made = adjudicating(found, parts);
  Object.assign(made.adjudication, more);
  const taken = [];
  const dock = new Dock(made.store, made.adjudication, made.regions, (option) => taken.push(option));
  const region = (key) => made.regions.find(({ data }) => data.key === key);
  const buttons = () => [...at("dock-rows").querySelectorAll("button")];
  const decide = (key, n) =>
    made.store.commit(decisionPatch(region(key), (dock.show(region(key)), dock.options[n]), made.store));
  return { ...made, dock, taken, region, buttons, decide };
}
const shown = () => ["dock-count", "dock-open", "dock-state"].map((id) => at(id).textContent);
const digits = (text) => (text.match(/\d+/g) ?? []).map(Number);
const kinds = (dock) => dock.options.map(({ kind }) => kind);
const pressed = (buttons) => buttons().map((button) => button.getAttribute("aria-pressed"));

test("the options of a region are listed with their keys, their annotators and what each marked in both texts", () => {
  const { dock, region, buttons } = docked();
  dock.show(region("k1"));
  assert.deepEqual(kinds(dock), ["variant", "variant", "joined", "none"]);
  assert.deepEqual(
    buttons().map((button) => button.querySelector("kbd").textContent),
    ["1", "2", "J", "0"],
  );
  assert.deepEqual(
    buttons()
      .map((button) => button.querySelector(".who").textContent)
      .slice(0, 2),
    ["A", "B"],
  );
  assert.deepEqual(
    [...buttons()[0].querySelectorAll(".quotation")].map((one) => [words(one), one.lang, one.dir]),
    [
      ["The card", "en", "ltr"],
      ["Die", "de", "ltr"],
    ],
  );
  assert.deepEqual(
    [...buttons()[1].querySelectorAll(".quotation")].map((one) => [words(one), one.classList.contains("quiet")]),
    [
      ["card", false],
      ["–", true],
    ],
  );
  assert.equal(buttons()[0].querySelector(".sr-only").textContent, "L1");
  assert.deepEqual([...buttons().at(-1).querySelectorAll(".quotation, .version")], []);
  assert.deepEqual(
    buttons().map(({ tabIndex }) => tabIndex),
    [0, -1, -1, -1],
  );
});

test("a side that can't be marked is not quoted; a label that the scheme lacks is named by its key", () => {
  const { dock, region, buttons } = docked([{ versions: { A: [mark("a1", "gone", [], [[0, 3]])], B: [] } }], {
    scheme: NEW,
  });
  dock.show(region("k1"));
  assert.deepEqual([...buttons()[0].querySelectorAll(".quotation")].map(words), ["Die"]);
  assert.equal(buttons()[0].querySelector(".sr-only").textContent, "gone");
});

test("beyond the ninth, an option has no digit and is chosen by Enter", () => {
  const versions = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `P${n}`,
      [mark(`s${n}`, n % 2 ? "1" : "2", [[0, 3 + n]], n % 3 ? [[0, 3]] : [[4, 9 + n]])],
    ]),
  );
  const { dock, region, buttons } = docked([{ versions }]);
  dock.show(region("k1"));
  assert.deepEqual(
    buttons()
      .slice(0, 10)
      .map((button) => button.querySelector("kbd").textContent),
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "↵"],
  );
});

test("the rule's option is named, and an annotator's that says the same is marked so", () => {
  const { dock, region, buttons } = docked();
  dock.show(region("k2"));
  assert.deepEqual(
    [kinds(dock), buttons().map((button) => Boolean(button.querySelector(".who small")))],
    [
      ["variant", "none"],
      [true, false],
    ],
  );
  dock.show(region("k4"));
  assert.deepEqual(
    [kinds(dock), buttons().map((button) => Boolean(button.querySelector(".who small")))],
    [
      ["variant", "rule", "none"],
      [false, false, false],
    ],
  );
  assert.notEqual(buttons()[1].querySelector(".who").textContent, "");
  const unmarkedByB = buttons()[2].textContent;
  dock.show(region("k1"));
  assert.notEqual(buttons().at(-1).querySelector(".option-spans").textContent, "", "leaving it unmarked is an option");
  assert.ok(unmarkedByB.includes("B") && !buttons().at(-1).querySelector(".who").textContent.includes("B"));
});

test("the place among the disputed regions is counted, and how many of them are undecided", () => {
  const { dock, region, decide } = docked();
  assert.deepEqual([digits(shown()[0]), digits(shown()[1])], [[], []], "nothing is drawn before a region is shown");
  dock.show(region("k1"));
  assert.deepEqual(shown().map(digits), [[1, 2], [2], []]);
  dock.show(region("k2"));
  assert.deepEqual(digits(shown()[0]), [2, 2]);
  dock.show(region("k3"));
  assert.deepEqual(digits(shown()[0]), [2], "an agreed one has no place among them");
  dock.show(null);
  assert.deepEqual([digits(shown()[0]), at("dock-rows").children.length], [[2], 0]);
  decide("k1", 0);
  assert.deepEqual(
    [digits(shown()[1]), dock.queue().open.map(({ data }) => data.key), dock.queue().disputed.length],
    [[1], ["k2"], 2],
  );
  decide("k2", 1);
  assert.deepEqual([digits(shown()[1]), dock.queue().open, shown()[1]], [[], [], undecidedText(0, 0)]);
  assert.deepEqual(
    [0, 1, 3].map((n) => digits(undecidedText(n, 5))),
    [[5], [6], [8]],
    "regions and questions, then questions alone",
  );
});

test("not all is decided while a question is unanswered", () => {
  const parts = { scheme: { ...GRADED, questions: QUESTIONS } };
  const disputed = docked([FOUND[0]], parts, { questions: QUESTIONS });
  disputed.decide("k1", 0);
  assert.deepEqual([digits(shown()[1]), disputed.dock.queue().open], [[QUESTIONS.length], []]);
  for (const { key, choices } of QUESTIONS)
    disputed.store.commit([{ kind: "answer", id: key, before: "", after: choices[0].key }]);
  assert.equal(shown()[1], undecidedText(0, 0));
  const agreed = docked([FOUND[2]], parts, { questions: QUESTIONS });
  agreed.dock.show(agreed.region("k1"));
  assert.deepEqual(digits(shown()[1]), [QUESTIONS.length], "without disputed regions, too");
});

test("without disputed regions there is nothing to count", () => {
  const { dock, region } = docked([FOUND[2]]);
  dock.show(region("k1"));
  const [count, open] = shown();
  assert.deepEqual([digits(count), open], [[], ""]);
  assert.notEqual(count, "");
});

test("what is said of a region tells whether it is undecided and why, decided by people, by the rule, or otherwise", () => {
  const { dock, region, decide, store } = docked();
  const said = (key) => (dock.show(region(key)), shown()[2]);
  const [undecided, because, agreed, ruled] = ["k1", "k2", "k3", "k4"].map(said);
  assert.ok(because.includes("no majority") && because.startsWith(undecided));
  assert.ok(ruled.includes("majority"));
  decide("k1", 1);
  const decided = said("k1");
  const [id] = store.doc.spans.keys();
  store.commit([{ kind: "span", id, before: store.span(id), after: { ...store.span(id), label: "5" } }]);
  const custom = said("k1");
  assert.equal(new Set([undecided, because, agreed, ruled, decided, custom, said(null)]).size, 7);
});

test("the option that is in the gold is pressed, but nothing before the region is decided", () => {
  const { dock, region, buttons, decide } = docked();
  dock.show(region("k1"));
  assert.deepEqual(pressed(buttons), ["false", "false", "false", "false"]);
  decide("k1", 1);
  assert.deepEqual(pressed(buttons), ["false", "true", "false", "false"]);
  decide("k1", 3);
  assert.deepEqual(pressed(buttons), ["false", "false", "false", "true"], "left unmarked on purpose");
});

test("a click on an option takes it, one beside the options nothing; a read-only pair's are disabled", () => {
  const { dock, region, buttons, taken, store } = docked();
  dock.show(region("k1"));
  buttons()[1].querySelector(".who").click();
  send(at("dock-rows"), "click");
  assert.deepEqual(taken, [dock.options[1]]);
  store.readOnly = true;
  dock.draw();
  assert.ok(buttons().every(({ disabled }) => disabled));
});

test("the words of an option are highlighted in both texts while it is pointed at or focused", () => {
  const { dock, region, buttons, store } = docked();
  dock.show(region("k1"));
  const touched = [];
  store.on("touched", (sets) => touched.push(...Object.entries(sets).map(([side, set]) => [side, [...set].sort()])));
  const lit = () => [[...store.highlighted.a], [...store.highlighted.b]];
  send(buttons()[0], "mouseover");
  assert.deepEqual(
    [lit(), touched.splice(0)],
    [
      [[0, 1], [0]],
      [
        ["a", [0, 1]],
        ["b", [0]],
      ],
    ],
  );
  send(buttons()[1], "focusin");
  assert.deepEqual(
    [lit(), touched.splice(0)],
    [
      [[1], []],
      [
        ["a", [0, 1]],
        ["b", [0]],
      ],
    ],
    "what is no longer highlighted is drawn again",
  );
  send(buttons()[1], "focusout");
  assert.deepEqual([lit(), touched.splice(0)], [[[], []], [["a", [1]]]]);
  send(at("dock-rows"), "mouseleave");
  assert.deepEqual(touched, [], "nothing has changed");
});

test("the focus moves within the options, stays there when they are drawn again, and opens a folded panel", () => {
  const { dock, region, buttons, store } = docked();
  dock.show(region("k1"));
  at("dock-fold").click();
  assert.ok(dock.folded);
  dock.focus();
  const focused = () => buttons().indexOf(document.activeElement);
  assert.deepEqual([dock.folded, focused()], [false, 0]);
  dock.move(-1);
  assert.equal(focused(), 0, "not beyond the first");
  for (let n = 0; n < 5; n += 1) dock.move(1);
  assert.deepEqual([focused(), buttons().map(({ tabIndex }) => tabIndex)], [3, [-1, -1, -1, 0]]);
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  assert.equal(focused(), 3);
  at("dock-fold").click();
  at("dock-fold").click();
  assert.ok(!dock.folded);
  dock.show(null);
  dock.focus();
  assert.equal(at("dock-rows").children.length, 0, "without options there is nothing to focus, and nothing fails");
});

test("the same region shown again keeps its options, another one has its own", () => {
  const { dock, region } = docked();
  dock.show(region("k1"));
  const { options } = dock;
  dock.show(region("k1"));
  assert.equal(dock.options, options);
  dock.show(region("k2"));
  assert.notEqual(dock.options, options);
});
