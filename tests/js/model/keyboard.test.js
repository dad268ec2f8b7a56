import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chord,
  GROUPS,
  hotkeysOf,
  shortcutOf,
  SHORTCUTS,
  tabSwitchesText,
  worksWithFocus,
} from "../../../static/js/workspace/model/keyboard.js";

const press = (key, held = "", code = "") => ({
  key,
  code,
  ctrlKey: held.includes("C"),
  metaKey: held.includes("M"),
  altKey: held.includes("A"),
  shiftKey: held.includes("S"),
});

test("chords are written as the table has them", () => {
  assert.equal(chord(press("ArrowLeft", "S")), "Shift+ArrowLeft");
  assert.equal(chord(press("Z", "S")), "Shift+z");
  assert.equal(chord(press("z", "M")), "Ctrl+z");
  assert.equal(chord(press("ArrowUp", "CS")), "Ctrl+Shift+ArrowUp");
  assert.equal(chord(press("?", "S")), "?", "a sign is what it prints");
  assert.equal(chord(press("/", "S")), "/", "also where it needs Shift, as on German keyboards");
  assert.equal(chord(press(" ")), " ");
  assert.equal(chord(press("∑", "A", "KeyW")), "Alt+w", "a letter's place where Alt prints another sign");
});

test("no chord has two commands, each command has one entry and a group that the help shows", () => {
  const keys = SHORTCUTS.flatMap((one) => one.keys);
  assert.equal(new Set(keys).size, keys.length);
  const commands = SHORTCUTS.map(({ command }) => command);
  assert.equal(new Set(commands).size, commands.length);
  assert.ok(SHORTCUTS.every(({ group }) => GROUPS.some((one) => one.group === group)));
  assert.ok(!keys.some((key) => /^\d$/.test(key)), "digits belong to labels");
});

test("a command that is not available on the page has no key", () => {
  assert.equal(shortcutOf("n", () => true)?.command, "suggestion.next");
  assert.equal(
    shortcutOf("n", (need) => need !== "highlights"),
    null,
  );
});

test("a label's digit is found on every keyboard", () => {
  assert.deepEqual(hotkeysOf(press("3", "", "Digit3")), ["3", "3"]);
  assert.ok(hotkeysOf(press('"', "", "Digit3")).includes("3"), "French: the digit's place without Shift");
  assert.ok(!hotkeysOf(press("/", "S", "Digit7")).includes("7"), "German: Shift and 7 is a slash");
  assert.deepEqual(hotkeysOf(press("3", "C", "Digit3")), []);
  assert.ok(hotkeysOf(press("End", "", "Numpad1")).includes("1"));
});

test("a key works where the focus leaves it to the page: letters can be limited to the texts, moves never leave them", () => {
  const places = /** @type {const} */ (["texts", "tick", "page", "control", "bar", "field"]);
  const works = (command, letters = true, pressed = undefined) =>
    places.filter((focus) => worksWithFocus(command, focus, letters, pressed));
  assert.deepEqual(works("help"), ["texts", "tick", "page", "control", "bar"]);
  assert.deepEqual(works("help", false), ["texts", "tick"]);
  assert.deepEqual(works("label", false), ["texts", "tick"], "a label's key is a single character too");
  assert.deepEqual(
    [works("move.left"), works("move.left", false)],
    [
      ["texts", "page"],
      ["texts", "page"],
    ],
  );
  assert.deepEqual(works("submit", false), [...places], "everywhere");
  assert.deepEqual(
    [works("undo", false, "Ctrl+z").length, works("undo", false, "z"), works("undo", false, "Shift+z")],
    [5, ["texts", "tick"], ["texts", "tick"]],
    "the chord that was pressed counts",
  );
  assert.deepEqual(works("no command of this page"), []);
});

test("Tab goes from A to B, and Shift+Tab back; beyond them it goes through the page", () => {
  assert.deepEqual(
    [
      ["a", false],
      ["a", true],
      ["b", false],
      ["b", true],
    ].map(([side, shift]) => tabSwitchesText(side, shift)),
    [true, false, false, true],
  );
});
