/** The look of words: marked, selected, suggested. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built, HIGHLIGHTS } from "../built.js";
import { Painter } from "../../../static/js/workspace/view/paint.js";

test("a word shows its span, whether it is selected, and how sure a model is that it has no counterpart", () => {
  const { store, view, painter, add, span, word } = built({ highlights: HIGHLIGHTS });
  assert.deepEqual([0, 1, 2].map((n) => word("a", n).className), ["token", "token h2", "token h2"]);
  assert.equal(word("a", 1).getAttribute("aria-label"), "card, suggested");
  assert.equal(view.gap("a", 1).className, "gap h2");
  add(span("s1", "2", [1, 2], [1]));
  assert.equal(word("a", 1).className, "token marked c-g2 has-sign");
  assert.equal(word("a", 1).dataset.n, "2");
  assert.equal(word("a", 2).className, "token marked c-g2");
  assert.equal(view.gap("a", 1).className, "gap marked c-g2");
  assert.equal(word("a", 1).getAttribute("aria-label"), "card, L2");
  store.pick("s1");
  assert.deepEqual([1, 2].map((n) => word("a", n).className), ["token marked c-g2 active span-start has-sign", "token marked c-g2 active span-end"]);
  assert.equal(view.gap("a", 1).className, "gap marked c-g2 active");
  store.select({ fixed: { a: [0, 1], b: [] }, active: null });
  assert.ok(word("a", 0).classList.contains("selected") && word("a", 0).getAttribute("aria-selected") === "true");
  assert.ok(view.gap("a", 0).classList.contains("selected"));
  store.select({ fixed: { a: [], b: [] }, active: null });
  assert.equal(word("a", 0).hasAttribute("aria-selected"), false);
  add(span("s2", "5", [1], []));
  const plain = { style: {} }; // happy-dom keeps no images of variables
  painter.marks([], plain, ["s1", "s2"]);
  assert.deepEqual(plain.style, { backgroundImage: "var(--g5-draw),var(--g2-draw)", backgroundPosition: "0 calc(100% - 3px),0 calc(100% - 0px)", paddingBottom: "6px" });
  painter.marks([], plain, ["s1"]);
  assert.deepEqual(Object.values(plain.style), ["", "", ""]);
  assert.equal(word("a", 1).style.paddingBottom, "6px");
  store.commit([{ kind: "span", id: "s2", before: store.span("s2"), after: null }]);
  store.commit([{ kind: "span", id: "s1", before: store.span("s1"), after: null }]);
  assert.equal(word("a", 1).className, "token h2");
  assert.equal(word("a", 1).dataset.n, undefined);
});

test("flashed words are highlighted, hidden or dismissed ones are not, the current suggestion most", () => {
  const { store, painter, word } = built({ highlights: HIGHLIGHTS });
  assert.ok(painter instanceof Painter);
  store.highlight({ a: [0], b: [] });
  assert.equal(word("a", 0).className, "token counterpart");
  store.suggest(store.suggestions[0].key);
  assert.equal(word("a", 1).className, "token h4");
  store.suggest(null);
  store.commit([{ kind: "dismissed", id: store.suggestions[0].key, before: false, after: true }]);
  assert.equal(word("a", 1).className, "token");
  store.showSuggestions = false;
  painter.all();
  assert.equal(word("a", 7).className, "token");
});
