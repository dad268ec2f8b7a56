/** What commands do to spans: labels, comments, splitting, suggestions. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { built, HIGHLIGHTS, spans } from "../built.js";
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
const hints = (store, device) => hintsFor(currentSituation(store), device, TEXTS).map(({ control, effect }) => `${control}.${effect}`);
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
  assert.deepEqual(spans(store).map(([label]) => label), ["4", "2"]);
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
  assert.deepEqual(spans(store).map(([label, origin]) => [label, origin]), [["4", "accepted"], ["5", "accepted"]]);
});

test("Enter is named first, with keyboard and mouse, where a label is predicted, and only there", () => {
  const [first, ...others] = HIGHLIGHTS.proposals;
  const { store, actions, cursor, painter, say } = built({ highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }, ...others] } });
  const suggesting = new SuggestionActions(store, cursor, actions, painter, say);
  for (const device of ["keyboard", "mouse"]) {
    suggesting.show("p1");
    assert.equal(hints(store, device)[0], "accept.accept.predicted");
    suggesting.show("p2");
    assert.ok(!hints(store, device).includes("accept.accept.predicted"));
  }
});
