/** The words of a paragraph as elements, created when they are needed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { rest } from "../page.js";
import { built } from "../built.js";
import { View } from "../../../static/js/workspace/view/render.js";
import { Words } from "../../../static/js/workspace/view/words.js";

/** A text of one paragraph whose words have not been created. */
function unrendered(text, tokens) {
  const { store } = built({ a: text, b: "x", beads: [[[0], [0]]] });
  if (tokens) Object.assign(store.grids.a, { tokens, count: tokens.length, paragraphTokens: [[0, tokens.length]] });
  const words = new Words(store);
  const paragraph = document.createElement("p");
  words.paragraphs.a[0] = paragraph;
  words.unrendered.set(paragraph, () => words.fillParagraph("a", 0, paragraph));
  return { words, paragraph };
}
const parts = (element) => [...element.childNodes].map((node) => [node.nodeName, node.textContent]);

test("words are created on demand, keeping the text between them", () => {
  const { view, store } = built();
  assert.ok(view instanceof Words);
  const long = new View(store, document.createElement("div"));
  const paragraph = long.paragraphs.a[1];
  long.unrendered.set(paragraph, () => long.fillParagraph("a", 1, paragraph));
  long.words.a.length = 4;
  const heard = [];
  long.onRendered((...made) => heard.push(made));
  assert.equal(long.word("a", 5).textContent, "arrives");
  assert.deepEqual(heard, [["a", 4, 9]]);
  assert.equal(paragraph.textContent, "It arrives within two weeks.");
  assert.ok(!long.renderWords(paragraph), "once");
  assert.deepEqual(long.positionOf(long.word("a", 5)), { side: "a", index: 5 });
  assert.equal(long.positionOf(paragraph), null);
  assert.equal(view.gap("a", 0).outerHTML, '<span class="gap"> </span>');
  assert.equal(view.gap("a", 0), view.gap("a", 0));
  assert.equal(view.gap("a", 3), null, "there is none after the last word of a paragraph");
  assert.equal(view.word("a", 99), undefined);
  long.unrendered.set(paragraph, () => heard.push("rest"));
  long.renderRemaining();
  assert.equal(heard[1], "rest");
});

test("a word is an option of its paragraph, cut at whole characters; everything between words stays text", () => {
  const { words, paragraph } = unrendered("  🙂 (𝒶𝒷),  x… ", [
    [2, 3],
    [5, 7],
    [11, 12],
  ]);
  const word = words.word("a", 1);
  assert.deepEqual([word.className, word.getAttribute("role"), word.textContent], ["token", "option", "𝒶𝒷"]);
  assert.deepEqual(parts(paragraph), [
    ["#text", "  "],
    ["SPAN", "🙂"],
    ["#text", " ("],
    ["SPAN", "𝒶𝒷"],
    ["#text", "),  "],
    ["SPAN", "x"],
    ["#text", "… "],
  ]);
  assert.equal(paragraph.textContent, "  🙂 (𝒶𝒷),  x… ");
  assert.equal(words.gap("a", 1).textContent, "),  ");
  assert.equal(paragraph.textContent, "  🙂 (𝒶𝒷),  x… ", "a space that becomes an element stays where it is");
  assert.equal(words.gap("a", 2), null, "what follows the last word is no space between two");
});

test("words that touch have no space between them", () => {
  const { words, paragraph } = unrendered("dogs.", [
    [0, 4],
    [4, 5],
  ]);
  assert.equal(words.gap("a", 0), null);
  assert.deepEqual(parts(paragraph), [
    ["SPAN", "dogs"],
    ["SPAN", "."],
  ]);
});

test("a position is that of the word that an element is or lies in", () => {
  const { words } = unrendered("one two");
  const word = words.word("a", 1);
  const inner = document.createElement("b");
  word.append(inner);
  assert.deepEqual(
    [word, inner].map((one) => words.positionOf(one)),
    [
      { side: "a", index: 1 },
      { side: "a", index: 1 },
    ],
  );
  const stranger = document.createElement("span");
  stranger.className = "token";
  assert.deepEqual(
    [stranger, word.firstChild, document, null].map((one) => words.positionOf(one)),
    [null, null, null, null],
  );
});

test("there is no word before the first and after the last", () => {
  const { words } = unrendered("one two");
  assert.deepEqual(
    [-1, 2].map((index) => words.word("a", index)),
    [undefined, undefined],
  );
  assert.ok(words.unrendered.size, "nor is any created in search of one");
  assert.equal(words.gap("a", 5), null);
});

test("the rest is created a few at a time, with pauses for the user, in the order of the rows", async () => {
  const { words } = unrendered("one two");
  words.unrendered.clear();
  const made = [];
  const { now } = performance;
  let time = 0;
  performance.now = () => time;
  for (const name of ["p", "q", "r"])
    words.unrendered.set(document.createElement("p"), () => (made.push(name), (time += 9)));
  words.renderRemaining();
  assert.deepEqual(made, ["p"], "the first took too long to go on");
  for (let turn = 0; turn < 20 && words.unrendered.size; turn += 1) await rest(0);
  performance.now = now;
  assert.deepEqual([made, words.unrendered.size], [["p", "q", "r"], 0]);
});
