/** Buttons that copy a text of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, rest } from "./page.js";

document.body.innerHTML = `<div data-copy="words"><p id="methods"> How it was computed.\n</p></div><button data-copy="#methods"><i>Copy</i></button>
  <button id="lost" data-copy="#nowhere"></button>`;
await import("../../static/js/copy.js");

test("the text is copied without the space around it, and the button says so", async () => {
  asked.length = 0;
  const button = document.querySelector("button[data-copy]");
  button.firstElementChild.click();
  document.getElementById("lost").click();
  document.getElementById("methods").click();
  await rest();
  assert.deepEqual(asked, [["copy", "How it was computed."]]);
  assert.equal(button.getAttribute("aria-pressed"), "true");
  assert.ok(!document.getElementById("lost").hasAttribute("aria-pressed"));
});
