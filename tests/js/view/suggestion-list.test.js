/** The list of suggestions below that of spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest, words } from "../page.js";
import { built, HIGHLIGHTS, suggesting } from "../built.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { SuggestionList } from "../../../static/js/workspace/view/suggestion-list.js";

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
