/** Errors that htmx puts beside the fields of a form. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

document.body.innerHTML = `<input id="trial" aria-describedby="trial_help"><div id="trial_beside" data-errors-of="trial"></div>
  <input id="seed"><div id="seed_beside" data-errors-of="seed"></div><fieldset id="people"></fieldset><div id="people_beside" data-errors-of="people">Choose someone.</div>
  <form hx-target="#preview"><input type="checkbox" id="anna"></form><form><input id="alone"></form><div id="preview" data-failed="Not renewed."><button id="create"></button></div>`;
await import("../../static/js/fields.js");
const at = (id) => document.getElementById(id);
const marks = (id) => [at(id).getAttribute("aria-invalid"), at(id).getAttribute("aria-describedby")];
const settle = () => document.body.dispatchEvent(new Event("htmx:afterSettle", { bubbles: true }));

test("a field is invalid while there is an error beside it", () => {
  at("trial_beside").textContent = "Too many.";
  at("seed_beside").textContent = "A number.";
  settle();
  settle();
  assert.deepEqual(
    [marks("trial"), marks("seed")],
    [
      ["true", "trial_help trial_beside"],
      ["true", "seed_beside"],
    ],
  );
  assert.deepEqual(marks("people"), [null, null], "a group is no field");
  at("trial_beside").textContent = "";
  at("seed_beside").textContent = " ";
  settle();
  assert.deepEqual(
    [marks("trial"), marks("seed")],
    [
      [null, "trial_help"],
      [null, null],
    ],
  );
});

test("what a preview offers can't be chosen once its form has changed", () => {
  const input = (id) => at(id).dispatchEvent(new Event("input", { bubbles: true }));
  input("alone");
  assert.ok(!at("create").disabled, "another form has no preview");
  input("anna");
  assert.ok(at("create").disabled);
});

test("a preview that can't be renewed says so", () => {
  const failed = (target) =>
    document.body.dispatchEvent(new CustomEvent("htmx:sendError", { bubbles: true, detail: { target } }));
  failed(at("people"));
  assert.ok(at("create"), "another request");
  failed(at("preview"));
  assert.equal(at("preview").textContent, "Not renewed.");
});
