/** The scheme editor: its buttons change the form in place, and what is typed meanwhile stays. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

// Node has its own, which knows no form of this document.
globalThis.FormData = document.defaultView.FormData;
/** @param {string} rows @param {string} [focus] */
const form = (rows, focus = "") => `<form data-scheme id="scheme-editor" data-focus="${focus}">
  <fieldset class="scheme-row"><legend><span class="chip c-p1"></span><span data-name="New label">One</span></legend>
    <input id="labels-0-name" name="labels-0-name" value="One"><select name="labels-0-colour"><option value="p1" selected></option><option value="p2"></option></select></fieldset>
  ${rows}<button id="add-label" name="action" value="add-label"></button><button name="action" value="remove-label:0" id="remove"></button>
  <button name="action" value="save" id="save"></button><button data-preview-button id="show"></button></form>`;
const WRONG = `<div role="alert" tabindex="-1" id="scheme-wrong"></div>
  <p class="errorlist" role="alert" tabindex="-1" id="labels-wrong"></p><input id="labels-1-name" name="labels-1-name" aria-invalid="true" value="">`;
const MORE = `<input id="labels-1-name" name="labels-1-name" value="">`;
document.body.innerHTML = `${form(WRONG)}<iframe name="scheme-preview" src="/preview/"></iframe>`;
HTMLFormElement.prototype.requestSubmit = function (button) {
  shown.push(button.id);
};
HTMLFormElement.prototype.submit = function () {
  plain.push(new FormData(this).getAll("action").at(-1));
};
/** @type {string[]} */
const shown = [],
  plain = [],
  asked = [];
/** @type {(html: string) => void} */
let answer = () => {};
globalThis.fetch = async (_url, { body }) => {
  asked.push(body.get("action"));
  return { text: () => new Promise((resolve) => (answer = resolve)) };
};
await import("../../static/js/scheme.js");
const at = (id) => document.getElementById(id);
const rest = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Presses one of the form's buttons; whether the browser would open a page. */
function press(id) {
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: at(id) });
  at("scheme-editor").dispatchEvent(event);
  return !event.defaultPrevented;
}

test("after a save that was refused, the focus is on the first field that is wrong, and stays there when the preview opens", () => {
  assert.equal(document.activeElement, at("labels-wrong"));
  const frame = document.querySelector("iframe");
  frame.focus();
  frame.dispatchEvent(new Event("load"));
  assert.equal(document.activeElement, at("labels-wrong"));
});

test("what a button's answer refuses has the focus, rather than what is said above the form", async () => {
  press("add-label");
  await rest();
  answer(form(WRONG.replace("</p>", "").replace(/<p [^>]*>/, "")));
  await rest();
  assert.equal(document.activeElement, at("labels-1-name"));
  asked.length = 0;
});

test("a button puts the server's form in place, with the focus where it says, and keeps what was typed meanwhile", async () => {
  assert.ok(!press("add-label"));
  await rest();
  assert.deepEqual(asked, ["add-label"]);
  assert.ok(!at("scheme-editor").inert);
  at("labels-0-name").value = "One more";
  answer(form(MORE, "labels-1-name"));
  await rest();
  assert.equal(document.activeElement, at("labels-1-name"));
  assert.equal(at("labels-0-name").value, "One more");
});

test("while rows are moved or removed nothing can be typed, because fields get other names", async () => {
  press("remove");
  await rest();
  assert.ok(at("scheme-editor").inert);
  at("labels-0-name").value = "typed all the same";
  answer(form("", "labels-0-name"));
  await rest();
  assert.equal(at("labels-0-name").value, "One");
  assert.equal(document.activeElement, at("labels-0-name"));
});

test("saving opens a page, and an answer without the form is shown as a page", async () => {
  assert.ok(press("save"));
  press("add-label");
  await rest();
  answer("<p>Log in</p>");
  await rest();
  assert.deepEqual(plain, ["add-label"]);
});

test("the heading follows name and colour, and the preview what is typed", async () => {
  const [name, colour] = [at("labels-0-name"), document.querySelector("select")];
  const legend = document.querySelector("legend");
  name.value = "Opposite";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(legend.querySelector("[data-name]").textContent, "Opposite");
  name.value = "";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(legend.querySelector("[data-name]").textContent, "New label");
  colour.value = "p2";
  colour.dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(legend.querySelector(".chip").className, "chip c-p2");
  for (const automatic of ["", "p1"]) {
    colour.value = "";
    legend.querySelector(".chip").dataset.automatic = automatic;
    colour.dispatchEvent(new Event("input", { bubbles: true }));
    assert.equal(legend.querySelector(".chip").className, `chip c-${automatic || "none"}`);
  }
  shown.length = 0;
  const before = document.querySelector("iframe");
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.deepEqual(shown, ["show"]);
  const frame = document.querySelector("iframe");
  assert.notEqual(frame, before, "a new frame has no history");
  assert.equal(frame.getAttribute("src"), null);
  assert.equal(frame.name, "scheme-preview");
});
