/** The lists beside the texts: spans, suggestions, matches of a search, the comparison with the reference. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, press, rest, send, words } from "./page.js";
import { built, HIGHLIGHTS, spans } from "./built.js";
import { showFeedback } from "../../static/js/workspace/view/feedback.js";
import { Find } from "../../static/js/workspace/input/find.js";
import { SpanList } from "../../static/js/workspace/view/span-list.js";
import { SuggestionActions } from "../../static/js/workspace/input/suggestion-actions.js";
import { SuggestionList } from "../../static/js/workspace/view/suggestion-list.js";

test("the spans are listed in text order with both sides quoted, and only what changed is drawn again", () => {
  const { store, add, span } = built();
  add(span("s2", "2", [5], []), span("s1", "1", [0, 1], [0], { comment: "why", origin: "accepted" }));
  const went = [];
  const list = new SpanList(store, (...to) => went.push(to), (id) => went.push(id), (tokens) => went.push(tokens));
  const rows = () => [...at("spans").querySelectorAll("li")];
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s2"]);
  assert.equal(words(rows()[0]), "1L1The cardDieaccepted from a suggestion · “why”");
  assert.equal(words(rows()[1]), "2L2arrivesonly in English");
  assert.equal(rows()[0].querySelector(".quotation.b").lang, "de");
  assert.equal(at("span-count").textContent, "2 spans");
  assert.ok(at("no-spans").hidden);
  const kept = rows()[0];
  add(span("s0", "3", [2], []));
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s0", "s2"]);
  assert.equal(rows()[0], kept);
  store.commit([{ kind: "span", id: "s2", before: store.span("s2"), after: null }]);
  assert.deepEqual(rows().map((row) => row.dataset.id), ["s1", "s0"]);
  rows()[1].querySelector("button").click();
  assert.deepEqual(went, [["a", 2], "s0", { a: [2], b: [] }]);
  store.pick("s0");
  assert.deepEqual(rows().map((row) => row.className), ["row", "row active"]);
  send(rows()[0].querySelector("button"), "mouseover");
  assert.equal(store.hovered, "s1");
  assert.equal(rows()[0].className, "row active");
  send(at("spans"), "mouseleave");
  assert.equal(store.hovered, null);
  assert.equal(rows()[0].className, "row");
  assert.deepEqual(rows().map((row) => row.querySelector("button").tabIndex), [0, -1]);
  rows()[0].querySelector("button").focus();
  assert.ok(press(rows()[0].querySelector("button"), "ArrowDown").defaultPrevented);
  assert.deepEqual([document.activeElement, rows()[0].querySelector("button").tabIndex], [rows()[1].querySelector("button"), -1]);
  list.listRemaining();
  assert.equal(rows().length, 2);
  for (const id of ["s1", "s0"]) store.commit([{ kind: "span", id, before: store.span(id), after: null }]);
  assert.ok(!at("no-spans").hidden);
});

test("a row that is picked out of view is scrolled to, and a page of many spans lists the rest later", () => {
  const { store, add, span } = built({ a: Array.from({ length: 60 }, (_, n) => `w${n}`).join(" "), beads: [[[0], [0]], [[], [1]]] });
  add(...Array.from({ length: 50 }, (_, n) => span(`s${n}`, "1", [n], [])));
  const list = new SpanList(store, () => {}, () => {}, () => {});
  assert.equal(at("spans").children.length, 40);
  list.listRemaining();
  assert.equal(at("spans").children.length, 50);
  assert.deepEqual([...at("spans").children].map((row) => row.dataset.id), Array.from({ length: 50 }, (_, n) => `s${n}`));
  boxes.set(at("span-list"), [0, 0, 300, 300]);
  boxes.set(at("spans").children[9], [0, 500, 300, 20]);
  store.pick("s9");
  assert.equal(at("span-list").scrollTop, 400);
  store.pick("s8");
  assert.equal(at("span-list").scrollTop, 400, "it was in view");
  boxes.clear();
});

test("find highlights matches, counts them by side, and goes from match to match in the order of the rows", () => {
  const { store, view, cursor, preferences } = built({ a: "The free card.\nThe end.", b: "Free, the card.\nOver." });
  const find = new Find(store, view, cursor, preferences);
  assert.ok(at("find").hidden && !find.close());
  find.open();
  assert.equal(document.activeElement, at("find-words"));
  const look = (sought) => {
    at("find-words").value = sought;
    send(at("find-words"), "input");
    return at("find-count").textContent;
  };
  assert.equal(look("the"), "3 matches (2 + 1)");
  assert.deepEqual(CSS.highlights.get("find").ranges.map(String), ["The", "The", "the"]);
  assert.deepEqual(find.matches, [{ side: "a", index: 0 }, { side: "b", index: 1 }, { side: "a", index: 3 }]);
  press(at("find-words"), "Enter");
  assert.deepEqual([store.cursor, at("find-count").textContent], [{ side: "a", index: 0 }, "1 of 3"]);
  press(at("find-words"), "Enter", { shiftKey: true });
  assert.deepEqual(store.cursor, { side: "a", index: 3 });
  at("find-next").click();
  at("find-next").click();
  assert.deepEqual(store.cursor, { side: "b", index: 1 });
  at("find-previous").click();
  assert.deepEqual(store.cursor, { side: "a", index: 0 });
  assert.equal(look("zzz"), "Not found");
  assert.ok(!CSS.highlights.has("find"));
  assert.equal(look(""), "");
  assert.equal(look("fre"), "2 matches (1 + 1)");
  at("find-whole").click();
  assert.deepEqual([at("find-whole").getAttribute("aria-pressed"), at("find-count").textContent], ["true", "Not found"]);
  find.toggleWhole();
  assert.equal(at("find-count").textContent, "2 matches (1 + 1)");
  assert.ok(!press(at("find-next"), "Enter").defaultPrevented, "a button is pressed by Enter");
  assert.ok(press(at("find-words"), "Escape").defaultPrevented);
  assert.ok(at("find").hidden && !CSS.highlights.has("find"));
  find.toggleWhole();
  assert.ok(!at("find").hidden, "to choose is to open");
  at("find-close").click();
  assert.ok(at("find").hidden);
});

/** Suggestions: two on A, one on B. */
function suggesting() {
  const made = built({ highlights: HIGHLIGHTS });
  const steps = new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say);
  return { ...made, steps, keys: made.store.suggestions.map(({ key }) => key) };
}

