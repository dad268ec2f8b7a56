import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

document.body.innerHTML = `<div data-drop id="area"><input type="file" id="files"></div><div data-drop id="bare"></div>`;
await import("../../static/js/file-drop.js");
const area = document.getElementById("area");
const input = document.getElementById("files");
/** @type {unknown} */
let chosen;
Object.defineProperty(input, "files", { set: (files) => (chosen = files), configurable: true });

/** Sends an event of dragging with these files. */
function drag(type, files) {
  const event = new DragEvent(type, { cancelable: true, bubbles: true });
  if (files) Object.defineProperty(event, "dataTransfer", { value: { files } });
  area.dispatchEvent(event);
  return event;
}

test("files over the field show it, and dropped ones are chosen", () => {
  assert.ok(drag("dragover").defaultPrevented, "otherwise the browser would open the file");
  assert.ok(area.classList.contains("over"));
  drag("dragleave");
  assert.ok(!area.classList.contains("over"));
  drag("dragover");
  const files = [{ name: "own.xlsx" }];
  assert.ok(drag("drop", files).defaultPrevented);
  assert.ok(!area.classList.contains("over"));
  assert.equal(chosen, files);
  assert.equal(document.activeElement, input);
});

test("something else that is dropped chooses nothing", () => {
  chosen = undefined;
  drag("drop", []);
  drag("drop");
  assert.equal(chosen, undefined);
});
