/** Manual adjudication, as a browser opens it: the dock, everyone's lines, and the queue of disputed regions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, press, requests, rest, send, words, write } from "../page.js";
import { mark } from "../built.js";
import { assignment } from "../helpers.js";

const DATA = assignment();
DATA.id = "hand-1";
DATA.limits.verdicts = ["submitted", "rejected"];
DATA.urls = {
  annotation: "/annotation",
  submit: "/submit",
  assignment: "/assignment",
  reopen: "/reopen",
  page: "/manual/",
  next_page: "/next",
  project: "/project",
};
const regions = [
  {
    key: "k1",
    state: "disputed",
    why: "",
    proposed: [],
    versions: [
      { people: ["A"], spans: [mark("a1", "1", [[0, 8]], [[0, 3]])] },
      { people: ["B"], spans: [mark("b1", "3", [[4, 8]])] },
    ],
  },
  {
    key: "k2",
    state: "disputed",
    why: "no majority",
    proposed: [],
    versions: [
      { people: ["A"], spans: [mark("a2", "2", [[21, 28]])] },
      { people: ["B"], spans: [] },
    ],
  },
  {
    key: "k3",
    state: "agreed",
    why: "",
    proposed: [mark("g3", "5", [[36, 39]])],
    versions: [{ people: ["A", "B"], spans: [mark("a3", "5", [[36, 39]])] }],
  },
];
DATA.adjudication = {
  blind: false,
  rule: "majority",
  state: "open",
  by: "",
  reason: "",
  suggested: "",
  people: ["A", "B"],
  regions,
  questions: [],
  comments: [],
};
DATA.annotation.spans.spans = [mark("g3", "5", [[36, 39]])];
write("agreement/gold_pair.html", DATA);
let revision = 1;
answering(({ method }) => ({
  body: method === "PUT" ? { revision: (revision += 1) } : { status: "submitted", next: null },
}));
await import("../../../static/js/adjudicate/main.js");
const { workspace } = await import("../../../static/js/workspace/main.js");
const { Dock } = await import("../../../static/js/adjudicate/dock.js");
const { Lanes } = await import("../../../static/js/adjudicate/lanes.js");
const { GROUPS, SHORTCUTS } = await import("../../../static/js/workspace/model/keyboard.js");
await rest(20);
const { store, view, commands } = workspace;

const options = () => [...at("dock-rows").querySelectorAll("button")];
const marks = () =>
  [...store.doc.spans.values()].map(({ label, id }) => [label, store.cover.of(id).a, store.cover.of(id).b]).sort();
const digit = (n, target = options()[0]) => press(target, String(n), { code: `Digit${n}` });

test("the first disputed region is open, its words highlighted, its options listed and focused", () => {
  assert.equal(document.documentElement.dataset.adjudicate, "ready");
  assert.deepEqual(
    ["dock-count", "dock-open", "dock-state"].map((id) => at(id).textContent),
    ["Disputed region 1 of 2", "2 undecided", "Undecided"],
  );
  assert.deepEqual(options().slice(0, 2).map(words), ["1A1L1The cardDie", "2B3L3card–"]);
  assert.deepEqual(
    options()
      .map((one) => [one.tabIndex, one.getAttribute("aria-pressed")])
      .slice(0, 2),
    [
      [0, "false"],
      [-1, "false"],
    ],
  );
  assert.equal(document.activeElement, options()[0]);
  assert.deepEqual(
    [0, 1, 2].map((n) => "here" in view.word("a", n).dataset),
    [true, true, false],
  );
  assert.ok("here" in view.word("b", 0).dataset && "here" in view.gap("a", 0).dataset);
  assert.equal(at("live").textContent, "Disputed region 1 of 2. Undecided");
});

test("everyone's marks are below the words, one line per person, in the label's colour", () => {
  const lines = (n) => view.word("a", n).style.getPropertyValue("--lines");
  assert.equal(document.documentElement.style.getPropertyValue("--lanes"), "10px");
  assert.equal(lines(0), "var(--g1-draw) 0 0px / 100% 3px no-repeat");
  assert.equal(lines(1), "var(--g1-draw) 0 0px / 100% 3px no-repeat,var(--g3-draw) 0 4px / 100% 3px no-repeat");
  assert.equal(lines(2), "");
  assert.equal(view.gap("a", 0).style.getPropertyValue("--lines"), lines(0), "the space within a span too");
  assert.ok(!("lanes" in view.gap("a", 1).dataset));
  const lanes = new Lanes(store, view, [{ name: "A", spans: [] }]);
  assert.equal(lanes.spansByWord.a.size, 0);
  commands["region.lanes"]();
  assert.ok(document.body.classList.contains("no-lanes") && at("live").textContent === "Everyone's marks are hidden");
  commands["region.lanes"]();
  assert.ok(!document.body.classList.contains("no-lanes"));
});

test("the words of an option are highlighted while it is hovered or focused", () => {
  send(options()[1], "mouseover");
  assert.deepEqual([[...store.highlighted.a], [...store.highlighted.b]], [[1], []]);
  send(at("dock-rows"), "mouseleave");
  assert.equal(store.highlighted.a.size, 0);
});

test("arrows move among the options, E goes to the texts, a digit without an option marks nothing", () => {
  assert.ok(press(options()[0], "ArrowDown").defaultPrevented);
  assert.deepEqual([document.activeElement, options()[1].tabIndex, options()[0].tabIndex], [options()[1], 0, -1]);
  press(options()[1], "ArrowUp");
  assert.equal(document.activeElement, options()[0]);
  press(options()[0], "e");
  assert.equal(document.activeElement, view.word("a", 0));
  assert.ok(digit(9).defaultPrevented && marks().length === 1);
  assert.ok(!press(options()[0], "Home").defaultPrevented);
  const summary = at("dock").querySelector("details summary");
  assert.ok(!press(summary, "ArrowDown").defaultPrevented, "what people said opens and closes by its own keys");
});

test("a digit takes an option; then the region is shown as decided", () => {
  options()[0].focus();
  digit(2);
  assert.equal(document.activeElement, options()[1], "the focus goes with the choice");
  assert.deepEqual(marks(), [
    ["3", [1], []],
    ["5", [7], []],
  ]);
  assert.equal(at("dock-open").textContent, "1 undecided");
  assert.equal(at("dock-state").textContent, "Decided");
  assert.deepEqual(
    options()
      .slice(0, 2)
      .map((one) => one.getAttribute("aria-pressed")),
    ["false", "true"],
  );
  assert.equal(at("live").textContent, "Taken from B. 1 undecided");
});

test("the origin of the picked span is shown", () => {
  const [id] = [...store.doc.spans.values()].filter(({ label }) => label === "3").map((one) => one.id);
  workspace.actions.pick(id);
  assert.equal(at("dock-origin").textContent, "This span: taken from B");
  workspace.actions.clear();
  assert.equal(at("dock-origin").textContent, "");
});

test("N goes to the next undecided region and wraps around; the dock follows the cursor", () => {
  commands["region.next"]();
  assert.deepEqual([at("dock-state").textContent, store.cursor.index], ["Undecided: no majority", 5]);
  assert.deepEqual(
    [0, 5].map((n) => "here" in view.word("a", n).dataset),
    [false, true],
  );
  document.querySelector("[data-do='region.previous']").click();
  assert.equal(store.cursor.index, 5, "it is the only one left");
  workspace.cursor.place("a", 7);
  assert.equal(at("dock-state").textContent, "All agree: accepted");
  assert.equal(at("dock-count").textContent, "2 disputed regions");
  workspace.cursor.place("a", 0);
  assert.equal(at("dock-state").textContent, "Decided");
  commands["region.here"]();
  assert.ok(at("dock-rows").contains(document.activeElement));
});

test("folded, the dock only names the region", () => {
  view.word("a", 0).focus();
  at("dock-fold").click();
  assert.equal(at("dock-fold").getAttribute("aria-expanded"), "false");
  commands["region.next"]();
  assert.equal(document.activeElement, view.word("a", 5), "the focus is in the texts");
  at("dock-fold").click();
  assert.equal(at("dock-fold").getAttribute("aria-expanded"), "true");
});

test("a pair is submitted when no region is undecided any more", async () => {
  workspace.cursor.place("a", 0);
  commands.submit();
  assert.deepEqual(
    [store.cursor.index, at("dock-warn").textContent],
    [5, "One region is undecided. Choose an option, or leave it unmarked."],
  );
  assert.ok(!requests.some(({ url }) => url === "/submit"));
  at("dock-edit").click();
  assert.equal(document.activeElement, view.word("a", 5));
  options()
    .find((one) => words(one).startsWith("0"))
    .click();
  assert.deepEqual([at("dock-warn").textContent, at("dock-open").textContent], ["", "all decided"]);
  asked.length = 0;
  commands.submit();
  await rest(20);
  assert.equal(requests.at(-1).url, "/submit");
  assert.deepEqual(asked, [["assign", "/next"]]);
});

test("what is decided can't be changed; a region with a custom decision says so", () => {
  assert.ok(store.readOnly);
  const before = marks();
  digit(1);
  assert.deepEqual(marks(), before);
  store.readOnly = false;
  const dock = new Dock(store, DATA.adjudication, [], () => {});
  assert.deepEqual([dock.queue().open.length, dock.options], [0, []]);
  dock.draw();
  assert.deepEqual(
    ["dock-count", "dock-state", "dock-open"].map((id) => at(id).textContent),
    ["No disputed regions", "No words are marked in the submitted annotations", ""],
  );
});

test("the help lists exactly the available commands", () => {
  const listed = SHORTCUTS.map(({ command }) => command);
  assert.ok(["region.next", "region.previous", "region.here", "region.lanes"].every((one) => listed.includes(one)));
  assert.ok(!["flag", "skip", "read.tick", "read.next"].some((one) => listed.includes(one)));
  assert.deepEqual(GROUPS[0], { group: "region", title: "Disputed regions" });
});
