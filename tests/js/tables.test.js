import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, rest, send } from "./page.js";

const rows = [
  ["Zoë", "1,204.5"],
  ["anna", "−3 [−4; −2]"],
  ["Bo 10", "12 %"],
  ["Bo 9", "no"],
  ["=sum", "+1"],
];
document.documentElement.lang = "en";
document.head.innerHTML =
  '<meta name="table-words" data-copy="Copy it" data-copied="Done" data-filter="Filter it" data-table="A table">';
const body = (all) => all.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
const head = "<thead><tr><th>Name</th><th>Figure</th><th><span class='sr-only'>Open</span></th></tr></thead>";
document.body.innerHTML = `<table id="short" data-table>${head}<tbody>${body(rows)}</tbody></table>
  <table id="long" data-table>${head}<tbody>${body(Array.from({ length: 12 }, (_, n) => [`row ${n}`, String(n)]))}</tbody></table>
  <table id="empty" data-table>${head}<tbody></tbody></table>
  <table id="given" data-table>${head}<tbody><tr><td data-sort="2">a</td></tr><tr><td data-sort="10">b</td></tr><tr><td data-sort="">c</td></tr></tbody></table>
  <div class="table" id="frame"><table id="framed" data-table>${head}<tbody>${body(rows)}</tbody></table></div>`;
await import("../../static/js/tables.js");
const table = (id) => document.getElementById(id);
const column = (id, n) => [...table(id).tBodies[0].rows].map((row) => row.cells[n].textContent);

test("a table sorts by figures as the language writes them, by words as it sorts them, and back", () => {
  const [name, figure] = table("short").querySelectorAll("button.sort");
  figure.click();
  assert.ok(column("short", 1).indexOf("12 %") < column("short", 1).indexOf("1,204.5"));
  assert.ok(column("short", 1).indexOf("−3 [−4; −2]") < column("short", 1).indexOf("12 %"));
  assert.equal(table("short").querySelectorAll("th")[1].getAttribute("aria-sort"), "ascending");
  name.click();
  assert.deepEqual(column("short", 0), ["=sum", "anna", "Bo 9", "Bo 10", "Zoë"]);
  assert.equal(table("short").querySelectorAll("th")[1].hasAttribute("aria-sort"), false);
  name.click();
  assert.deepEqual(column("short", 0), ["Zoë", "Bo 10", "Bo 9", "anna", "=sum"]);
  assert.equal(table("short").querySelectorAll("th")[0].getAttribute("aria-sort"), "descending");
});

test("a cell sorts by its data-sort", () => {
  table("given").querySelector("button.sort").click();
  const sorted = column("given", 0);
  assert.ok(sorted.indexOf("a") < sorted.indexOf("b"), "2 before 10");
});

test("a column without a visible name has no button; an empty table is left alone", () => {
  assert.equal(table("short").querySelectorAll("button.sort").length, 2);
  assert.equal(table("empty").querySelector("button"), null);
  assert.equal(table("empty").parentElement, document.body);
  const frame = table("short").parentElement;
  assert.deepEqual(
    [frame.className, frame.tabIndex, frame.getAttribute("role"), frame.getAttribute("aria-label")],
    ["table", 0, "group", "A table"],
  );
});

test("a table that the page has framed gets no second frame, and its tools do not scroll with it", () => {
  const frame = table("frame");
  assert.equal(table("framed").parentElement, frame);
  assert.equal(frame.parentElement, document.body);
  assert.equal(frame.previousElementSibling.className, "table-tools");
  assert.deepEqual([frame.tabIndex, frame.getAttribute("aria-label")], [0, "A table"]);
});

test("a long table can be filtered, and what is shown can be copied, safe for spreadsheets", async () => {
  const tools = (id) => table(id).parentElement.previousElementSibling;
  assert.equal(tools("short").querySelector("input"), null);
  const field = tools("long").querySelector("input");
  assert.equal(field.placeholder, "Filter it");
  field.value = " ROW 1";
  send(field, "input");
  assert.deepEqual(
    [...table("long").tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent),
    ["row 1", "row 10", "row 11"],
  );
  asked.length = 0;
  const button = tools("long").querySelector("button");
  assert.equal(button.textContent, "Copy it");
  button.click();
  await rest();
  assert.deepEqual(asked, [["copy", "Name,Figure,Open\nrow 1,1\nrow 10,10\nrow 11,11"]]);
  assert.equal(button.textContent, "Done");
  tools("short").querySelector("button").click();
  await rest();
  assert.deepEqual(
    asked[1][1].split("\n").slice(1).sort(),
    ["'=sum,+1", "Bo 10,12 %", "Bo 9,no", 'Zoë,"1,204.5"', "anna,−3 [−4; −2]"].sort(),
  );
});
