/** In adjudication a pair is decided, not submitted, flagged or skipped: the workspace's sentences say so. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { sentences } from "../helpers.js";
import { GROUPS, SHORTCUTS } from "../../../static/js/workspace/model/keyboard.js";
import { wording } from "../../../static/js/workspace/model/wording.js";
import { HINTS } from "../../../static/js/workspace/view/hint-texts.js";

const all = () => [...sentences(wording), ...SHORTCUTS.map(({ does }) => does), ...Object.values(HINTS)];
const [parts, before, hints] = [Object.keys(wording), all(), Object.keys(HINTS)];
await import("../../../static/js/adjudicate/wording.js");
const after = new Set(all());

test("no sentence of the workspace speaks of submitting", () => {
  const folder = new URL("../../../static/js/workspace/", import.meta.url);
  // What is about one's own submitted pairs is not there in adjudication.
  const own = ["input/undo-submission.js", "view/outbox.js"];
  const modules = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith(".js") && !own.includes(name),
  );
  const said = modules.flatMap((name) =>
    [...readFileSync(new URL(name, folder), "utf8").matchAll(/gettext\(\s*"([^"]+)"/g)].map((found) => found[1]),
  );
  const submitting = said.filter((one) => /submit/i.test(one));
  assert.ok(said.length > 200 && submitting.length > 5);
  assert.deepEqual(
    submitting.filter((one) => after.has(one) || !before.includes(one)),
    [],
  );
  assert.deepEqual(
    [...after].filter((one) => /submit/i.test(one)),
    [],
  );
});

test("each part of the wording is replaced, none added", () => {
  assert.deepEqual(Object.keys(wording), parts);
  assert.deepEqual(
    sentences(wording).filter((one) => before.includes(one)),
    [],
  );
});

test("the help lists the keys of regions, not those of commands that there are none of", () => {
  const does = Object.fromEntries(SHORTCUTS.map((one) => [one.command, one.does]));
  assert.deepEqual(
    ["flag", "skip", "read.tick", "read.next", "previous", "submission.undo"].filter((one) => one in does),
    [],
  );
  assert.deepEqual(
    ["reject", "pair.comment", "undo"].map((one) => does[one]),
    ["Exclude this pair from the gold", "Comment on the decision", "Undo"],
  );
  assert.deepEqual(
    SHORTCUTS.filter(({ group }) => group === "region").map(({ command, keys }) => [command, ...keys]),
    [
      ["region.next", "n"],
      ["region.previous", "Shift+n"],
      ["region.here", "t"],
      ["region.lanes", "h"],
    ],
  );
  assert.deepEqual(GROUPS[0], { group: "region", title: "Disputed regions" });
});

test("hints are added, none replaced", () => {
  assert.deepEqual(
    hints.filter((one) => !before.includes(HINTS[one])),
    [],
  );
  assert.deepEqual(
    Object.keys(HINTS).filter((one) => !hints.includes(one)),
    ["option.option", "tap.option", "edit.region.edit", "next.region.next", "here.region.here"],
  );
});
