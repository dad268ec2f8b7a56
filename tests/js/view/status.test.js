/** The footer: hints on keys, active time, undo and redo. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, rest } from "../page.js";
import { built, RATING } from "../built.js";
import { Status } from "../../../static/js/workspace/view/status.js";

const CLOCK = { seconds: 130, active: true };

test("the footer says what the controls do now, during a drag its effect, and nothing if the pair is read-only", async () => {
  const { store, preferences } = built();
  const clock = { ...CLOCK };
  const status = new Status(store, clock, preferences);
  assert.equal(at("hints").textContent, "1–5 mark the word · drag to select · R ticks as read · ? shortcuts");
  assert.equal(at("time").textContent, "2 min");
  clock.seconds = 7300;
  status.showTime();
  assert.equal(at("time").textContent, "2 h 1 min");
  const undo = document.querySelector(".steps [data-command=undo]");
  assert.equal(undo.getAttribute("aria-disabled"), "true");
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  assert.equal(undo.getAttribute("aria-disabled"), "false");
  const before = at("hints").textContent;
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  assert.equal(at("hints").textContent, before, "not with every single change");
  await rest();
  assert.notEqual(at("hints").textContent, before);
  store.readOnly = true;
  store.emit("view");
  await rest();
  assert.deepEqual([at("hints").textContent, undo.getAttribute("aria-disabled")], ["", "true"]);
});

test("if there are only questions, the footer names the keys that answer", () => {
  const { store, preferences } = built({ scheme: RATING });
  new Status(store, CLOCK, preferences);
  assert.equal(at("hints").textContent, "y n answer · Ctrl ↵ submits · ? shortcuts");
});
