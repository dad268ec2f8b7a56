/** Messages that are being written. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDraft, serializeDraft, unsentText } from "../../../static/js/workspace/model/drafts.js";

const about = { span: "s1", words: [{ side: "a", start: 0, end: 3 }] };
const none = { text: "", about: { span: "", words: [] }, answering: null };

test("a draft is kept with its words and what it answers, unless nothing is written", () => {
  for (const draft of [{ text: "One", about, answering: null }, { text: "Yes", about: none.about, answering: 3 }]) assert.deepEqual(parseDraft(serializeDraft(draft)), draft);
  assert.equal(serializeDraft({ text: "", about, answering: 3 }), null);
  assert.deepEqual(parseDraft(null), none);
});

test("what an earlier version kept is a text", () => {
  for (const text of ["One or", "12", "null", '{"a": 1}']) assert.deepEqual(parseDraft(text), { ...none, text });
});

test("what remains of a field is what was typed since", () => {
  assert.deepEqual([unsentText("One?", "One?"), unsentText("One? Or", "One?"), unsentText("Two", "One?"), unsentText("", "One?")], ["", "Or", "Two", ""]);
});
