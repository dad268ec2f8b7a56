/** The list of suggestions below that of spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest, send, words } from "../page.js";
import { built, HIGHLIGHTS, suggesting } from "../built.js";
import { textData } from "../helpers.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { SuggestionList } from "../../../static/js/workspace/view/suggestion-list.js";

test("the list of suggestions shows open ones, is hidden with them, and restores dismissed ones", () => {
  const { store, steps, keys } = suggesting();
  const list = new SuggestionList(store, steps);
  list.draw();
  const rows = (id) => [...at(id).children].map((row) => row.dataset.key);
  assert.deepEqual(rows("suggestions"), keys);
  assert.deepEqual(
    [at("suggestion-count").textContent, at("suggestion-switch").textContent, at("dismissed").hidden],
    ["3 suggestions remaining", "HideH", true],
  );
  assert.deepEqual(
    [...at("suggestions").querySelectorAll("button")].map((one) => one.tabIndex),
    [0, -1, -1],
  );
  at("suggestions").querySelector("button").click();
  assert.equal(store.suggestion, keys[0]);
  for (const id of keys.slice(0, 2)) store.commit([{ kind: "dismissed", id, before: false, after: true }]);
  list.draw();
  assert.deepEqual(
    [rows("suggestions"), rows("dismissed-list"), at("dismissed").hidden, at("restore-all").hidden],
    [keys.slice(2), keys.slice(0, 2), false, false],
  );
  at("dismissed-list").querySelector("button").click();
  assert.deepEqual(rows("dismissed-list"), [keys[1]]);
  assert.equal(document.activeElement, at("dismissed-list").querySelector("button"));
  list.draw();
  assert.equal(
    document.activeElement,
    at("dismissed-list").querySelector("button"),
    "a row that is made again keeps the focus",
  );
  assert.ok(at("restore-all").hidden);
  at("restore-all").click();
  assert.equal(store.doc.dismissed.size, 0);
  assert.equal(document.activeElement, at("suggestion-switch"));
  steps.toggleVisible();
  list.draw();
  assert.deepEqual([rows("suggestions"), at("suggestion-count").textContent], [[], "3 suggestions hidden"]);
});

test("a suggestion is listed with the label that is predicted for it", () => {
  const [first, ...rest] = HIGHLIGHTS.proposals;
  const made = built({ highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }, ...rest] } });
  const list = new SuggestionList(
    made.store,
    new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say),
  );
  list.draw();
  const rows = [...document.querySelectorAll("#suggestions .row, #more-suggestion-list .row")];
  assert.deepEqual(
    rows.map((row) => row.classList.contains("predicted")),
    [true, false, false],
  );
  assert.deepEqual(
    rows.map((row) => row.querySelector(".chip")?.textContent ?? null),
    ["3", null, null],
  );
  const why = rows.map((row) => row.querySelector("small").textContent);
  assert.deepEqual(
    why.map((words) => / · predicted: L3$/.test(words)),
    [true, false, false],
  );
});

test("the list of suggestions is redrawn a moment after a relevant change", async () => {
  const { store, steps, keys, add, span } = suggesting();
  new SuggestionList(store, steps);
  store.suggest(keys[0]);
  assert.equal(at("suggestions").children.length, 0);
  await rest(160);
  assert.deepEqual(
    [...at("suggestions").children].map((row) => row.className),
    ["row active", "row", "row"],
  );
  const { tokens } = store.suggestions[0];
  add(span("s1", "1", tokens.a, tokens.b));
  await rest(160);
  assert.equal(at("suggestions").children.length, 2);
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  at("suggestions").replaceChildren();
  await rest(160);
  assert.equal(at("suggestions").children.length, 0);
});

/** A page with as many suggestions on A as levels are given, one for each word, and their list. */
function listed(levels, more = {}) {
  const a = levels.map((_, n) => `w${n}`).join(" ");
  const { tokens } = textData(a);
  const proposals = levels.map((level, n) => ({
    id: `p${n}`,
    level,
    fragments: [{ side: "a", start: tokens[n][0], end: tokens[n][1] }],
  }));
  const made = built({
    a,
    b: "x y",
    beads: [[[0], [0]]],
    highlights: { ...HIGHLIGHTS, edges: [], proposals, ...more },
  });
  const steps = new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say);
  const list = new SuggestionList(made.store, steps);
  list.draw();
  return { ...made, steps, list };
}
const keys = (id) => [...at(id).children].map((row) => row.dataset.key);
const names = (from, to) => Array.from({ length: to - from }, (_, n) => `p${from + n}`);

