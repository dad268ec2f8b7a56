/** The words of a paragraph as elements, created when they are needed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built } from "../built.js";
import { View } from "../../../static/js/workspace/view/render.js";

test("words are created on demand, keeping the text between them", () => {
  const { view, store } = built();
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
