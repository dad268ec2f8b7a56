/** The browser's own selection in the texts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, send } from "../page.js";
import { built } from "../built.js";
import { NEW } from "../helpers.js";
import { browserWords, selectWords } from "../../../static/js/workspace/input/browser-selection.js";
import { Pointer } from "../../../static/js/workspace/input/pointer.js";

/** Select from a character of a word to one of another. */
function range(from, start, to, end) {
  const made = document.createRange();
  made.setStart(from.firstChild, start);
  made.setEnd(to.firstChild, end);
  getSelection().removeAllRanges();
  getSelection().addRange(made);
}

test("words of which a character is selected count; elsewhere on the page the selection is none of the texts", () => {
  const { view, word } = built();
  getSelection().removeAllRanges();
  assert.equal(browserWords(view), null);
  range(word("a", 1), 2, word("a", 2), 1);
  assert.deepEqual(browserWords(view), { a: [1, 2], b: [] });
  range(word("a", 1), 0, word("a", 2), 0);
  assert.deepEqual(browserWords(view), { a: [1], b: [] });
  range(word("a", 1), 1, word("a", 1), 1);
  assert.deepEqual(browserWords(view), { a: [], b: [] });
  const title = at("messages-title");
  title.textContent = "Messages";
  range(title, 0, title, 3);
  assert.equal(browserWords(view), null);
});

test("words are selected whole, in either direction", () => {
  const { view, word } = built();
  selectWords(word("b", 1), word("b", 3), false);
  assert.deepEqual(browserWords(view), { a: [], b: [1, 2, 3] });
  selectWords(word("b", 3), word("b", 1), true);
  assert.deepEqual([browserWords(view).b, getSelection().focusNode.textContent], [[1, 2, 3], "Karte"]);
});

test("a drag over a text that is only read is left to the browser, one over the other marks words", () => {
  const { store, view, cursor, actions, word, point } = built({ scheme: NEW });
  const pointer = new Pointer(store, view, cursor, actions, undefined);
  const down = (side) => send(word(side, 0), "mousedown", { ...point(side, 0), detail: 1 }).defaultPrevented;
  assert.deepEqual(
    [down("a"), down("b"), view.columns.a.className, view.columns.b.className],
    [false, true, "col a readable", "col b"],
  );
  pointer.up();
});
