/** The footer's hints, by situation and input device. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import { built } from "../built.js";
import { currentSituation } from "../../../static/js/workspace/model/effects.js";
import { hintsFor, linkHint } from "../../../static/js/workspace/model/hints.js";

const controls = (store, device) =>
  hintsFor(currentSituation(store), device, { focus: "texts", letters: true }).map(({ control }) => control);

test("with nothing selected the hints are for reading and help; with a selection, for leaving it", () => {
  const { store } = built();
  assert.ok(
    ["read", "help"].every((one) => controls(store, "keyboard").includes(one)) &&
      !controls(store, "keyboard").includes("escape"),
  );
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  const found = controls(store, "keyboard");
  assert.ok(["escape", "fragment", "tab"].every((one) => found.includes(one)) && !found.includes("read"));
  assert.equal(linkHint(currentSituation(store), "keyboard").control, "tab");
  assert.equal(linkHint(currentSituation(store), "touch").control, "tap");
  assert.equal(linkHint(currentSituation(store), "mouse").control, "drag");
});

test("a picked span has another end, a mouse drags, a finger taps", () => {
  const { store, actions, add, span } = built();
  add(span("s1", "1", [1], []));
  store.moveTo("a", 1);
  actions.pick("s1");
  assert.ok(controls(store, "keyboard").includes("end"));
  assert.ok(["drag", "ctrl", "escape"].every((one) => controls(store, "mouse").includes(one)));
  assert.ok(["tap", "clear", "plus", "choose"].every((one) => controls(store, "touch").includes(one)));
  actions.clear();
  assert.deepEqual(controls(store, "touch"), ["tap"]);
});
