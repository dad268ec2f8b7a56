import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./page.js";

document.body.innerHTML =
  '<a data-next href="#next">Next <kbd hidden>E</kbd></a><a data-next href="#other">x</a><input><p>text</p>';
const opened = [];
for (const link of document.querySelectorAll("a"))
  link.addEventListener("click", () => opened.push(link.getAttribute("href")));
await import("../../static/js/next-pair.js");

test("E opens the next pair, and the button shows the key", () => {
  assert.ok(!document.querySelector("kbd").hidden);
  assert.ok(press(document.querySelector("p"), "e").defaultPrevented);
  press(document.body, "E");
  assert.deepEqual(opened, ["#next", "#next"]);
});

test("other keys, a key that is held, a field and the browser's own keys are left alone", () => {
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
    assert.ok(!press(document.body, "e", how).defaultPrevented, JSON.stringify(how));
  assert.ok(!press(document.querySelector("input"), "e").defaultPrevented);
  assert.ok(!press(document.body, "x").defaultPrevented);
  assert.equal(opened.length, 2);
});
