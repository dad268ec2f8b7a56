/** The words of the footer's hints: there are some for whatever a state of the page announces, with every device. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built, HIGHLIGHTS } from "../built.js";
import { GRADED, NEW } from "../helpers.js";
import { currentSituation } from "../../../static/js/workspace/model/effects.js";
import { hintsFor, linkHint } from "../../../static/js/workspace/model/hints.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { HINTS } from "../../../static/js/workspace/view/hint-texts.js";

const DEVICES = /** @type {const} */ (["mouse", "keyboard", "touch"]);
const gaps = (text) => text.match(/\{\w+\}/g) ?? [];

/** What can be held, by the ways in which a user gets there. */
const STATES = {
  nothing() {},
  "a row ticked": ({ store }) => (
    store.tickedByUser.add(0),
    store.commit(["a:0", "b:0"].map((id) => ({ kind: "read", id, before: false, after: true })))
  ),
  "words of A": ({ cursor, actions }) => (cursor.place("a", 1), actions.extendTo(2)),
  "words of B": ({ cursor, actions }) => (cursor.place("b", 1), actions.extendTo(2)),
  "words of A, from the other text": (made) => (STATES["words of A"](made), made.cursor.place("b", 5)),
  "words of both": ({ store, cursor, actions }) => (
    cursor.place("a", 1), actions.extendTo(2), cursor.place("b", 1), actions.extendTo(store.cursor.index + 1)
  ),
  "a fragment next": ({ cursor, actions }) => (
    cursor.place("b", 1), actions.extendTo(2), cursor.place("b", 5), actions.toggleAdding()
  ),
  "a span just marked": ({ cursor, actions, store }) => (
    cursor.place("b", 1), actions.label(store.scheme.labels[0].key)
  ),
  "a span of B": (made) => (STATES["a span just marked"](made), made.actions.pick([...made.store.doc.spans.keys()][0])),
  "a span of B, with a fragment next": (made) => (
    STATES["a span of B"](made), made.cursor.place("b", 5), made.actions.toggleAdding()
  ),
  "a span of A": ({ cursor, actions, store }) => (
    cursor.place("a", 1),
    actions.label(store.scheme.labels[0].key),
    actions.pick([...store.doc.spans.keys()][0] ?? null)
  ),
  "the words of a span": (made) => (
    STATES["a span of B"](made), made.actions.clear(), made.actions.extendTo(made.store.cursor.index)
  ),
  "a span of A, from the other text": (made) => (STATES["a span of A"](made), made.cursor.place("b", 5)),
  "a span of both": (made) => (
    STATES["words of both"](made),
    made.actions.label(made.store.scheme.labels[0].key),
    made.actions.pick([...made.store.doc.spans.keys()][0])
  ),
  "a suggestion": ({ suggesting }) => suggesting.show("p2"),
  "a suggestion with a label": ({ suggesting }) => suggesting.show("p1"),
  "a changed suggestion": ({ suggesting, actions, store }) => (
    suggesting.show("p2"), actions.extendTo(store.cursor.index + 1)
  ),
};
const SCHEMES = {
  GRADED,
  NEW,
  "one text at a time": { ...GRADED, links: false },
  "single runs": { ...GRADED, discontinuous: false },
};

/** Every hint of every state, by control and effect. */
function announced() {
  const found = new Set();
  for (const scheme of Object.values(SCHEMES))
    for (const bring of Object.values(STATES)) {
      const [first, ...others] = HIGHLIGHTS.proposals;
      const made = built({
        scheme,
        highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: scheme.labels[1].key }, ...others] },
      });
      bring({
        ...made,
        suggesting: new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say),
      });
      for (const over of [false, true])
        for (const device of DEVICES)
          for (const focus of /** @type {const} */ (["texts", "field", "control"])) {
            const now = currentSituation(made.store, over);
            const hints = [...hintsFor(now, device, { focus, letters: true }), linkHint(now, device)];
            for (const hint of hints) if (hint) found.add(`${hint.control}.${hint.effect}`);
          }
    }
  return found;
}

test("every hint that a state has is in words, and no words are for a hint that no state has", () => {
  const found = announced();
  assert.deepEqual(
    [...found].filter((name) => !HINTS[name]),
    [],
  );
  assert.deepEqual(
    Object.keys(HINTS).filter((name) => !name.endsWith(".short") && !found.has(name)),
    [],
  );
});

test("a short form is shorter than the hint that it is of", () => {
  const short = Object.keys(HINTS).filter((name) => name.endsWith(".short"));
  assert.ok(short.length > 0);
  for (const name of short) {
    const long = HINTS[name.slice(0, -".short".length)];
    assert.ok(long && HINTS[name].length < long.length, name);
    assert.deepEqual(gaps(HINTS[name]), gaps(long));
  }
});

test("the keys of labels are named where labels are chosen by key, and nowhere else", () => {
  for (const [name, words] of Object.entries(HINTS))
    assert.deepEqual(gaps(words), name.startsWith("label.") ? ["{labels}"] : [], name);
});
