/** What commands do to spans: labels, comments, splitting, suggestions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built, chosen, HIGHLIGHTS, spans } from "../built.js";
import { GRADED, NEW } from "../helpers.js";
import { Actions } from "../../../static/js/workspace/input/actions.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { currentSituation, effectOf } from "../../../static/js/workspace/model/effects.js";
import { hintsFor } from "../../../static/js/workspace/model/hints.js";

test("a suggestion that is labelled unchanged is accepted, a changed one is edited", () => {
  const { store, actions } = built({ highlights: HIGHLIGHTS });
  const [one] = store.suggestions;
  store.suggest(one.key);
  assert.equal(actions.origin(one.tokens), "accepted");
  assert.equal(actions.origin({ a: [...one.tokens.a, 8], b: [] }), "edited");
  assert.equal(actions.origin({ a: [8], b: [] }), "manual");
  store.suggest(null);
  assert.equal(actions.origin(one.tokens), "manual");
});

const TEXTS = { focus: /** @type {const} */ ("texts"), letters: true };
/** The hints in the footer, by control and effect. */
const hints = (store, device) =>
  hintsFor(currentSituation(store), device, TEXTS).map(({ control, effect }) => `${control}.${effect}`);
const labels = (store) => effectOf("label", currentSituation(store));

test("a digit right after marking changes the label, until the cursor moves or the selection is cleared", () => {
  const { store, actions, cursor } = built();
  cursor.place("a", 1);
  cursor.word(1, true);
  cursor.word(1, true);
  actions.label("3", true);
  assert.equal(store.picked, null, "a drag would not link words to it");
  assert.equal(hints(store, "mouse")[0], "label.relabel.words");
  actions.label("4", true);
  assert.deepEqual(spans(store), [["4", "manual", [1, 2, 3], []]]);
  cursor.place("a", 2);
  assert.equal(labels(store), "mark.word");
  cursor.place("a", 5);
  actions.paragraph();
  actions.label("2", true);
  assert.deepEqual(
    spans(store).map(([label]) => label),
    ["4", "2"],
  );
  actions.clear();
  assert.equal(labels(store), "mark.word");
  actions.history("undo");
  assert.equal(labels(store), "mark.word");
});

test("a digit after an accepted suggestion changes its label; a click on a label leaves it unpicked", () => {
  const { store, actions, cursor, painter, say } = built({ highlights: HIGHLIGHTS });
  const suggesting = new SuggestionActions(store, cursor, actions, painter, say);
  suggesting.show("p1");
  actions.label("3", true);
  assert.equal(labels(store), "relabel");
  actions.label("4", true);
  suggesting.show("p2");
  actions.label("1");
  assert.equal(store.picked, null);
  actions.label("5", true);
  assert.deepEqual(
    spans(store).map(([label, origin]) => [label, origin]),
    [
      ["4", "accepted"],
      ["5", "accepted"],
    ],
  );
});

test("Enter is named first, with keyboard and mouse, where a label is predicted, and only there", () => {
  const [first, ...others] = HIGHLIGHTS.proposals;
  const { store, actions, cursor, painter, say } = built({
    highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }, ...others] },
  });
  const suggesting = new SuggestionActions(store, cursor, actions, painter, say);
  for (const device of ["keyboard", "mouse"]) {
    suggesting.show("p1");
    assert.equal(hints(store, device)[0], "accept.accept.predicted");
    suggesting.show("p2");
    assert.ok(!hints(store, device).includes("accept.accept.predicted"));
  }
});

test("a label marks what is selected, clears the selection, and says what it marked", () => {
  const { store, actions, cursor, said } = built();
  assert.ok(actions instanceof Actions);
  cursor.place("a", 1);
  actions.extendTo(2);
  assert.equal(actions.mark("3"), [...store.doc.spans.keys()][0]);
  assert.deepEqual([spans(store), chosen(store), store.picked], [[["3", "manual", [1, 2], []]], [[], []], null]);
  assert.ok(said.at(-1).includes("L3") && said.at(-1).includes("card is"));
  assert.equal(store.lastMarked, [...store.doc.spans.keys()][0], "the next label is about it");
});

