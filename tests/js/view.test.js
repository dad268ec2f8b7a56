import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, frame, media, press, queries, resized, send } from "./page.js";
import { built, HIGHLIGHTS } from "./built.js";
import { NEW } from "./helpers.js";
import { Connectors } from "../../static/js/workspace/view/connectors.js";
import { endAt, sideAt, wordAt } from "../../static/js/workspace/input/hit-testing.js";
import { Layout } from "../../static/js/workspace/view/layout.js";
import { Painter } from "../../static/js/workspace/view/paint.js";
import { WEIGHTS } from "../../static/js/workspace/model/placement.js";
import { View } from "../../static/js/workspace/view/render.js";
import { EdgeScroll, LinkedScrolling, scrollIntoView } from "../../static/js/workspace/view/scrolling.js";
import { obstacles } from "../../static/js/workspace/view/obstacles.js";
import { Words } from "../../static/js/workspace/view/words.js";

const texts = (elements) => [...elements].map((one) => one.textContent);

test("both texts are on the page, aligned by paragraph, each with its language and one tick per row", () => {
  const { view, store } = built({ beads: [[[0], [0]], [[1], []], [[], [1]]] });
  assert.ok(view instanceof View && view instanceof Words);
  assert.deepEqual(texts(view.columns.a.querySelectorAll(".para")), ["The card is free.", "It arrives within two weeks."]);
  assert.deepEqual([view.columns.a.lang, view.columns.b.lang, view.columns.b.dir], ["en", "de", "ltr"]);
  assert.deepEqual([...view.sheet.querySelectorAll(".cell")].map((cell) => [cell.className, cell.dataset.row, cell.style.gridRow, Boolean(cell.querySelector(".tick"))]), [
    ["cell", "0", "2", true], ["cell alone", "1", "3", true], ["cell", "0", "2", false], ["cell alone", "2", "4", true],
  ]);
  assert.deepEqual([...view.ticks.keys()], [0, 1, 2]);
  assert.equal(view.columns.a.querySelector(".readonly"), null);
  assert.equal(view.columns.a.querySelector(".para").getAttribute("role"), "listbox");
  assert.equal(view.lines("a", [0, 1]).toFixed(1), "2.8");
  assert.equal(store.rows.length, 3);
});

test("a side that nothing can be marked on says so, a short first line without a full stop is a title", () => {
  const { view } = built({ scheme: NEW, a: "Opening hours\nThe card is free." });
  assert.equal(view.columns.a.querySelector(".readonly").textContent, "read only");
  assert.equal(view.columns.b.querySelector(".readonly"), null);
  assert.deepEqual([...view.columns.a.querySelectorAll(".para")].map((one) => one.classList.contains("title")), [true, false]);
});

test("a side scrolls by itself only if the two scroll separately", () => {
  const { view } = built();
  assert.equal(view.scroller("b"), at("texts"));
  view.sheet.classList.add("apart");
  assert.equal(view.scroller("b"), view.columns.b);
});

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

test("a point is the word below it, else the nearest of the paragraph, lines before columns", () => {
  const { view } = built({ a: "one two three four five six seven.\nIt arrives." });
  assert.deepEqual(wordAt(view, 70, 35), { side: "a", index: 1 });
  assert.deepEqual(wordAt(view, 55, 35), { side: "a", index: 0 }, "between two words");
  assert.deepEqual(wordAt(view, 200, 55), { side: "a", index: 6 }, "right of the end of a line");
  assert.equal(wordAt(view, 450, 350), null);
  assert.deepEqual(wordAt(view, 10, 35, "b"), { side: "b", index: 0 }, "only of that side");
  assert.deepEqual(wordAt(view, 10, 135, "b"), { side: "b", index: 4 });
});

test("a dragged end includes a word when its middle is passed", () => {
  const { view } = built();
  assert.equal(endAt(view, 60 + 26, 35, "a", "end"), 1);
  assert.equal(endAt(view, 60 + 10, 35, "a", "end"), 0);
  assert.equal(endAt(view, 60 + 24, 35, "a", "start"), 1);
  assert.equal(endAt(view, 60 + 40, 35, "a", "start"), 2);
  assert.equal(endAt(view, 5, 35, "a", "end"), 0, "there is none before it");
  assert.equal(endAt(view, 5, 135, "a", "end"), 4, "the word before stands on another line");
});

