/** The comment to the lead. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, press, send } from "../page.js";
import { built } from "../built.js";
import { connectPairComment } from "../../../static/js/workspace/view/pair-comment.js";

test("the comment is part of the annotation: typed, undone, and Enter goes back to the texts", () => {
  const { store } = built();
  let back = 0;
  connectPairComment(store, () => (back += 1));
  const field = at("pair-comment");
  assert.ok(!document.body.classList.contains("editing-comment"));
  for (const value of ["t", "th"]) {
    field.value = value;
    send(field, "input");
  }
  assert.deepEqual([store.doc.comment, document.body.classList.contains("editing-comment")], ["th", true]);
  store.undo();
  assert.deepEqual([store.doc.comment, field.value], ["", ""], "one step");
  assert.ok(press(field, "Enter").defaultPrevented && back === 1);
  assert.ok(
    !press(field, "Enter", { ctrlKey: true }).defaultPrevented && !press(field, "a").defaultPrevented && back === 1,
  );
  field.focus();
  store.redo();
  store.undo();
  assert.ok(document.body.classList.contains("editing-comment"), "while it has the focus");
  field.blur();
  assert.ok(!document.body.classList.contains("editing-comment"));
});