test("suggestions are visited from the cursor on, selected, dismissed and restored", () => {
  const { store, steps, said, keys, cursor } = suggesting();
  steps.step(1);
  assert.deepEqual([store.suggestion, said.at(-1)], [keys[0], "Suggested: card is"]);
  assert.ok(store.selected[store.suggestions[0].fragments[0].side].size > 0);
  steps.step(1);
  assert.equal(store.suggestion, keys[1]);
  steps.step(-1);
  steps.step(-1);
  assert.equal(store.suggestion, keys.at(-1), "round and round");
  steps.dismiss();
  assert.deepEqual([[...store.doc.dismissed], store.suggestion, said.includes("Dismissed")], [[keys.at(-1)], keys[0], true]);
  steps.restore([keys.at(-1), "never dismissed"]);
  assert.deepEqual([[...store.doc.dismissed], said.at(-1)], [[], "1 suggestion restored"]);
  steps.deselect();
  assert.deepEqual([store.suggestion, store.selected.a.size], [null, 0]);
  cursor.place("a", 8);
  steps.dismiss();
  assert.equal(said.at(-1), "No more suggestions");
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [false, "3 suggestions hidden. H shows them again."]);
  steps.step(1);
  assert.ok(store.showSuggestions && store.suggestion);
  for (const key of keys) store.commit([{ kind: "dismissed", id: key, before: false, after: true }]);
  steps.deselect();
  steps.step(1);
  assert.deepEqual([store.suggestion, said.at(-1)], [null, "No more suggestions"]);
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [true, "There are no open suggestions"], "nothing is there to hide");
});

test("the rest of partly marked suggestions is hidden as such, and not counted", () => {
  const { store, painter, cursor, actions, say, said } = built({ highlights: HIGHLIGHTS });
  const steps = new SuggestionActions(store, cursor, actions, painter, say);
  const list = new SuggestionList(store, steps);
  store.openSuggestions = () => [];
  steps.toggleVisible();
  list.draw();
  assert.deepEqual([store.showSuggestions, said.at(-1), at("suggestion-count").textContent], [false, "Suggestions hidden. H shows them again.", "0 suggestions remaining"]);
  steps.toggleVisible();
  assert.deepEqual([store.showSuggestions, said.at(-1)], [true, "Suggestions shown"]);
});