test("a point belongs to the column it is nearer to", () => {
  const { view } = built();
  assert.deepEqual([10, 350, 450, 700].map((x) => sideAt(view, x, 50)), ["a", "a", "b", "b"]);
  view.sheet.classList.add("apart");
  boxes.set(view.columns.a, [0, 0, 300, 100]);
  boxes.set(view.columns.b, [0, 200, 300, 100]);
  assert.deepEqual([90, 140, 160, 250].map((y) => sideAt(view, 10, y)), ["a", "a", "b", "b"]);
  boxes.clear();
});

test("the connectors join both ends of the picked or hovered span, once per frame", () => {
  const { store, view, add, span, actions } = built();
  const connectors = new Connectors(store, view, at("connectors"));
  view.columns.a.children[0].style.paddingRight = "0px";
  add(span("s1", "2", [0, 1], [0]), span("s2", "2", [4], []), span("s3", "1", [5], [4, 6]));
  actions.pick("s1");
  assert.equal(connectors.path.getAttribute("d"), null, "not before the frame");
  frame();
  const drawn = connectors.path.getAttribute("d");
  assert.equal(drawn, "M306 33V47M494 33V47M306 40C400 40 400 40 494 40");
  actions.pick("s2");
  frame();
  assert.equal(connectors.path.getAttribute("d"), "", "one side alone is no link");
  store.hover("s1");
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn, "what is pointed at is joined beside what is picked");
  actions.clear();
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn);
  store.hover(null);
  store.select({ fixed: { a: [0, 4], b: [0] }, active: null });
  frame();
  assert.equal(connectors.path.getAttribute("d"), "M306 33V47M306 133V147M494 33V47M306 40C400 40 400 40 494 40M306 140C400 140 400 40 494 40");
});

test("an element is scrolled into view with a margin, no further than needed", () => {
  const { view, word } = built();
  const scroller = at("texts");
  const from = (top) => {
    scroller.scrollTop = 0;
    boxes.set(word("a", 0), [0, top, 50, 20]);
    scrollIntoView(word("a", 0), scroller);
    return scroller.scrollTop;
  };
  assert.deepEqual([200, 96, 50, 300, 900, -600].map(from), [0, 0, -46, 16, 900 - 400 / 3, -600 - 400 / 3]);
  boxes.clear();
  assert.equal(view.scroller("a"), scroller);
});

test("a drag at the edge scrolls the text, once per frame, as long as it moves", () => {
  const edge = new EdgeScroll();
  const scroller = document.createElement("div");
  boxes.set(scroller, [0, 100, 300, 200]);
  const again = [];
  for (const [y, top] of [[200, 0], [296, 12], [104, 0], [109, 0]]) {
    edge.at(scroller, y, () => again.push(y));
    edge.at(scroller, y, () => again.push("twice"));
    frame();
    assert.equal(scroller.scrollTop, top, String(y));
  }
  assert.deepEqual(again, [296, 104]);
  boxes.clear();
});

test("if the columns scroll separately, the other one follows row by row", () => {
  const { view } = built();
  const linkedScrolling = new LinkedScrolling(view);
  const { a, b } = view.columns;
  assert.deepEqual(linkedScrolling.tops("a"), [30, 130, 230]);
  a.scrollTop = 60;
  send(a, "scroll");
  frame();
  assert.equal(b.scrollTop, 0, "one sheet");
  view.sheet.classList.add("apart");
  send(a, "wheel");
  send(b, "scroll");
  frame();
  assert.equal(a.scrollTop, 60, "what follows does not lead");
  send(a, "scroll");
  frame();
  assert.ok(Math.abs(b.scrollTop - 60) < 1, String(b.scrollTop));
  linkedScrolling.on = false;
  a.scrollTop = 0;
  send(a, "scroll");
  frame();
  assert.ok(b.scrollTop > 50);
});

