import assert from "node:assert/strict";
import { test } from "node:test";
import { History, MERGE_WINDOW } from "../../../static/js/workspace/model/history.js";
import { applyPatch, docOf, serializeDoc } from "../../../static/js/workspace/model/patches.js";
import { annotation, random, randomChange, smallSpan } from "../helpers.js";

/** A document, whatever the order in which its spans were made. */
const written = (doc) => serializeDoc(doc, (x, y) => (x.id < y.id ? -1 : 1));
const put = (id, before, after) => ({
  kind: "span",
  id,
  before: before && smallSpan(id, before),
  after: after && smallSpan(id, after),
});

test("undo takes everything back, redo makes it again, in random histories", () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const pick = random(seed);
    const doc = docOf(annotation());
    const history = new History();
    const states = [written(doc)];
    for (let n = 0; n < 30; n += 1) {
      const patch = Array.from({ length: 1 + pick(2) }, () => {
        const one = randomChange(doc, pick);
        applyPatch(doc, [one]);
        return one;
      });
      history.push(patch, "", n * 5000);
      states.push(written(doc));
    }
    for (let n = states.length - 2; n >= 0; n -= 1) {
      applyPatch(doc, history.undo());
      assert.deepEqual(written(doc), states[n]);
    }
    assert.equal(history.undo(), null);
    while (history.canRedo) applyPatch(doc, history.redo());
    assert.deepEqual(written(doc), states.at(-1));
    assert.equal(history.redo(), null);
  }
});

test("a new step discards undone steps", () => {
  const history = new History();
  history.push([put("1", null, "2")]);
  history.push([put("2", null, "2")]);
  history.undo();
  history.push([put("3", null, "2")]);
  assert.equal(history.canRedo, false);
  assert.deepEqual(
    history.patches.map(([one]) => one.id),
    ["1", "3"],
  );
});

test("close steps of one group are one step; steps that cancel out are none", () => {
  const history = new History();
  history.push([put("1", "1", "2")], "reshape 1", 0);
  history.push([put("1", "2", "3")], "reshape 1", MERGE_WINDOW - 1);
  assert.deepEqual(history.patches, [[put("1", "1", "3")]]);
  history.push([put("1", "3", "4")], "reshape 1", 3 * MERGE_WINDOW);
  assert.equal(history.patches.length, 2);
  history.push([put("1", "4", "3")], "reshape 1", 3 * MERGE_WINDOW + 1);
  assert.equal(history.patches.length, 1);
});

test("the recorder is notified of each step as it is made, and of no other", () => {
  const log = [];
  const recorder = {
    writeStep: (index, patch) => log.push(["write", index, patch[0].id]),
    setSteps: (...all) => log.push(["cut", ...all]),
  };
  const history = new History([], 0, recorder);
  history.push([put("1", null, "1")]);
  history.push([put("2", null, "1")]);
  history.undo();
  history.push([put("3", null, "1")]);
  assert.deepEqual(log, [
    ["write", 0, "1"],
    ["cut", 1, 1, 0],
    ["write", 1, "2"],
    ["cut", 2, 2, 1],
    ["cut", 1, 2, 2],
    ["write", 1, "3"],
    ["cut", 2, 2, 2],
  ]);
});
