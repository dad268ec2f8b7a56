/** Nothing is imported while choices are not applied. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

document.body.innerHTML = `<form class="start-form"><button id="start"></button></form>
  <form class="reading-form"><input id="column"><span id="said" data-changed hidden></span></form><form><input id="other"></form>`;
await import("../../static/js/import.js");
const at = (id) => document.getElementById(id);
const input = (id) => at(id).dispatchEvent(new Event("input", { bubbles: true }));

test("changed choices are said, and end the offer to import", () => {
  input("other");
  assert.deepEqual([at("said").hidden, at("start").disabled], [true, false]);
  input("column");
  assert.deepEqual([at("said").hidden, at("start").disabled], [false, true]);
});
