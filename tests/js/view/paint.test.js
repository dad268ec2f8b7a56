/** The look of words: marked, selected, suggested. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built, HIGHLIGHTS } from "../built.js";
import { Painter } from "../../../static/js/workspace/view/paint.js";

test("a word shows its span, whether it is selected, and how sure a model is that it has no counterpart", () => {
  const { store, view, painter, add, span, word } = built({ highlights: HIGHLIGHTS });
  assert.deepEqual(
    [0, 1, 2].map((n) => word("a", n).className),
    ["token", "token h2", "token h2"],
  );
  assert.equal(word("a", 1).getAttribute("aria-label"), "card, suggested");
  assert.equal(view.gap("a", 1).className, "gap h2");
  add(span("s1", "2", [1, 2], [1]));
  assert.equal(word("a", 1).className, "token marked c-g2 has-sign");
  assert.equal(word("a", 1).dataset.n, "2");
  assert.equal(word("a", 2).className, "token marked c-g2");
  assert.equal(view.gap("a", 1).className, "gap marked c-g2");
  assert.equal(word("a", 1).getAttribute("aria-label"), "card, L2");
  store.pick("s1");
  assert.deepEqual(
    [1, 2].map((n) => word("a", n).className),
    ["token marked c-g2 active span-start has-sign", "token marked c-g2 active span-end"],
  );
  assert.equal(view.gap("a", 1).className, "gap marked c-g2 active");
  store.select({ fixed: { a: [0, 1], b: [] }, active: null });
  assert.ok(word("a", 0).classList.contains("selected") && word("a", 0).getAttribute("aria-selected") === "true");
  assert.ok(view.gap("a", 0).classList.contains("selected"));
  store.select({ fixed: { a: [], b: [] }, active: null });
  assert.equal(word("a", 0).hasAttribute("aria-selected"), false);
  add(span("s2", "5", [1], []));
  const plain = { style: {} }; // happy-dom keeps no images of variables
  painter.marks([], plain, ["s1", "s2"]);
  assert.deepEqual(plain.style, {
    backgroundImage: "var(--g5-draw),var(--g2-draw)",
    backgroundPosition: "0 calc(100% - 3px),0 calc(100% - 0px)",
    paddingBottom: "6px",
  });
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

test("whether anything is highlighted now does not depend on what is marked, dismissed or hidden", () => {
  const { store, painter, add, span } = built({ highlights: HIGHLIGHTS });
  assert.ok(painter.highlighted());
  add(span("s1", "1", [1, 2, 7], []));
  assert.ok(painter.highlighted(), "B has one too");
  store.commit([{ kind: "dismissed", id: "p2", before: false, after: true }]);
  assert.ok(!painter.highlighted());
  store.undo();
  store.showSuggestions = false;
  assert.ok(!painter.highlighted());
  assert.ok(!built().painter.highlighted());
});

test("the first and the last word of a text are painted like all others, and words made later when they are made", () => {
  const rows = Array.from({ length: 60 }, (_, n) => n);
  const made = built({
    a: rows.map((n) => `w${n}`).join("\n"),
    b: rows.map(String).join("\n"),
    beads: rows.map((n) => [[n], [n]]),
  });
  const { add, span, store, view } = made;
  add(span("s1", "2", [0], []), span("s2", "3", [59], [59]));
  assert.equal(view.words.a[59], undefined, "nothing is made to be painted");
  assert.ok(view.word("a", 59).classList.contains("c-g3") && view.word("b", 59).classList.contains("c-g3"));
  view.word("a", 0).className = view.word("b", 0).className = "token";
  made.painter.all();
  assert.deepEqual([view.word("a", 0).className, view.word("b", 0).className], ["token marked c-g2 has-sign", "token"]);
  assert.equal(store.cover.at("a", -1).length, 0);
});

test("a span that is pointed at is active unless another one on the word is picked", () => {
  const { store, word, add, span, view } = built();
  add(span("s1", "2", [0, 1, 2], []), span("s2", "3", [1], []));
  const ends = (n) =>
    ["active", "span-start", "span-end"].filter((name) => word("a", n).classList.contains(name)).join(" ");
  store.hover("s1");
  assert.deepEqual([0, 1, 2].map(ends), ["active span-start", "active", "active span-end"]);
  assert.ok(view.gap("a", 0).classList.contains("active"));
  store.pick("s2");
  assert.deepEqual([0, 1, 2].map(ends), ["active span-start", "active span-start span-end", "active span-end"]);
  store.hover(null);
  assert.deepEqual([0, 1, 2].map(ends), ["", "active span-start span-end", ""]);
  assert.ok(!view.gap("a", 0).classList.contains("active"));
});

test("a space is suggested as the weaker of its words, but not beside a marked one", () => {
  const [first, second] = HIGHLIGHTS.proposals;
  const { view, add, span } = built({
    highlights: {
      ...HIGHLIGHTS,
      proposals: [
        { ...first, level: 3 },
        { ...second, fragments: [{ side: "a", start: 12, end: 17 }], level: 1 },
      ],
    },
  });
  assert.deepEqual(
    [0, 1, 2].map((n) => view.gap("a", n).className),
    ["gap", "gap h3", "gap h1"],
  );
  add(span("s1", "1", [3], []));
  assert.deepEqual(
    [1, 2].map((n) => view.gap("a", n).className),
    ["gap h3", "gap"],
  );
});

test("words of which a message is about are shown so; a label that the scheme lacks has a colour of its own, and is named by its key", () => {
  const { store, word, add, span } = built();
  store.quote({ a: [3], b: [] });
  assert.ok(word("a", 3).classList.contains("quoted"));
  add(span("s1", "gone", [0], []));
  assert.equal(word("a", 0).className, "token marked c-p8 has-sign");
  assert.equal(word("a", 0).getAttribute("aria-label"), "The, gone");
});
