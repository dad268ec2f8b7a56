import assert from "node:assert/strict";
import { test } from "node:test";
import { selectedText } from "../../../static/js/workspace/input/copying.js";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { textData } from "../helpers.js";

/** A text in which every character is a token, as in Chinese. */
const characters = (text) => ({ ...textData(text), tokens: [...text].flatMap((one, n) => (one.trim() ? [[n, n + 1]] : [])) });

test("what is copied are the characters of the text, line breaks and missing spaces included", () => {
  const grids = { a: new Grid(textData("Tofu  is made.\n\nIt is 𝒳 soft.")), b: new Grid(characters("豆腐是食品。\n它很软。")) };
  assert.equal(selectedText({ a: [0, 1, 2, 3, 4, 5], b: [] }, grids), "Tofu  is made.\n\nIt is 𝒳");
  assert.equal(selectedText({ a: [], b: [0, 1, 2, 3, 4, 5, 6, 7] }, grids), "豆腐是食品。\n它很");
});

test("separate fragments are on separate lines", () => {
  const grids = { a: new Grid(textData("one two three")), b: new Grid(characters("豆腐是食品")) };
  assert.equal(selectedText({ a: [0, 2], b: [0, 1, 3] }, grids), "one\nthree\n豆腐\n食");
});
