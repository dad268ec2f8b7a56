import assert from "node:assert/strict";
import { test } from "node:test";
import { press, rest } from "./page.js";

document.body.innerHTML = `<ul data-walk>${["one", "two", "three"].map((id) => `<li><a class="open" id="${id}" href="#${id}">x</a><a href="#">other</a></li>`).join("")}</ul>
  <input id="field">`;
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
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    assert.ok(!press(document.body, "j", how).defaultPrevented);
  assert.ok(!press(document.getElementById("field"), "j").defaultPrevented);
  assert.ok(!press(document.body, "x").defaultPrevented);
  assert.equal(here(), "one");
});

/** A group with a folded table, and one that is folded as a whole. */
function groups() {
  const main = document.createElement("div");
  main.id = "report";
  main.innerHTML = `<section id="numbers"><details id="all"><details id="inner"><p id="table-x">x</p></details></details></section><details id="more"></details>`;
  document.getElementById("report")?.remove();
  document.body.append(main);
}
const opened = () =>
  [...document.querySelectorAll("#report details")].filter((each) => each.hasAttribute("open")).map((each) => each.id);
const go = (hash) => {
  location.hash = hash;
  dispatchEvent(new Event("hashchange"));
};

test("a link into a folded group opens what it is folded in, and a link to a group what is folded in it", () => {
  groups();
  go("#table-x");
  assert.deepEqual(opened(), ["all", "inner"]);
  groups();
  go("#numbers");
  assert.deepEqual(opened(), ["all"]);
  groups();
  go("#nothing");
  go("");
  assert.deepEqual(opened(), []);
});

test("what the reader opened stays open when the report is replaced", () => {
  groups();
  const more = document.getElementById("more");
  more.open = true;
  more.dispatchEvent(new Event("toggle"));
  groups();
  document.dispatchEvent(new Event("htmx:afterSwap"));
  assert.ok(opened().includes("more"));
  const again = document.getElementById("more");
  again.open = false;
  again.dispatchEvent(new Event("toggle"));
  groups();
  document.dispatchEvent(new Event("htmx:afterSwap"));
  assert.ok(!opened().includes("more"));
});

test("everything is open in print, and only what was open afterwards", () => {
  groups();
  document.getElementById("more").open = true;
  dispatchEvent(new Event("beforeprint"));
  assert.deepEqual(opened(), ["all", "inner", "more"]);
  dispatchEvent(new Event("afterprint"));
  assert.deepEqual(opened(), ["more"]);
});
