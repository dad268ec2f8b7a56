/** The documentation of the keys is made from the table that drives them: `UPDATE=1 node --test tests/js/model/keyboard-doc.test.js` writes it. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { GESTURES, GROUPS, SHORTCUTS } from "../../../static/js/workspace/model/keyboard.js";

const page = new URL("../../../docs/keys.md", import.meta.url);
function written() {
  const special = { label: "the label's own key (`1` to `5` in a graded scheme)", answer: "the answer's own key" };
  const lines = [
    "# Keyboard shortcuts of the workspace",
    "",
    "Made from `static/js/workspace/model/keyboard.js`, the table that drives the keys and the help (`?`).",
    "Ctrl is Cmd on a Mac. A label's digit is found on every keyboard, with or without Shift.",
    "",
  ];
  for (const { group, title } of GROUPS) {
    lines.push(`## ${title}`, "", "| key | what it does |", "| --- | --- |");
    for (const { command, keys, does } of SHORTCUTS.filter((one) => one.group === group)) {
      const shown = keys
        .map(
          (key) =>
            `\`${key === " " ? "Space" : key.replace(/(^|\+)(\p{Ll})$/u, (_, plus, letter) => plus + letter.toUpperCase())}\``,
        )
        .join(", ");
      lines.push(`| ${shown || special[command]} | ${does} |`);
    }
    lines.push("");
  }
  lines.push(`## Mouse and touch`, "", "| what you do | what it does |", "| --- | --- |");
  for (const { gesture, does } of GESTURES) lines.push(`| ${gesture} | ${does} |`);
  lines.push("");
  return lines.join("\n");
}

test("every command is in a section of the help", () => {
  const groups = new Set(GROUPS.map(({ group }) => group));
  for (const { command, group } of SHORTCUTS) assert.ok(groups.has(group), command);
});

test("docs/keys.md agrees with the table", () => {
  if (process.env.UPDATE) writeFileSync(page, written());
  assert.equal(readFileSync(page, "utf8"), written());
});
