/** The selection and the picked span, and how commands change them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../page.js";
import { built, chosen, HIGHLIGHTS, spans } from "../built.js";
import { GRADED, NEW } from "../helpers.js";
import { Actions } from "../../../static/js/workspace/input/actions.js";
import { Cursor } from "../../../static/js/workspace/input/cursor.js";
import { REFUSALS, SelectionActions } from "../../../static/js/workspace/input/selection-actions.js";

test("toggle, fragment and the other end work by key, and are announced", () => {
  const { store, actions, cursor, said } = built();
  assert.ok(actions instanceof Actions && actions instanceof SelectionActions && cursor instanceof Cursor);
  cursor.place("a", 1);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1), store.adding], [[1], "card added", true]);
  cursor.place("a", 3);
  actions.toggle();
  assert.deepEqual(chosen(store)[0], [1, 3]);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1)], [[1], "free. removed"]);
  actions.clear();
  cursor.place("a", 4);
  cursor.word(1, true);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [4, 5, 6]);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 4);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [5, 6]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [true, "The next words are added as a fragment"]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [false, "Fragments are no longer added"]);
});

test("a picked span follows the selection: it grows, shrinks, and is deleted with its last word", () => {
  const { store, actions, cursor, add, span, said } = built();
  add(span("s1", "2", [1], []));
  cursor.place("a", 1);
  assert.ok(actions.pickHere());
  cursor.word(1, true);
  assert.deepEqual([spans(store), said.at(-1)], [[["2", "manual", [1, 2], []]], "2 words"]);
  actions.comment(" both ");
  actions.announceComment();
  assert.deepEqual([store.span("s1").comment, said.at(-1)], ["both", "Comment saved"]);
  actions.split();
  assert.equal(said.at(-1), "Split in two");
  assert.equal(spans(store).length, 2);
  cursor.place("a", 8);
  assert.ok(!actions.pickHere());
  actions.paragraph();
  assert.deepEqual(
    [spans(store).at(-1), said.at(-1)],
    [["5", "manual", [4, 5, 6, 7, 8], []], "Whole paragraph marked L5"],
  );
  store.pick("s1");
  actions.pick(null);
  assert.equal(store.picked, null);
});

test("overlapping spans are picked one after the other", () => {
  const { store, actions, cursor, add, span } = built();
  add(span("wide", "2", [0, 1, 2], []), span("narrow", "3", [1], []));
  cursor.place("a", 1);
  const picked = [1, 2, 3].map(() => (actions.pickHere(), store.picked));
  assert.deepEqual(picked, ["narrow", "wide", "narrow"]);
  actions.clear();
  assert.equal(actions.targetSpan(), "narrow");
});

/** Words 4 to 6 of A are selected, or those of a picked span; a fragment is being added from word 2 on. */
function adding(picked) {
  const made = built();
  const { store, cursor, actions, add, span } = made;
  if (picked) {
    add(span("s1", "1", [4, 5, 6], []));
    cursor.place("a", 4);
    actions.pick("s1");
  } else {
    cursor.place("a", 4);
    actions.extendTo(6);
  }
  cursor.place("a", 2);
  actions.toggleAdding();
  return { ...made, words: () => (picked ? store.cover.of("s1").a : chosen(store)[0]) };
}

for (const picked of [false, true])
  test(`a fragment that runs into one that is there becomes one with it, and shrinks at its end${picked ? ", in a picked span" : ""}`, () => {
    const { store, cursor, words } = adding(picked);
    const seen = [];
    for (const step of [1, 1, -1, -1, 1]) {
      cursor.word(step, true);
      seen.push(words().join(""));
      assert.ok(store.selected.a.has(store.cursor.index), "the cursor is in it");
    }
    assert.deepEqual(
      seen,
      ["23456", "23456", "2345", "234", "2345"],
      "beside it, then one with it: from there on its end moves",
    );
  });

test("backwards too, and with the other end", () => {
  const { store, cursor, actions } = built();
  cursor.place("a", 1);
  actions.extendTo(3);
  cursor.place("a", 5);
  actions.toggleAdding();
  for (let n = 0; n < 2; n += 1) cursor.word(-1, true);
  assert.deepEqual([chosen(store)[0], store.cursor.index], [[1, 2, 3, 4, 5], 1]);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [2, 3, 4, 5]);
  cursor.otherEnd();
  cursor.word(-1, true);
  assert.deepEqual(chosen(store)[0], [2, 3, 4]);
});

