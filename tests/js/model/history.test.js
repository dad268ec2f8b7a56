import assert from "node:assert/strict";
import { test } from "node:test";
import { History, MERGE_WINDOW } from "../../../static/js/workspace/model/history.js";
import { applyPatch, diffDocs, docOf, invertPatch, joinPatches, serializeDoc } from "../../../static/js/workspace/model/patches.js";
import { annotation, random } from "../helpers.js";

const span = (id, label) => ({ id, label, origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 1 }] });
const put = (id, before, after) => ({ kind: "span", id, before: before && span(id, before), after: after && span(id, after) });

/** A random change that fits the document. */
function change(doc, pick) {
  const id = String(pick(4));
  const has = doc.spans.get(id) ?? null;
  const kinds = [
    () => ({ kind: "span", id, before: has, after: pick(3) ? span(id, String(pick(5))) : null }),
    () => ({ kind: "answer", id: "q", before: doc.answers.q ?? "", after: pick(2) ? String(pick(3)) : "" }),
    () => ({ kind: "comment", id: "", before: doc.comment, after: String(pick(9)) }),
    () => ({ kind: "read", id: `b:${id}`, before: doc.read.b.has(Number(id)), after: pick(2) === 1 }),
    () => ({ kind: "dismissed", id, before: doc.dismissed.has(id), after: pick(2) === 1 }),
    () => ({ kind: "unmarked", id, before: doc.unmarked.has(id), after: pick(2) === 1 }),
  ];
  return kinds[pick(kinds.length)]();
}

test("undo takes everything back, redo makes it again, in random histories", () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const pick = random(seed);
    const doc = docOf(annotation());
    const history = new History();
    const states = [JSON.stringify(serializeDoc(doc))];
    for (let n = 0; n < 30; n += 1) {
      const patch = Array.from({ length: 1 + pick(2) }, () => {
        const one = change(doc, pick);
        applyPatch(doc, [one]);
        return one;
      });
      history.push(patch, "", n * 5000);
      states.push(JSON.stringify(serializeDoc(doc)));
    }
    for (let n = states.length - 2; n >= 0; n -= 1) {
      applyPatch(doc, history.undo());
      assert.deepEqual(JSON.parse(sorted(doc)), JSON.parse(sort(states[n])));
    }
    assert.equal(history.undo(), null);
    while (history.canRedo) applyPatch(doc, history.redo());
    assert.deepEqual(JSON.parse(sorted(doc)), JSON.parse(sort(states.at(-1))));
    assert.equal(history.redo(), null);
  }
});

function sorted(doc) {
  return sort(JSON.stringify(serializeDoc(doc)));
}

function sort(text) {
  const value = JSON.parse(text);
  value.spans.spans.sort((x, y) => (x.id < y.id ? -1 : 1));
  return JSON.stringify(value);
}

test("a new step discards undone steps", () => {
  const history = new History();
  history.push([put("1", null, "2")]);
  history.push([put("2", null, "2")]);
  history.undo();
  history.push([put("3", null, "2")]);
  assert.equal(history.canRedo, false);
  assert.deepEqual(history.patches.map(([one]) => one.id), ["1", "3"]);
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
  const recorder = { writeStep: (index, patch) => log.push(["write", index, patch[0].id]), setSteps: (...all) => log.push(["cut", ...all]) };
  const history = new History([], 0, recorder);
  history.push([put("1", null, "1")]);
  history.push([put("2", null, "1")]);
  history.undo();
  history.push([put("3", null, "1")]);
  assert.deepEqual(log, [["write", 0, "1"], ["cut", 1, 1, 0], ["write", 1, "2"], ["cut", 2, 2, 1], ["cut", 1, 2, 2], ["write", 1, "3"], ["cut", 2, 2, 2]]);
});

test("a patch and its inverse leave nothing; the difference of two documents leads from one to the other", () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const pick = random(seed + 100);
    const [one, two] = [docOf(annotation()), docOf(annotation())];
    for (const doc of [one, two]) for (let n = 0; n < pick(12); n += 1) applyPatch(doc, [change(doc, pick)]);
    const patch = diffDocs(one, two);
    assert.equal(joinPatches(patch, invertPatch(patch)).length, 0);
    applyPatch(one, patch);
    assert.equal(sorted(one), sorted(two));
  }
});
