/** The page that says why a pair can't be opened: it counts the unsaved changes kept here, and discards them on request. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "./page.js";
import { Journal, keysOf, ROOT } from "../../static/js/workspace/sync/journal.js";
import { storage } from "../../static/js/workspace/sync/storage.js";

const mark = (id) => [
  {
    kind: "span",
    id,
    before: null,
    after: { id, label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] },
  },
];

/** What one tab left. */
function left(scope, tab, ...ids) {
  const journal = new Journal(storage, scope, tab);
  journal.confirmSave(0, 0, {});
  for (const id of ids) journal.append(mark(id));
}

test("changes of all tabs are counted, but not those of other users and pairs, and deleted only on request", async () => {
  left("3/7", "x", "s1", "s2");
  left("3/7", "y", "s3");
  left("4/7", "x", "s4");
  document.body.innerHTML =
    '<p id="unsaved-changes" hidden data-scope="3/7" data-one="one {n}" data-other="kept {n}" data-confirm="sure?"><button>Discard</button></p>';
  await import("../../static/js/unsaved-changes.js");
  const element = document.getElementById("unsaved-changes");
  assert.deepEqual([element.hidden, element.textContent], [false, "kept 3 Discard"]);
  globalThis.confirm = () => false;
  element.querySelector("button").click();
  assert.ok(!element.hidden && keysOf(storage, `${ROOT}3/7/`).length);
  globalThis.confirm = () => true;
  element.querySelector("button").click();
  assert.deepEqual(
    [element.hidden, keysOf(storage, `${ROOT}3/7/`).length, keysOf(storage, `${ROOT}4/7/`).length > 0],
    [true, 0, true],
  );
  assert.ok(asked);
});

test("without changes kept here nothing is shown, and a page without the paragraph is left alone", async () => {
  document.body.innerHTML =
    '<p id="unsaved-changes" hidden data-scope="5/7" data-one="one {n}" data-other="kept {n}"><button>Discard</button></p>';
  await import("../../static/js/unsaved-changes.js?nothing-kept");
  const element = document.getElementById("unsaved-changes");
  assert.deepEqual([element.hidden, element.textContent], [true, "Discard"]);
  document.body.innerHTML = "<p>Nothing to say.</p>";
  await import("../../static/js/unsaved-changes.js?no-paragraph");
  assert.equal(document.body.textContent, "Nothing to say.");
});