test("the list of suggestions shows open ones, is hidden with them, and restores dismissed ones", () => {
  const { store, steps, keys } = suggesting();
  const list = new SuggestionList(store, steps);
  list.draw();
  const rows = (id) => [...at(id).children].map((row) => row.dataset.key);
  assert.deepEqual(rows("suggestions"), keys);
  assert.deepEqual([at("suggestion-count").textContent, at("suggestion-switch").textContent, at("dismissed").hidden], ["3 suggestions remaining", "HideH", true]);
  assert.deepEqual([...at("suggestions").querySelectorAll("button")].map((one) => one.tabIndex), [0, -1, -1]);
  at("suggestions").querySelector("button").click();
  assert.equal(store.suggestion, keys[0]);
  for (const id of keys.slice(0, 2)) store.commit([{ kind: "dismissed", id, before: false, after: true }]);
  list.draw();
  assert.deepEqual([rows("suggestions"), rows("dismissed-list"), at("dismissed").hidden, at("restore-all").hidden], [keys.slice(2), keys.slice(0, 2), false, false]);
  at("dismissed-list").querySelector("button").click();
  assert.deepEqual(rows("dismissed-list"), [keys[1]]);
  assert.equal(document.activeElement, at("dismissed-list").querySelector("button"));
  list.draw();
  assert.equal(document.activeElement, at("dismissed-list").querySelector("button"), "a row that is made again keeps the focus");
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
  const list = new SuggestionList(made.store, new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say));
  list.draw();
  const rows = [...document.querySelectorAll("#suggestions .row, #more-suggestion-list .row")];
  assert.deepEqual(rows.map((row) => row.classList.contains("predicted")), [true, false, false]);
  assert.deepEqual(rows.map((row) => row.querySelector(".chip")?.textContent ?? null), ["3", null, null]);
  const why = rows.map((row) => row.querySelector("small").textContent);
  assert.deepEqual(why.map((words) => / · predicted: L3$/.test(words)), [true, false, false]);
});

test("the list of suggestions is redrawn a moment after a relevant change", async () => {
  const { store, steps, keys, add, span } = suggesting();
  new SuggestionList(store, steps);
  store.suggest(keys[0]);
  assert.equal(at("suggestions").children.length, 0);
  await rest(160);
  assert.deepEqual([...at("suggestions").children].map((row) => row.className), ["row active", "row", "row"]);
  const { tokens } = store.suggestions[0];
  add(span("s1", "1", tokens.a, tokens.b));
  await rest(160);
  assert.equal(at("suggestions").children.length, 2);
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  at("suggestions").replaceChildren();
  await rest(160);
  assert.equal(at("suggestions").children.length, 0);
});

test("after a qualification pair one's spans are shown next to the reference's", () => {
  const { store, add, span } = built();
  add(span("same", "1", [0], [0]), span("mine", "3", [7], []));
  store.assignment.comparison = { gold: [span("g1", "1", [0], [0]), span("g2", "2", [5], [])], answers: {}, feedback: "Well done." };
  const went = [];
  document.body.classList.add("no-span-list");
  showFeedback(store, (...to) => went.push(to));
  const rows = [...at("comparison").querySelectorAll("li")];
  assert.deepEqual(rows.map((row) => row.className), ["row same", "row extra", "row missing"]);
  assert.ok(!document.body.classList.contains("no-span-list"));
  assert.ok(words(at("comparison")).includes("Well done.") && words(at("comparison")).includes("Words marked like the reference"));
  assert.deepEqual([...rows[2].querySelectorAll(".quotation")].map(words), ["arrives"]);
  send(rows[2].querySelector("button"), "mouseenter");
  assert.deepEqual([[...store.highlighted.a], [...store.highlighted.b]], [[5], []]);
  send(rows[2].querySelector("button"), "mouseleave");
  assert.equal(store.highlighted.a.size, 0);
  rows[2].querySelector("button").click();
  assert.deepEqual(went, [["a", 5]]);
  at("comparison").replaceChildren();
  store.assignment.comparison = null;
  showFeedback(store, () => {});
  assert.equal(at("comparison").childElementCount, 0);
});
