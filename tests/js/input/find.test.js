/** Search in both texts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, press, send } from "../page.js";
import { built } from "../built.js";
import { Find } from "../../../static/js/workspace/input/find.js";

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
  assert.deepEqual(find.matches, [
    { side: "a", index: 0 },
    { side: "b", index: 1 },
    { side: "a", index: 3 },
  ]);
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
  assert.deepEqual(
    [at("find-whole").getAttribute("aria-pressed"), at("find-count").textContent],
    ["true", "Not found"],
  );
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

/** A page with the search open. */
function finding(parts) {
  const made = built(parts);
  const find = new Find(made.store, made.view, made.cursor, made.preferences);
  find.open();
  const look = (sought) => {
    at("find-words").value = sought;
    send(at("find-words"), "input");
    return at("find-count").textContent;
  };
  return { ...made, find, look };
}

test("backwards, the search begins with the last match, and one match is found again and again", () => {
  const { store, look, find } = finding({ a: "The free card.\nThe end.", b: "Free, the card.\nOver." });
  look("the");
  press(at("find-words"), "Enter", { shiftKey: true });
  assert.deepEqual(store.cursor, { side: "a", index: 3 });
  press(at("find-words"), "Enter");
  assert.deepEqual(store.cursor, { side: "a", index: 0 });
  look("over");
  for (const step of [-1, -1, 1, 1]) {
    find.step(step);
    assert.deepEqual(store.cursor, { side: "b", index: 3 });
  }
  look("zzz");
  find.step(1);
  assert.deepEqual(store.cursor, { side: "b", index: 3 }, "nothing to go to");
});

test("keys of an input method are not the search's", () => {
  const { store, look } = finding({ a: "東京 の 東京 です。", beads: [[[0], [0, 1]]] });
  look("東京");
  store.moveTo("a", 3);
  for (const key of ["Enter", "Escape"])
    assert.ok(!press(at("find-words"), key, { isComposing: true }).defaultPrevented);
  assert.deepEqual([store.cursor.index, at("find").hidden], [3, false]);
});

test("matches are words of the texts, whatever the script: positions are those of whole characters", () => {
  const { find, look, view } = finding({ a: "🙂 one 𝒶𝒷 two.", b: "שלום one שלום.", beads: [[[0], [0]]] });
  look("two");
  assert.deepEqual(find.matches, [{ side: "a", index: 3 }]);
  look("שלום");
  assert.deepEqual(
    find.matches.map(({ side, index }) => view.word(side, index).textContent),
    ["שלום", "שלום."],
  );
  look("  one  ");
  assert.deepEqual(find.matches, [
    { side: "a", index: 1 },
    { side: "b", index: 1 },
  ]);
  look("  ");
  assert.deepEqual([find.matches, at("find-count").textContent], [[], ""]);
});

test("opened again, it looks again for what was sought; without highlights of the browser it still counts", () => {
  const { find, look, store } = finding();
  look("card");
  find.close();
  assert.ok(!find.close(), "it was closed");
  find.open();
  assert.equal(CSS.highlights.get("find").ranges.length, 1);
  const { highlights } = CSS;
  delete CSS.highlights;
  assert.notEqual(look("the"), "");
  find.step(1);
  assert.deepEqual(store.cursor, { side: "a", index: 0 });
  CSS.highlights = highlights;
  find.close();
});

test("closed by Escape, the cursor has the focus again", () => {
  const { word, cursor } = finding();
  cursor.place("a", 2, { focus: false });
  press(at("find-words"), "Escape");
  assert.equal(document.activeElement, word("a", 2));
});

test("a button of the bar is pressed by its own keys, and others reach the page", () => {
  finding();
  const heard = [];
  const hear = ({ key }) => heard.push(key);
  document.body.addEventListener("keydown", hear);
  for (const key of ["Enter", " ", "ArrowDown"]) assert.ok(!press(at("find-next"), key).defaultPrevented);
  press(at("find-words"), "Enter");
  press(at("find-words"), "x");
  document.body.removeEventListener("keydown", hear);
  assert.deepEqual(heard, ["ArrowDown", "x"]);
});

test("matches of one row and text are in text order, however many", () => {
  const { find, look } = finding({ a: "x y x y x", b: "x", beads: [[[0], [0]]] });
  look("x");
  assert.deepEqual(
    find.matches.map(({ side, index }) => side + index),
    ["a0", "a2", "a4", "b0"],
  );
});
