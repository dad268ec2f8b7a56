/** Search in both texts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, press, send } from "../page.js";
import { built } from "../built.js";
import { Find } from "../../../static/js/workspace/input/find.js";

test("find highlights matches, counts them by side, and goes from match to match in the order of the rows", () => {
  const { store, view, cursor, preferences } = built({ a: "The free card.\nThe end.", b: "Free, the card.\nOver." });
  const find = new Find(store, view, cursor, preferences);
  assert.ok(at("find").hidden && !find.close());
  find.open();
  assert.equal(document.activeElement, at("find-words"));
  const look = (sought) => {
    at("find-words").value = sought;
    send(at("find-words"), "input");
    return at("find-count").textContent;
  };
  assert.equal(look("the"), "3 matches (2 + 1)");
  assert.deepEqual(CSS.highlights.get("find").ranges.map(String), ["The", "The", "the"]);
  assert.deepEqual(find.matches, [{ side: "a", index: 0 }, { side: "b", index: 1 }, { side: "a", index: 3 }]);
  press(at("find-words"), "Enter");
  assert.deepEqual([store.cursor, at("find-count").textContent], [{ side: "a", index: 0 }, "1 of 3"]);
  press(at("find-words"), "Enter", { shiftKey: true });
  assert.deepEqual(store.cursor, { side: "a", index: 3 });
  at("find-next").click();
  at("find-next").click();
  assert.deepEqual(store.cursor, { side: "b", index: 1 });
  at("find-previous").click();
  assert.deepEqual(store.cursor, { side: "a", index: 0 });
  assert.equal(look("zzz"), "Not found");
  assert.ok(!CSS.highlights.has("find"));
  assert.equal(look(""), "");
  assert.equal(look("fre"), "2 matches (1 + 1)");
  at("find-whole").click();
  assert.deepEqual([at("find-whole").getAttribute("aria-pressed"), at("find-count").textContent], ["true", "Not found"]);
  find.toggleWhole();
  assert.equal(at("find-count").textContent, "2 matches (1 + 1)");
  assert.ok(!press(at("find-next"), "Enter").defaultPrevented, "a button is pressed by Enter");
  assert.ok(press(at("find-words"), "Escape").defaultPrevented);
  assert.ok(at("find").hidden && !CSS.highlights.has("find"));
  find.toggleWhole();
  assert.ok(!at("find").hidden, "to choose is to open");
  at("find-close").click();
  assert.ok(at("find").hidden);
});
