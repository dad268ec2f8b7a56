import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../page.js";
import { built } from "../built.js";
import { browserSelectedText, connectCopy, selectedText } from "../../../static/js/workspace/input/copying.js";
import { Grid } from "../../../static/js/workspace/model/grid.js";
import { textData } from "../helpers.js";

/** A text in which every character is a token, as in Chinese. */
const characters = (text) => ({
  ...textData(text),
  tokens: [...text].flatMap((one, n) => (one.trim() ? [[n, n + 1]] : [])),
});

test("what is copied are the characters of the text, line breaks and missing spaces included", () => {
  const grids = {
    a: new Grid(textData("Tofu  is made.\n\nIt is 𝒳 soft.")),
    b: new Grid(characters("豆腐是食品。\n它很软。")),
  };
  assert.equal(selectedText({ a: [0, 1, 2, 3, 4, 5], b: [] }, grids), "Tofu  is made.\n\nIt is 𝒳");
  assert.equal(selectedText({ a: [], b: [0, 1, 2, 3, 4, 5, 6, 7] }, grids), "豆腐是食品。\n它很");
});

test("separate fragments are on separate lines", () => {
  const grids = { a: new Grid(textData("one two three")), b: new Grid(characters("豆腐是食品")) };
  assert.equal(selectedText({ a: [0, 2], b: [0, 1, 3] }, grids), "one\nthree\n豆腐\n食");
});

/** A page that copies; `copied()` is what a copy on an element puts into the clipboard, or null if that is left to the browser. */
function copying(parts) {
  const made = built(parts);
  const { addEventListener: listen } = document;
  let copy = (_) => {};
  document.addEventListener = (_, listener) => (copy = listener);
  connectCopy(made.store, made.view);
  document.addEventListener = listen;
  getSelection().removeAllRanges();
  const copied = (target = document.body) => {
    let words = null;
    let left = true;
    copy({
      target,
      clipboardData: { setData: (kind, text) => (assert.equal(kind, "text/plain"), (words = text)) },
      preventDefault: () => (left = false),
    });
    assert.equal(words === null, left);
    return words;
  };
  return { ...made, copied };
}
/** Have the browser select from a character of an element to one of another. */
function range(from, start, to, end) {
  getSelection().removeAllRanges();
  getSelection().setBaseAndExtent(from.firstChild, start, to.firstChild, end);
}

test("the selected words are copied, else those of the picked span; without either the browser copies", () => {
  const { store, add, span, copied } = copying();
  assert.equal(copied(), null);
  add(span("s1", "1", [1, 2], [0]));
  store.pick("s1");
  assert.equal(copied(), "card is\nDie");
  store.select({ fixed: { a: [4], b: [] }, active: null });
  assert.equal(copied(), "It");
  assert.equal(copied(at("pair-comment")), null, "what is selected in a field is the browser's");
});

test("what the browser has selected is copied as it is in the texts, cut within words, with their own line breaks", () => {
  const { view, word, copied } = copying({
    a: "The 🙂 card.\n\nIt arrives.",
    beads: [
      [[0], [0]],
      [[1], [1]],
    ],
  });
  range(word("a", 0), 1, word("a", 2), 2);
  assert.equal(copied(), "he 🙂 ca");
  range(word("a", 2), 0, word("a", 4), 3);
  assert.equal(copied(), "card.\n\nIt arr");
  range(word("a", 3), 0, word("b", 0), 2);
  assert.ok(copied().startsWith("It arrives.\n") && copied().endsWith("Di"));
  range(word("a", 1), 1, word("a", 1), 1);
  assert.equal(browserSelectedText(view), "");
});

test("a selection that reaches beyond the texts is left to the browser", () => {
  const { view, word, copied } = copying();
  const title = at("guidelines-title");
  title.textContent = "Guidelines";
  range(word("a", 1), 0, title, 4);
  assert.deepEqual([browserSelectedText(view), copied()], ["", null]);
  getSelection().removeAllRanges();
  assert.equal(browserSelectedText(view), "");
});