test("the label of a picked span is changed; given again, nothing is done or said", () => {
  const { store, actions, add, span, said } = built();
  add(span("s1", "2", [1], []), span("s2", "2", [5], []));
  actions.pick("s1");
  actions.label("4", true);
  assert.deepEqual(
    [spans(store), store.picked],
    [
      [
        ["4", "manual", [1], []],
        ["2", "manual", [5], []],
      ],
      "s1",
    ],
  );
  assert.ok(said.at(-1).includes("L4") && said.at(-1).includes("card"));
  const { length } = said;
  actions.label("4", true);
  assert.deepEqual([said.length, store.history.patches.length], [length, 2]);
});

test("an accepted suggestion is picked with all of its words only if the next key is to be about it", () => {
  for (const pick of [true, false]) {
    const { store, actions, cursor, painter, say } = built({ highlights: HIGHLIGHTS });
    new SuggestionActions(store, cursor, actions, painter, say).show("p1");
    actions.label("3", pick);
    const [id] = store.doc.spans.keys();
    assert.deepEqual([store.picked, chosen(store)], pick ? [id, [[1, 2], []]] : [null, [[], []]]);
    assert.equal(store.span(id).origin, "accepted");
  }
});

test("the label that a model predicted is kept with what was made of its suggestion, and only with that", () => {
  const [first] = HIGHLIGHTS.proposals;
  const { store, actions, cursor, painter, say } = built({
    highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }] },
  });
  const suggesting = new SuggestionActions(store, cursor, actions, painter, say);
  suggesting.show("p1");
  store.select({ fixed: { a: [8], b: [] }, active: null });
  actions.label("5");
  const predicted = () => [...store.doc.spans.values()].map((one) => [one.origin, one.predicted]);
  assert.deepEqual(predicted(), [["manual", undefined]], "other words are not the suggestion");
  suggesting.show("p1");
  actions.extendTo(3);
  actions.label("5");
  assert.deepEqual(predicted(), [
    ["manual", undefined],
    ["edited", "3"],
  ]);
  actions.accept();
  assert.equal(store.doc.spans.size, 2, "there is no suggestion to accept");
  actions.history("undo");
  suggesting.show("p1");
  actions.accept();
  assert.deepEqual(predicted(), [
    ["manual", undefined],
    ["accepted", "3"],
  ]);
  assert.deepEqual([store.picked, chosen(store)], [[...store.doc.spans.keys()][1], [[1, 2], []]]);
});

test("where labels exclude each other, what another span loses is announced before what is marked", () => {
  const { store, actions, cursor, add, span, said } = built({ scheme: { ...GRADED, overlap: false } });
  add(span("s1", "2", [0, 1, 2], []));
  cursor.place("a", 2);
  actions.extendTo(3);
  actions.label("4");
  assert.deepEqual(spans(store), [
    ["2", "manual", [0, 1], []],
    ["4", "manual", [2, 3], []],
  ]);
  assert.ok(said.at(-1).includes("is free."));
  assert.equal(store.lastMarked, [...store.doc.spans.keys()][1], "the new one, not the one that lost a word");
});

test("the topmost span at the cursor is removed, or the picked one; there may be none", () => {
  const { store, actions, cursor, add, span, said } = built();
  add(span("wide", "2", [0, 1, 2], []), span("narrow", "3", [1], []), span("other", "1", [], [0]));
  cursor.place("a", 1);
  assert.equal(actions.targetSpan(), "narrow");
  actions.remove();
  assert.deepEqual([...store.doc.spans.keys()], ["wide", "other"]);
  actions.pick("other");
  actions.remove();
  assert.deepEqual([[...store.doc.spans.keys()], store.picked, chosen(store)], [["wide"], null, [[], []]]);
  cursor.place("b", 3);
  const { length } = said;
  actions.remove();
  assert.deepEqual(
    [store.doc.spans.size, said.length, actions.targetSpan()],
    [1, length + 1, ""],
    "it says why nothing was removed",
  );
});

test("a comment is saved without the spaces around it, for the picked span alone, and typed in one go is one step", () => {
  const { store, actions, add, span } = built();
  add(span("s1", "2", [0], []));
  actions.comment("lost");
  assert.equal(store.span("s1").comment, "");
  actions.pick("s1");
  for (const words of [" w", " wh", " why "]) actions.comment(words);
  assert.deepEqual([store.span("s1").comment, store.history.patches.length], ["why", 2]);
});