test("a command without effect says why, marked as a refusal, and returns no effect", () => {
  const { store } = built();
  const told = [];
  const actions = new SelectionActions(store, (...words) => told.push(words));
  assert.deepEqual([actions.effect("undo"), actions.effect("label")], [null, "mark.word"]);
  assert.deepEqual(told, [[REFUSALS["no.undo"], true]]);
  assert.equal(actions.otherEnd(), null);
  actions.toggleAdding();
  assert.deepEqual(told.slice(1), [
    [REFUSALS["no.words"], true],
    [REFUSALS["no.words"], true],
  ]);
  store.readOnly = true;
  actions.toggle();
  assert.deepEqual(
    [told.at(-1), chosen(store)],
    [
      [REFUSALS["no.change"], true],
      [[], []],
    ],
  );
  assert.equal(new Set(Object.values(REFUSALS)).size, Object.keys(REFUSALS).length, "each reason has its own words");
});

test("a side that can't be marked is not selected, and what was selected stays", () => {
  const { store, actions, cursor } = built({ scheme: NEW });
  cursor.place("b", 1);
  assert.ok(actions.extendTo(2));
  assert.equal(actions.beginSelection("a", 0, 1, false), "no.side");
  cursor.place("a", 1);
  assert.equal(actions.extendTo(2), false);
  assert.deepEqual(chosen(store), [[], [1, 2]]);
});

test("selecting words again replaces those of the same side, adds a fragment on request, and keeps the other side", () => {
  const { store, actions } = built();
  assert.equal(actions.beginSelection("a", 0, 1, false), "select");
  assert.equal(actions.beginSelection("b", 2, 3, false), "select.link");
  assert.equal(actions.beginSelection("a", 4, 5, true), "select.fragment");
  assert.deepEqual(chosen(store), [
    [0, 1, 4, 5],
    [2, 3],
  ]);
  assert.equal(actions.beginSelection("a", 7, 6, false), "select.replace");
  assert.deepEqual(chosen(store), [
    [6, 7],
    [2, 3],
  ]);
});

test("a fragment that is added counts as asked for once; the next words then add another", () => {
  const { store, actions } = built();
  actions.beginSelection("a", 0, 0, false);
  store.setAdding(true, true);
  assert.ok(store.awaiting);
  actions.beginSelection("a", 3, 3, true);
  assert.deepEqual([store.adding, store.awaiting], [true, false]);
});

test("words on the side where a picked span has some are a new selection; the span stays as it is", () => {
  const { store, actions, add, span } = built();
  add(span("s1", "2", [1], [1]));
  actions.pick("s1");
  assert.equal(actions.beginSelection("a", 4, 5, false), "span.leave");
  assert.deepEqual([store.picked, chosen(store), store.cover.of("s1")], [null, [[4, 5], []], { a: [1], b: [1] }]);
});

test("a picked span whose words reach the other text is linked, and says so; otherwise its words are counted", () => {
  const { store, actions, add, span, said } = built();
  add(span("s1", "2", [1], []));
  actions.pick("s1");
  actions.beginSelection("b", 0, 1, false);
  actions.updatePicked();
  assert.deepEqual(store.cover.of("s1"), { a: [1], b: [0, 1] });
  assert.ok(said.at(-1).includes("card – Die Karte"));
  actions.beginSelection("b", 4, 4, true);
  actions.updatePicked();
  assert.ok(/^4\b/.test(said.at(-1)));
  const { length } = said;
  actions.updatePicked();
  assert.deepEqual([said.length, store.history.patches.length], [length, 3], "nothing has changed");
  store.setAdding(true);
  store.select({ fixed: { a: [], b: [] }, active: null });
  actions.updatePicked();
  assert.deepEqual(
    [store.doc.spans.size, store.picked, store.adding, said.length],
    [0, null, false, length + 1],
    "without words it is gone",
  );
  actions.updatePicked();
  assert.equal(said.length, length + 1);
});