test("the label bar does not cover the selection, the next words, the counterpart and the aligned text", () => {
  const { store, view } = built({ highlights: HIGHLIGHTS });
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 0 } });
  const found = obstacles(store, view, "a");
  const of = (weight) => found.filter((one) => one.weight === weight).map(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]);
  assert.deepEqual(of(WEIGHTS.selected), [[0, 30, 50, 50]]);
  assert.deepEqual(of(WEIGHTS.next), [[60, 30, 230, 50], [0, 130, 290, 150]]);
  assert.deepEqual(of(WEIGHTS.counterpart), [[500, 30, 550, 50]]);
  assert.deepEqual(of(WEIGHTS.opposite), [[500, 30, 800, 50]]);
  store.showSuggestions = false;
  assert.equal(obstacles(store, view, "a").filter((one) => one.weight === WEIGHTS.counterpart).length, 0);
  media.add("(pointer: coarse)");
  const knobs = obstacles(store, view, "a").filter((one) => one.weight === WEIGHTS.counterpart).map(({ box }) => [box.left, box.top, box.right, box.bottom]);
  assert.deepEqual(knobs, [[-18, -6, 18, 30], [32, 50, 68, 86]]);
  media.clear();
});

test("the two texts are in rows, or separate if the window is narrow or the user prefers it", () => {
  const { view, preferences, store, cursor } = built();
  let moved = 0;
  const layout = new Layout(view, preferences, () => (moved += 1));
  layout.apply();
  assert.ok(!view.sheet.classList.contains("apart") && layout.linkedScrolling.on);
  preferences.toggle("together");
  assert.ok(view.sheet.classList.contains("apart") && !layout.linkedScrolling.on && moved === 0, "others have still to hear of it");
  frame();
  assert.equal(moved, 1);
  preferences.toggle("together");
  media.add("(max-width: 640px)");
  frame();
  moved = 0;
  send(queries["(max-width: 640px)"], "change");
  assert.equal(moved, 1);
  assert.ok(view.sheet.classList.contains("apart"));
  media.clear();
  layout.apply();
  layout.showBothEnds({ a: [0], b: [0] });
  assert.ok(!layout.separatedForLink, "both are in view");
  boxes.set(view.word("b", 8), [500, 900, 50, 20]);
  layout.showBothEnds({ a: [0], b: [8] });
  assert.ok(layout.separatedForLink && view.sheet.classList.contains("apart") && !layout.linkedScrolling.on);
  assert.ok(view.columns.b.scrollTop > 0);
  cursor.place("a", 0);
  store.pick("x");
  store.pick(null);
  assert.ok(!layout.separatedForLink && !view.sheet.classList.contains("apart") && layout.linkedScrolling.on);
  boxes.clear();
});

test("what lies over the texts is repositioned whenever words move", () => {
  const { view, preferences } = built();
  let moved = 0;
  assert.ok(new Layout(view, preferences, () => (moved += 1)));
  for (const element of [at("texts"), view.sheet, view.columns.a, view.columns.b]) resized(element);
  assert.equal(moved, 4);
  document.fonts.dispatchEvent(new Event("loadingdone"));
  dispatchEvent(new Event("resize"));
  assert.equal(moved, 6);
  preferences.set("size", 24);
  frame();
  assert.equal(moved, 7);
});

test("the bar between the texts is dragged, or moved by the arrows, within limits", () => {
  const { view, preferences } = built();
  const layout = new Layout(view, preferences, () => {});
  const bar = at("divider");
  boxes.set(bar, [0, 200, 900, 4]);
  send(bar, "pointermove", { pointerId: 5, clientY: 10 });
  assert.equal(layout.share, 50, "not held");
  send(bar, "pointerdown", { pointerId: 5, clientY: 202 });
  send(bar, "pointermove", { pointerId: 5, clientY: 122 });
  assert.equal(layout.share, 30);
  assert.equal(document.documentElement.style.getPropertyValue("--split"), "30%");
  send(bar, "pointermove", { pointerId: 5, clientY: 0 });
  assert.equal(layout.share, 15);
  send(bar, "pointerup", { pointerId: 5 });
  assert.equal(preferences.values.split, 15);
  assert.equal(bar.getAttribute("aria-valuenow"), "15");
  assert.ok(press(bar, "ArrowDown").defaultPrevented && preferences.values.split === 20);
  press(bar, "ArrowUp");
  press(bar, "ArrowUp");
  assert.equal(preferences.values.split, 15);
  assert.ok(!press(bar, "x").defaultPrevented);
  boxes.clear();
});
