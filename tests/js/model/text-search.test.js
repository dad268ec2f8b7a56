import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { foldText, occurrences, wholeWords } from "../../../static/js/workspace/model/text-search.js";
import { textData } from "../helpers.js";

const found = (text, words) =>
  occurrences(foldText(text), words).map(([start, end]) => [...text].slice(start, end).join(""));

test("case, accents, ligatures and wide forms make no difference, in either direction", () => {
  assert.deepEqual(found("Öffnungszeiten, OFFNUNG", "öffnung"), ["Öffnung", "OFFNUNG"]);
  assert.deepEqual(found("cafe\u0301 und café", "CAFÉ"), ["cafe\u0301".slice(0, 4), "café"]);
  assert.deepEqual(found("Die STRASSE, die Straße", "strasse"), ["STRASSE", "Straße"]);
  assert.deepEqual(found("the ﬁrst Ｗｏｒｄ", "first word"), ["ﬁrst Ｗｏｒｄ"]);
  assert.deepEqual(found("ΟΔΟΣ οδός", "οδος"), ["ΟΔΟΣ", "οδός"]);
});

test("vowel points and stretched lines of Arabic may be left out; vowel signs of Hindi are letters", () => {
  assert.deepEqual(found("يُحفظ الدم", "يحفظ"), ["يُحفظ"]);
  assert.deepEqual(found("التبرع بالدـــم", "بالدم"), ["بالدـــم"]);
  assert.deepEqual(found("की का", "का"), ["का"]);
});

test("a line break is white space like any other, and offsets count code points", () => {
  assert.deepEqual(found("𝒳 one\n two", "one two"), ["one\n two"]);
  assert.deepEqual(occurrences(foldText("𐌰𐌱 豆腐"), "豆腐"), [[3, 5]]);
});

test("half of an expanded letter is no match", () => {
  assert.deepEqual(found("Maß", "s"), []);
  assert.deepEqual(found("Maß", "mass"), ["Maß"]);
});

test("whole words begin and end where tokens do", () => {
  const grid = new Grid(textData("sun Sunday sun\u0301 the sun"));
  const all = occurrences(foldText(grid.text), "sun");
  assert.equal(all.length, 4);
  assert.deepEqual(
    wholeWords(all, grid).map(([start]) => start),
    [0, 11, 20],
  );
  assert.deepEqual(wholeWords(occurrences(foldText(grid.text), "the sun"), grid), [[16, 23]]);
});