test("a fragment that runs into words selected becomes one run with them, whose end then moves", () => {
  const { store, actions, cursor } = built();
  actions.beginSelection("a", 5, 6, false);
  cursor.place("a", 3);
  store.setAdding(true, true);
  actions.extendTo(5);
  assert.deepEqual(
    [chosen(store)[0].sort(), store.selection.active, store.selection.fixed.a],
    [[3, 4, 5, 6], { side: "a", anchor: 3, head: 6 }, []],
  );
});

test("steps of one gesture are one step to undo", () => {
  for (const [gesture, steps] of /** @type {const} */ ([
    [true, 2],
    [false, 3],
    [undefined, 3],
  ])) {
    const { store, actions, cursor, add, span } = built();
    add(span("s1", "2", [1], []));
    cursor.place("a", 1);
    actions.pick("s1");
    for (const to of [2, 3]) actions.extendTo(to, gesture);
    assert.deepEqual([store.cover.of("s1").a, store.history.patches.length], [[1, 2, 3], steps]);
  }
});

test("where a span is a single run, the picked one keeps the part that it may, and so does the selection", () => {
  const { store, actions, add, span } = built({ scheme: { ...GRADED, discontinuous: false } });
  add(span("s1", "2", [0, 1, 2], []));
  actions.pick("s1");
  store.select({ fixed: { a: [0, 2], b: [] }, active: null });
  actions.updatePicked();
  assert.deepEqual([store.cover.of("s1").a, chosen(store)[0], store.doc.spans.size], [[0], [0], 2]);
  actions.toggleAdding();
  assert.equal(store.adding, false, "there are no fragments here");
});

test("picking a span selects its words, names it, and leaves a suggestion and the adding of fragments", () => {
  const { store, actions, add, span, said } = built({ highlights: HIGHLIGHTS });
  add(span("s1", "2", [5], [4, 5]));
  store.suggest("p1");
  store.setAdding(true, true);
  actions.pick("s1");
  assert.deepEqual([store.picked, chosen(store), store.suggestion, store.adding], ["s1", [[5], [4, 5]], null, false]);
  assert.ok(said.at(-1).includes("L2") && said.at(-1).includes("arrives – Sie kommt"));
  actions.pick(null);
  assert.deepEqual([store.picked, chosen(store)], [null, [[], []]]);
  store.select({ fixed: { a: [0], b: [] }, active: null });
  actions.pick(null);
  assert.deepEqual(chosen(store)[0], [0], "nothing was picked: the selection stays");
});

test("everything is cleared at once", () => {
  const { store, actions, add, span } = built({ highlights: HIGHLIGHTS });
  add(span("s1", "2", [0], []));
  actions.pick("s1");
  store.suggest("p1");
  store.lastMarked = "s1";
  store.setAdding(true);
  actions.clear();
  assert.deepEqual(
    [store.picked, store.suggestion, store.lastMarked, store.adding, chosen(store)],
    [null, null, null, false, [[], []]],
  );
});

test("a word is toggled in a picked span; its last word takes the span with it; where it is marked no more, a new selection begins", () => {
  const { store, actions, cursor, add, span } = built();
  add(span("s1", "2", [1], []));
  cursor.place("a", 1);
  actions.pick("s1");
  cursor.place("a", 3);
  actions.toggle();
  assert.deepEqual([store.cover.of("s1").a, store.adding], [[1, 3], true]);
  actions.toggle();
  cursor.place("a", 1);
  actions.toggle();
  assert.deepEqual([store.doc.spans.size, store.picked, store.adding], [0, null, false]);
  const single = built({ scheme: { ...GRADED, discontinuous: false } });
  single.cursor.place("a", 1);
  single.actions.toggle();
  single.cursor.place("a", 3);
  single.actions.toggle();
  assert.deepEqual([chosen(single.store)[0], single.store.adding], [[3], false], "a second run would be a second span");
});

test("a span is announced with its label's key if the scheme lacks the label, and not at all if it is gone", () => {
  const { actions, add, span, said } = built();
  add(span("s1", "gone", [1], []));
  actions.announceSpan("{label}|{words}|", "s1");
  actions.announceSpan("{label}", "nobody");
  assert.deepEqual(said, ["gone|card|"]);
});
