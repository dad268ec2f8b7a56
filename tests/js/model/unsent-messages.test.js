/** Messages that are being written. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseUnsent, serializeUnsent, unsentText } from "../../../static/js/workspace/model/unsent-messages.js";

const about = { span: "s1", words: [{ side: "a", start: 0, end: 3 }] };
const none = { text: "", about: { span: "", words: [] }, answering: null };

test("a unsent is kept with its words and what it answers, unless nothing is written", () => {
  for (const unsent of [
    { text: "One", about, answering: null },
    { text: "Yes", about: none.about, answering: 3 },
  ])
    assert.deepEqual(parseUnsent(serializeUnsent(unsent)), unsent);
  assert.equal(serializeUnsent({ text: "", about, answering: 3 }), null);
  assert.deepEqual(parseUnsent(null), none);
});

test("what an earlier version kept is a text", () => {
  for (const text of ["One or", "12", "null", '{"a": 1}']) assert.deepEqual(parseUnsent(text), { ...none, text });
});

test("what remains of a field is what was typed since", () => {
  assert.deepEqual(
    [unsentText("One?", "One?"), unsentText("One? Or", "One?"), unsentText("Two", "One?"), unsentText("", "One?")],
    ["", "Or", "Two", ""],
  );
});
