import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Dwell, MIN_MS_IN_VIEW, MS_PER_WORD } from "../../../static/js/workspace/model/dwell.js";

const STEP = 500;
const one = (id, words, parts = {}) => ({ id, words, start: true, end: true, ...parts });

/** Count time in steps, as the page does; gives when each paragraph was read, in ms. */
function pass(dwell, ms, sights) {
  const read = {};
  for (let at = STEP; at <= ms; at += STEP)
    for (const id of dwell.count(
      STEP,
      sights.filter(({ id }) => !(id in read)),
    ))
      read[id] = at;
  return read;
}

test("2 s and 150 ms per word: not sooner, not later", () => {
  assert.deepEqual([MIN_MS_IN_VIEW, MS_PER_WORD], [2000, 150]);
  assert.deepEqual(pass(new Dwell(), 60000, [one("a:0", 20)]), { "a:0": 5000 });
  assert.deepEqual(pass(new Dwell(), 4500, [one("a:0", 20)]), {});
  assert.deepEqual(pass(new Dwell(), 60000, [one("a:0", 0)]), { "a:0": 2000 });
});

test("the words of both sides count, one after the other", () => {
  assert.deepEqual(pass(new Dwell(), 60000, [one("a:0", 20), one("b:0", 30)]), { "a:0": 5000, "b:0": 9500 });
});

test("a window full of rows takes the time of all its words, from the first to the last", () => {
  const rows = Array.from({ length: 14 }, (_, n) => one(`a:${n}`, 20));
  const read = pass(new Dwell(), 120000, rows);
  assert.equal(Object.keys(read).length, 14);
  assert.equal(read["a:13"], MIN_MS_IN_VIEW + 14 * 20 * MS_PER_WORD);
  assert.deepEqual(
    Object.values(read),
    Object.values(read).sort((x, y) => x - y),
  );
});

test("paragraphs scrolled past are not read, and time in view adds up over several visits", () => {
  const dwell = new Dwell();
  for (let n = 0; n < 30; n += 1) assert.deepEqual(dwell.count(STEP, [one(`a:${n}`, 20)]), []);
  for (let visit = 0; visit < 8; visit += 1) assert.deepEqual(dwell.count(STEP, [one("a:0", 20)]), []);
  assert.deepEqual(dwell.count(STEP, [one("a:0", 20)]), ["a:0"]);
});

test("a paragraph taller than the window is read only when both its ends have been seen", () => {
  const dwell = new Dwell();
  assert.deepEqual(pass(dwell, 60000, [one("a:0", 20, { end: false })]), {});
  assert.deepEqual(dwell.count(STEP, [one("a:0", 20, { start: false, end: false })]), []);
  assert.deepEqual(dwell.count(STEP, [one("a:0", 20, { start: false })]), ["a:0"]);
});

test("a paragraph set back to unread starts again", () => {
  const dwell = new Dwell();
  pass(dwell, 4500, [one("a:0", 20)]);
  dwell.forget("a:0");
  assert.deepEqual(pass(dwell, 4500, [one("a:0", 20)]), {});
});

test("the documentation and the dialog say the same numbers", () => {
  const page = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8").replace(/\s+/g, " ");
  assert.ok(
    page("docs/workspace.md").includes(
      `${MIN_MS_IN_VIEW / 1000} seconds, and ${MS_PER_WORD} ms more for each of its words`,
    ),
  );
  assert.ok(
    page("templates/annotation/_workspace_dialogs.html").includes(
      `${MIN_MS_IN_VIEW / 1000} seconds plus ${MS_PER_WORD / 1000} seconds per word`,
    ),
  );
});