test("a span is split before the word of the cursor, and at its first word into its two sides", () => {
  const { store, actions, cursor, add, span, said } = built();
  add(span("s1", "2", [0, 1, 2], [1, 2]));
  actions.pick("s1");
  cursor.place("a", 1);
  actions.split();
  assert.deepEqual(spans(store), [
    ["2", "manual", [0], [1, 2]],
    ["2", "manual", [1, 2], []],
  ]);
  assert.deepEqual([store.picked, chosen(store)], [null, [[], []]]);
  cursor.place("b", 1);
  actions.split();
  assert.deepEqual(
    spans(store).map(([, , a, b]) => [a, b]),
    [
      [[0], []],
      [[1, 2], []],
      [[], [1, 2]],
    ],
  );
  const { length } = said;
  cursor.place("a", 0);
  actions.split();
  assert.deepEqual([store.doc.spans.size, said.length], [3, length + 1], "a single word is not split, and it says so");
});

test("a whole paragraph is marked with the strongest label, on the side of the cursor", () => {
  for (const [side, index, tokens] of /** @type {const} */ ([
    ["a", 2, [0, 1, 2, 3]],
    ["b", 5, [4, 5, 6, 7, 8]],
  ])) {
    const { store, actions, cursor, said } = built();
    actions.extendTo(1);
    cursor.place(side, index);
    actions.paragraph();
    assert.deepEqual(spans(store), [["5", "manual", side === "a" ? tokens : [], side === "b" ? tokens : []]]);
    assert.deepEqual([store.lastMarked, chosen(store)], [[...store.doc.spans.keys()][0], [[], []]]);
    assert.ok(said.at(-1).includes("L5"));
  }
  const { store, actions, cursor } = built({ scheme: NEW });
  cursor.place("a", 2);
  actions.paragraph();
  assert.equal(store.doc.spans.size, 0, "a side that can't be marked");
});

test("undo and redo return what they did, clear the selection, and say so; without a step they say why", () => {
  const { store, actions, add, span, said } = built();
  add(span("s1", "2", [0], []));
  actions.pick("s1");
  assert.deepEqual(
    actions.history("undo").map(({ id, after }) => [id, after]),
    [["s1", null]],
  );
  assert.deepEqual([store.doc.spans.size, chosen(store)], [0, [[], []]]);
  assert.deepEqual(
    actions.history("redo").map(({ id, before }) => [id, before]),
    [["s1", null]],
  );
  const [undone, redone] = said.slice(-2);
  assert.notEqual(undone, redone);
  assert.equal(actions.history("redo"), null);
  assert.ok(![undone, redone].includes(said.at(-1)));
});

test("in a read-only pair nothing is marked, removed, split or commented on", () => {
  const { store, actions, cursor, add, span } = built({ highlights: HIGHLIGHTS });
  add(span("s1", "2", [0, 1], []));
  cursor.place("a", 1);
  store.readOnly = true;
  store.pick("s1");
  for (const act of [
    () => actions.label("3"),
    () => actions.remove(),
    () => actions.split(),
    () => actions.comment("x"),
    () => actions.paragraph(),
    () => actions.history("undo"),
  ])
    act();
  assert.deepEqual([spans(store), store.span("s1").comment], [[["2", "manual", [0, 1], []]], ""]);
});

test("words that are a span already get another label, announced as if it had been picked", () => {
  const { store, actions, cursor, said } = built();
  const select = () => store.select({ fixed: { a: [1, 2], b: [] }, active: null });
  cursor.place("a", 1);
  const announced = ["3", "4"].map((key) => (select(), actions.label(key), said.at(-1)));
  assert.deepEqual(spans(store), [["4", "manual", [1, 2], []]]);
  actions.pick([...store.doc.spans.keys()][0]);
  for (const key of ["3", "4"]) actions.label(key);
  assert.equal(announced[1], said.at(-1));
  assert.notEqual(announced[0].replace("L3", "L4"), announced[1]);
});
