/** Lines in the gutter between the two ends of a span. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frame } from "../page.js";
import { built } from "../built.js";
import { Connectors } from "../../../static/js/workspace/view/connectors.js";

test("the connectors join both ends of the picked or hovered span, once per frame", () => {
  const { store, view, add, span, actions } = built();
  const connectors = new Connectors(store, view, at("connectors"));
  view.columns.a.children[0].style.paddingRight = "0px";
  add(span("s1", "2", [0, 1], [0]), span("s2", "2", [4], []), span("s3", "1", [5], [4, 6]));
  actions.pick("s1");
  assert.equal(connectors.path.getAttribute("d"), null, "not before the frame");
  frame();
  const drawn = connectors.path.getAttribute("d");
  assert.equal(drawn, "M306 33V47M494 33V47M306 40C400 40 400 40 494 40");
  actions.pick("s2");
  frame();
  assert.equal(connectors.path.getAttribute("d"), "", "one side alone is no link");
  store.hover("s1");
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn, "what is pointed at is joined beside what is picked");
  actions.clear();
  frame();
  assert.equal(connectors.path.getAttribute("d"), drawn);
  store.hover(null);
  store.select({ fixed: { a: [0, 4], b: [0] }, active: null });
  frame();
  assert.equal(connectors.path.getAttribute("d"), "M306 33V47M306 133V147M494 33V47M306 40C400 40 400 40 494 40M306 140C400 140 400 40 494 40");
});
