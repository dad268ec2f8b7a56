import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../page.js";
import { showOutbox } from "../../../static/js/workspace/view/outbox.js";

const back = (n, state, detail = "") => ({ id: n, n, page: `/work/${n}/`, urls: {}, state, detail });

test("it says what waits, what was sent, and what came back and why; otherwise nothing", () => {
  const element = document.createElement("div");
  const shown = (change, first) => {
    showOutbox(element, { waiting: 0, returned: [], sent: 0, ...change }, first);
    return [element.hidden, element.classList.contains("warn"), [...element.children].map(words)];
  };
  assert.deepEqual(shown({}), [true, false, []]);
  assert.deepEqual(shown({}, "You are offline."), [false, false, ["You are offline."]]);
  assert.deepEqual(shown({ waiting: 1, sent: 3 })[2], [
    "1 submitted pair is kept in this browser and will be sent when the server can be reached.",
  ]);
  assert.deepEqual(shown({ sent: 2 })[2], ["2 pairs submitted offline have been sent."]);
  assert.deepEqual(shown({ returned: [back(3, "closed"), back(4, "refused", "No skips remain.")] }), [
    false,
    true,
    [
      "Pair 3 could not be submitted. The phase is closed. Your work and your verdict are kept in this browser. Open pair 3",
      "Pair 4 could not be submitted. No skips remain. Open pair 4",
    ],
  ]);
  assert.equal(element.querySelector("a").getAttribute("href"), "/work/3/");
});
