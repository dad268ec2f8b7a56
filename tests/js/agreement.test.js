import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, press, rest } from "./page.js";

document.body.innerHTML = `<ul data-walk>${["one", "two", "three"].map((id) => `<li><a class="open" id="${id}" href="#${id}">x</a><a href="#">other</a></li>`).join("")}</ul>
  <input id="field"><p id="methods">How it was computed.</p><button data-copy="#methods"><i>Copy</i></button><button id="lost" data-copy="#nowhere"></button>`;
await import("../../static/js/agreement.js");
const here = () => document.activeElement.id;

test("J and K move through the disagreements and stop at the ends", () => {
  assert.ok(press(document.body, "j").defaultPrevented);
  assert.equal(here(), "one");
  press(document.body, "J");
  assert.equal(here(), "two");
  press(document.body, "j");
  press(document.body, "j");
  assert.equal(here(), "three");
  press(document.body, "k");
  assert.equal(here(), "two");
  press(document.body, "k");
  press(document.body, "k");
  assert.equal(here(), "one");
});

test("other keys, keys in a field and the browser's own are left alone", () => {
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) assert.ok(!press(document.body, "j", how).defaultPrevented);
  assert.ok(!press(document.getElementById("field"), "j").defaultPrevented);
  assert.ok(!press(document.body, "x").defaultPrevented);
  assert.equal(here(), "one");
});

test("the methods are copied, and the button says so", async () => {
  asked.length = 0;
  const button = document.querySelector("[data-copy]");
  button.firstElementChild.click();
  document.getElementById("lost").click();
  document.getElementById("methods").click();
  await rest();
  assert.deepEqual(asked, [["copy", "How it was computed."]]);
  assert.equal(button.getAttribute("aria-pressed"), "true");
  assert.ok(!document.getElementById("lost").hasAttribute("aria-pressed"));
});
