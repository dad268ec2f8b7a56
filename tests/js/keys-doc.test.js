/** The documentation of the keys is made from the table that drives them: `UPDATE=1 node --test tests/js/keys-doc.test.js` writes it. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { GESTURES, GROUPS, SHORTCUTS } from "../../static/js/workspace/model/keyboard.js";

const page = new URL("../../docs/keys.md", import.meta.url);
const template = readFileSync(new URL("../../templates/annotation/_messages.html", import.meta.url), "utf8");
const SAID = /^"([^"]+)": "\{% filter escapejs %\}\{% (?:translate (['"])(.*?)\2|blocktranslate trimmed %\}\n(.*?)\n\{% endblocktranslate) %\}/gms;
const words = Object.fromEntries([...template.matchAll(SAID)].map(([, key, , short, long]) => [key, short ?? long.replace(/\s+/g, " ").trim()]));

function written() {
  const special = { label: "the label's own key (`1` to `5` in a graded scheme)", answer: "the answer's own key" };
  const lines = ["# Keyboard shortcuts of the workspace", "", "Made from `static/js/workspace/model/keyboard.js`, the table that drives the keys and the help (`?`).", "Ctrl is Cmd on a Mac. A label's digit is found on every keyboard, with or without Shift.", ""];
  for (const group of GROUPS) {
    lines.push(`## ${words[`group.${group}`]}`, "", "| key | what it does |", "| --- | --- |");
    for (const { command, keys } of SHORTCUTS.filter((one) => one.group === group)) {
      const shown = keys.map((key) => `\`${key === " " ? "Space" : key.replace(/(^|\+)(\p{Ll})$/u, (_, plus, letter) => plus + letter.toUpperCase())}\``).join(", ");
      lines.push(`| ${shown || special[command]} | ${words[`key.${command}`]} |`);
    }
    lines.push("");
  }
  lines.push(`## ${words["group.gestures"]}`, "", "| what you do | what it does |", "| --- | --- |");
  for (const { gesture } of GESTURES) lines.push(`| ${words[`gesture.${gesture}`]} | ${words[`does.${gesture}`]} |`);
  lines.push("");
  return lines.join("\n");
}

test("every command and every group has a message", () => {
  for (const { command } of SHORTCUTS) assert.ok(words[`key.${command}`], command);
  for (const { gesture } of GESTURES) assert.ok(words[`gesture.${gesture}`] && words[`does.${gesture}`], gesture);
  for (const group of GROUPS) assert.ok(words[`group.${group}`], group);
});

test("docs/keys.md agrees with the table", () => {
  if (process.env.UPDATE) writeFileSync(page, written());
  assert.equal(readFileSync(page, "utf8"), written());
});