test("less certain suggestions are counted apart, and listed once they are asked for", () => {
  const { list } = listed([3, 1, 3, 2]);
  assert.deepEqual(
    [keys("suggestions"), keys("more-suggestion-list"), at("more-suggestions").hidden],
    [["p0", "p2"], [], false],
  );
  assert.ok(/^2\b/.test(at("more-suggestion-count").textContent) && /^4\b/.test(at("suggestion-count").textContent));
  at("more-suggestions").open = true;
  list.draw();
  assert.deepEqual(keys("more-suggestion-list"), ["p1", "p3"]);
  assert.deepEqual(
    [...at("more-suggestion-list").querySelectorAll("button")].map(({ tabIndex }) => tabIndex),
    [0, -1],
  );
  listed([2, 1]);
  assert.deepEqual(
    [keys("suggestions"), at("more-suggestions").hidden],
    [["p0", "p1"], true],
    "if none is certain, they are all there is",
  );
});

test("the current suggestion is always listed, and a click on any shows it", () => {
  const { store, list } = listed([3, 1]);
  store.suggest("p1");
  list.draw();
  assert.deepEqual(
    [at("more-suggestions").open, [...at("more-suggestion-list").children].map((row) => row.className)],
    [true, ["row active"]],
  );
  at("suggestions").querySelector("button").click();
  assert.equal(store.suggestion, "p0");
  at("more-suggestion-list").querySelector(".quotation").click();
  assert.equal(store.suggestion, "p1");
  send(at("suggestions"), "click");
  assert.equal(store.suggestion, "p1", "beside the rows is nothing");
});

test("only the next few are listed, with two before the current one", () => {
  const { store, list } = listed(Array.from({ length: 30 }, () => 3));
  assert.deepEqual(keys("suggestions"), names(0, 10));
  store.suggest("p1");
  list.draw();
  assert.deepEqual(keys("suggestions"), names(0, 11));
  store.suggest("p20");
  list.draw();
  assert.deepEqual(keys("suggestions"), names(18, 30));
});

test("a suggestion on both sides is quoted in both languages", () => {
  const fragments = [
    { side: "a", start: 0, end: 2 },
    { side: "b", start: 2, end: 3 },
  ];
  listed([3], { proposals: [{ id: "both", level: 3, fragments }] });
  assert.deepEqual(
    [...at("suggestions").querySelectorAll(".quotation")].map((one) => [words(one), one.lang, one.dir]),
    [
      ["w0", "en", "ltr"],
      ["y", "de", "ltr"],
    ],
  );
});

test("a pair without suggestions has no switch, and one without highlights no list at all", () => {
  listed([], {});
  assert.ok(
    at("suggestion-switch").hidden &&
      at("suggestion-count").textContent &&
      !/\d/.test(at("suggestion-count").textContent),
  );
  const plain = built();
  const list = new SuggestionList(plain.store, /** @type {any} */ ({}));
  plain.store.emit("view");
  list.scheduleDraw();
  assert.equal(list.waiting, false);
});

test("the focus stays in the list of the row that has it, or goes to the next one that can be restored", () => {
  const { store, list } = listed([3, 3, 3]);
  const focused = () => document.activeElement.closest("[data-key]")?.dataset.key ?? document.activeElement.id;
  at("suggestions").querySelectorAll("button")[1].focus();
  list.draw();
  assert.equal(focused(), "p1");
  store.commit(["p0", "p1", "p2"].map((id) => ({ kind: "dismissed", id, before: false, after: true })));
  list.draw();
  assert.deepEqual(
    [keys("dismissed-list"), /^3\b/.test(at("dismissed-count").textContent)],
    [["p0", "p1", "p2"], true],
  );
  const restore = (n) => (at("dismissed-list").querySelectorAll("button")[n].click(), focused());
  assert.deepEqual([restore(1), restore(1), restore(0)], ["p2", "p0", "suggestion-switch"]);
  send(at("dismissed-list"), "click");
  assert.equal(store.doc.dismissed.size, 0);
});

test("what is dismissed in a read-only pair is shown, not restored", () => {
  const { store, list } = listed([3, 3]);
  store.commit(["p0", "p1"].map((id) => ({ kind: "dismissed", id, before: false, after: true })));
  list.draw();
  assert.ok(!at("restore-all").hidden);
  store.readOnly = true;
  list.draw();
  assert.deepEqual(
    [keys("dismissed-list"), at("dismissed-list").querySelector("button"), at("restore-all").hidden],
    [["p0", "p1"], null, true],
  );
});
