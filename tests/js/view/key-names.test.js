/** Keys have the names that are printed on the user's keyboard. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, write } from "../page.js";
// A catalogue, as a page in German has it.
const GERMAN = { Ctrl: "Strg", Shift: "Umschalt", Del: "Entf", Home: "Pos1", End: "Ende", Space: "Leertaste" };
globalThis.django = { gettext: (text) => GERMAN[text] ?? text };
const { withKeyNames, nameKeys, chordText } = await import("../../../static/js/workspace/view/key-names.js");

test("keys are named in the user's language", () => {
  assert.deepEqual(
    ["Shift+ArrowLeft", "Ctrl+a", "Delete", "Ctrl+Home", "Shift+End", " ", "Alt+w", "F1"].map(chordText),
    ["Umschalt ←", "Strg A", "Entf", "Strg Pos1", "Umschalt Ende", "Leertaste", "Alt W", "F1"],
  );
  assert.equal(withKeyNames("Strg + Ziehen"), "Strg + Ziehen", "only a Mac has other names in sentences");
});

test("the buttons of a page name their keys", () => {
  write();
  nameKeys(document);
  assert.equal(at("verdicts").querySelector("[data-command=submit] kbd").textContent, "Strg ↵");
  assert.equal(document.querySelector(".steps [data-command=redo]").title.endsWith("(Umschalt Z)"), true);
  assert.equal(at("undo-submission").querySelector("kbd").textContent, "Strg Umschalt ↵");
});
