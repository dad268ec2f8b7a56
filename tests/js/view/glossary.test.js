import assert from "node:assert/strict";
import { test } from "node:test";
import { at, press } from "../page.js";
import { built } from "../built.js";
import { assignment } from "../helpers.js";
import { Glossary } from "../../../static/js/workspace/view/glossary.js";
import { View } from "../../../static/js/workspace/view/render.js";

const CARD = {
  term: "card",
  term_language: "en",
  translations: ["Karte", "Ausweis"],
  translation_language: "de",
  note: "the paper one",
};
const WEEKS = {
  term: "two weeks",
  term_language: "en",
  translations: ["zwei Wochen"],
  translation_language: "de",
  note: "",
};

/** A workspace whose pair has 'card' at token 1 of both sides and 'two weeks' at tokens 7 and 8 of A. */
function glossed(entries = [CARD, WEEKS]) {
  const matches = {
    a: [
      [1, 2, 0],
      [7, 9, 1],
    ],
    b: [[1, 2, 0]],
  };
  const parts = built({ more: { pair: { ...assignment().pair, glossary: { entries, matches } } } });
  return { ...parts, glossary: new Glossary(parts.store, parts.view) };
}
const box = () => at("glossary-tip");
const lines = () => [...box().querySelectorAll("p")].map((one) => one.textContent);

test("terms are marked, also in words created later, and no others", () => {
  const { view, store } = glossed();
  const marked = (side) => view.words[side].flatMap((word, index) => (word.hasAttribute("data-term") ? [index] : []));
  assert.deepEqual([marked("a"), marked("b")], [[1, 7, 8], [1]]);
  const later = new View(store, document.createElement("div"));
  later.unrendered.clear();
  for (const word of later.words.a) word.removeAttribute("data-term");
  new Glossary(store, later);
  later.fillParagraph("a", 1, later.paragraphs.a[1]);
  assert.deepEqual(
    later.words.a.flatMap((word, index) => (word.hasAttribute("data-term") ? [index] : [])),
    [1, 7, 8],
  );
});

test("the word pointed at, or at the cursor, shows what was agreed and the note", () => {
  const { store, word } = glossed();
  assert.equal(box().hidden, true);
  store.hoverWord({ side: "a", index: 1 });
  assert.deepEqual([box().hidden, lines()], [false, ["card – Karte; Ausweisthe paper one"]]);
  assert.equal(word("a", 1).getAttribute("aria-describedby"), "glossary-tip");
  const [term, translation] = box().querySelectorAll("b, p > span");
  assert.deepEqual([term.lang, translation.lang], ["en", "de"]);
  store.hoverWord({ side: "a", index: 8 });
  assert.deepEqual([lines(), word("a", 1).hasAttribute("aria-describedby")], [["two weeks – zwei Wochen"], false]);
  store.hoverWord({ side: "a", index: 0 });
  assert.equal(box().hidden, true);
  store.hoverWord({ side: "b", index: 1 });
  assert.equal(box().hidden, false);
  store.hoverWord(null);
  assert.deepEqual([box().hidden, word("b", 1).hasAttribute("aria-describedby")], [true, false]);
});

test("several entries of a word are all shown", () => {
  const { store, glossary } = glossed([CARD, { ...CARD, translations: ["Mappe"], note: "" }]);
  glossary.entries.a.set(1, [0, 1]);
  store.hoverWord({ side: "a", index: 1 });
  assert.equal(lines().length, 2);
});

test("Escape and a drag take it away", () => {
  const { store } = glossed();
  store.hoverWord({ side: "a", index: 1 });
  press(document.body, "Escape");
  assert.equal(box().hidden, true);
  store.hoverWord({ side: "a", index: 7 });
  store.setDragging(true);
  assert.equal(box().hidden, true);
});

test("it is above the word, below it where the label bar is, and gone while the word is out of view", () => {
  const { store, view, word, glossary } = glossed();
  const [rect] = word("a", 7).getClientRects();
  const size = (top, height) => ({ top, bottom: top + height, left: 0, right: 100, width: 100, height });
  view.sheet.parentElement.getBoundingClientRect = () => size(0, 400);
  box().getBoundingClientRect = () => size(0, 40);
  store.hoverWord({ side: "a", index: 7 });
  assert.deepEqual([box().style.top, box().style.left], [`${rect.top - 46}px`, `${rect.left}px`]);
  at("label-bar").hidden = false;
  at("label-bar").getBoundingClientRect = () => size(rect.top - 40, 30);
  glossary.place();
  assert.equal(box().style.top, `${rect.bottom + 6}px`);
  at("label-bar").hidden = true;
  store.hoverWord({ side: "a", index: 1 });
  assert.equal(parseFloat(box().style.top), word("a", 1).getClientRects()[0].bottom + 6);
  view.sheet.parentElement.getBoundingClientRect = () => size(300, 100);
  dispatchEvent(new Event("scroll"));
  assert.equal(box().hidden, true);
});

test("without a glossary nothing is marked or shown", () => {
  const { store, view } = built();
  new Glossary(store, view);
  store.hoverWord({ side: "a", index: 1 });
  assert.equal(view.word("a", 1).hasAttribute("data-term") || !box().hidden, false);
});
