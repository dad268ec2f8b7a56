import assert from "node:assert/strict";
import { test } from "node:test";
import { Dwell, MIN_MS_IN_VIEW, MS_PER_WORD } from "../../../static/js/workspace/model/dwell.js";

test("a paragraph takes no more time than its words need; the rest goes to the next", () => {
  const dwell = new Dwell();
  const sights = [
    { id: "tall", words: 2, start: true, end: false },
    { id: "next", words: 4, start: true, end: true },
  ];
  assert.deepEqual(dwell.count(MIN_MS_IN_VIEW, sights), []);
  assert.deepEqual(dwell.count(2 * MS_PER_WORD, sights), [], "the first is read, its end has not been seen");
  assert.deepEqual(dwell.count(4 * MS_PER_WORD, sights), ["next"]);
});
