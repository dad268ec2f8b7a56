/** Rows as read, marked or unread, and what R does to the cursor's: the footer says the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { reading } from "../built.js";
import { currentSituation } from "../../../static/js/workspace/model/effects.js";
import { hintsFor } from "../../../static/js/workspace/model/hints.js";
import {
  confirmsTick,
  cursorRow,
  isTicked,
  paragraphsOf,
  removesTick,
  rowState,
} from "../../../static/js/workspace/model/ticks.js";

test("a row is read once all its paragraphs with words are, and marked once a span touches it", () => {
  const { store, reading: ticks, add, span } = reading();
  assert.deepEqual(paragraphsOf(store, 1), [
    ["a", 1],
    ["b", 1],
  ]);
  ticks.markSeen([["a", 0]]);
  assert.deepEqual([rowState(store, 0), isTicked(store, 0)], ["unread", false]);
  ticks.markSeen([["b", 0]]);
  assert.deepEqual([rowState(store, 0), isTicked(store, 0), rowState(store, 1)], ["read", true, "unread"]);
  add(span("s1", "1", [1]));
  assert.deepEqual([rowState(store, 0), isTicked(store, 0)], ["marked", true]);
});

test("R confirms what time in view has ticked, and unticks what the user has", () => {
  const { store, reading: ticks } = reading();
  store.moveTo("a", 0);
  assert.deepEqual([cursorRow(store), confirmsTick(store), removesTick(store)], [0, false, false]);
  ticks.markSeen([
    ["a", 0],
    ["b", 0],
  ]);
  assert.deepEqual([confirmsTick(store), removesTick(store)], [true, false]);
  store.tickedByUser.add(0);
  assert.deepEqual([confirmsTick(store), removesTick(store)], [false, true]);
});

test("the foot says whether R ticks or unticks, and R does it", () => {
  const states = {
    unread() {},
    "read by time in view": ({ reading }) =>
      reading.markSeen([
        ["a", 0],
        ["b", 0],
      ]),
    "half read": ({ reading }) => reading.markSeen([["a", 0]]),
    "ticked by hand": ({ reading }) => reading.toggle(0),
    "read and confirmed": ({ reading }) => (
      reading.markSeen([
        ["a", 0],
        ["b", 0],
      ]),
      reading.tickHere()
    ),
    "unticked again": ({ reading }) => (reading.toggle(0), reading.toggle(0)),
    marked: ({ add, span }) => add(span("s1", "1", [1])),
    "marked and read": ({ add, span, reading }) => (
      add(span("s1", "1", [1])),
      reading.markSeen([
        ["a", 0],
        ["b", 0],
      ])
    ),
  };
  const found = Object.entries(states).map(([name, bring]) => {
    const one = reading();
    bring(one);
    one.store.moveTo("a", 0);
    const hint = hintsFor(currentSituation(one.store), "keyboard", { focus: "texts", letters: true }).find(
      ({ control }) => control === "read",
    );
    one.reading.tickHere();
    const ticked = one.store.doc.read.a.has(0) && one.store.doc.read.b.has(0);
    assert.equal(hint.effect, ticked ? "read.tick" : "read.untick", name);
    assert.equal(
      one.said.filter((words) => words === "Read" || words === "Marked as unread").at(-1),
      ticked ? "Read" : "Marked as unread",
      name,
    );
    return hint.effect;
  });
  assert.ok(new Set(found).size === 2);
});
