/** The commands: each calls its part, and keys reach them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, at, press } from "../page.js";
import { built, HIGHLIGHTS, spans } from "../built.js";
import { commandsOf, listenToKeys } from "../../../static/js/workspace/input/commands.js";

/** All commands with mocks that record their calls. */
function commands(parts = {}) {
  const made = built(parts);
  const asked = [];
  const noting = (name) =>
    new Proxy(
      {},
      {
        get:
          (_, what) =>
          (...given) => (asked.push([`${name}.${String(what)}`, ...given]), false),
      },
    );
  const stubs = Object.fromEntries(
    ["reading", "suggestionActions", "labelBar", "find", "panels", "verdicts", "layout"].map((name) => [
      name,
      noting(name),
    ]),
  );
  const questions = { next: () => asked.push(["questions.next"]), answer: () => false };
  const all = {
    ...stubs,
    questions,
    store: made.store,
    actions: made.actions,
    cursor: made.cursor,
    preferences: made.preferences,
    say: made.say,
  };
  const table = commandsOf(all);
  return { ...made, asked, all, table };
}

test("every command calls its part", () => {
  const { table, asked, add, span, store, actions, preferences } = commands({ highlights: HIGHLIGHTS });
  add(span("s1", "1", [0], []));
  store.suggest(store.suggestions[0].key);
  for (const name of [
    "find",
    "find.whole",
    "suggestion.next",
    "suggestion.previous",
    "suggestion.dismiss",
    "suggestion.hide",
    "question.next",
    "read.tick",
    "read.next",
    "submit",
    "reject",
    "flag",
    "skip",
    "reopen",
    "guidelines",
    "list",
    "preferences",
    "help",
  ])
    table[name]();
  assert.deepEqual(asked, [
    ["find.open"],
    ["find.toggleWhole"],
    ["suggestionActions.step", 1],
    ["suggestionActions.step", -1],
    ["suggestionActions.dismiss"],
    ["suggestionActions.toggleVisible"],
    ["questions.next"],
    ["reading.tickHere"],
    ["reading.goToNextUnread"],
    ["verdicts.submit"],
    ["verdicts.open", "rejected"],
    ["verdicts.open", "flagged"],
    ["verdicts.open", "skipped"],
    ["verdicts.reopen"],
    ["panels.toggleGuidelines"],
    ["panels.toggleSpanList"],
    ["panels.showPreferences"],
    ["panels.showHelp"],
  ]);
  table.together();
  assert.equal(preferences.values.together, false);
  table["pair.comment"]();
  assert.ok(document.body.classList.contains("editing-comment") && document.activeElement === at("pair-comment"));
  actions.clear();
  table.comment();
  assert.deepEqual(asked.at(-1), ["labelBar.editComment"]);
  table.open();
  assert.deepEqual(asked.at(-1), ["labelBar.focus"]);
});

test("movements, the next span, escape, and undo put the cursor where they should", () => {
  const { table, store, add, span, said, asked } = commands();
  table["move.right"]();
  table["extend.right"]();
  assert.deepEqual([store.cursor.index, [...store.selected.a]], [2, [1, 2]]);
  table.escape();
  assert.deepEqual([[...store.selected.a], said.at(-1)], [[], "Selection cleared"]);
  table["move.paragraph.down"]();
  assert.equal(store.cursor.index, 4);
  table["move.sentence.left"]();
  assert.equal(store.cursor.index, 0);
  table["move.end"]();
  assert.equal(store.cursor.index, 3);
  table["move.last"]();
  assert.equal(store.cursor.index, 8);
  add(span("s1", "1", [1], []), span("s2", "1", [5], [5]), span("s3", "1", [8], []));
  store.moveTo("a", 3);
  table["span.next"]();
  assert.deepEqual([store.picked, store.cursor.index], ["s2", 5]);
  assert.equal(asked.at(-1)[0], "layout.showBothEnds");
  table["span.next"]();
  table["span.next"]();
  assert.equal(store.picked, "s1");
  table["span.previous"]();
  assert.equal(store.picked, "s3");
  table.escape();
  assert.equal(said.at(-1), "Span deselected");
  store.moveTo("a", 3);
  table["span.previous"]();
  assert.equal(store.picked, "s1");
  table.escape();
  table.undo();
  assert.deepEqual([store.doc.spans.size, store.cursor.index], [0, 8]);
  table.redo();
  assert.equal(store.doc.spans.size, 3);
  store.regions = [{ key: "k1", spans: [span("r1", "1", [], [4])] }];
  store.commit([{ kind: "unmarked", id: "k1", before: false, after: true }]);
  store.moveTo("a", 0);
  table.undo();
  assert.deepEqual([[...store.doc.unmarked], store.cursor.side, store.cursor.index], [[], "b", 4]);
});

test("keys reach the commands, digits the labels, and fields keep their own", () => {
  const { table, all, store, word, preferences } = commands();
  const ran = [];
  for (const name of ["find", "help", "focus", "move.across"]) table[name] = () => ran.push(name);
  listenToKeys(all, table, () => true);
  store.moveTo("a", 2);
  word("a", 2).focus();
  assert.ok(press(word("a", 2), "3", { code: "Digit3" }).defaultPrevented);
  assert.deepEqual(spans(store), [["3", "manual", [2], []]]);
  press(word("a", 2), "/", { code: "Slash" });
  press(word("a", 2), "?", { code: "Slash", shiftKey: true });
  assert.deepEqual(ran, ["find", "help"]);
  assert.ok(!press(at("pair-comment"), "3", { code: "Digit3" }).defaultPrevented);
  press(at("pair-comment"), "Escape");
  assert.deepEqual(ran, ["find", "help", "focus"]);
  press(word("a", 2), "ArrowRight");
  assert.deepEqual([store.cursor.index, store.device], [3, "keyboard"]);
  at("help").setAttribute("open", "");
  press(word("a", 2), "ArrowRight");
  assert.equal(store.cursor.index, 3, "a dialog has the keys");
  at("help").removeAttribute("open");
  assert.ok(press(word("a", 3), "Tab").defaultPrevented);
  assert.equal(ran.at(-1), "move.across");
  store.moveTo("b", 0);
  assert.ok(!press(word("b", 0), "Tab").defaultPrevented, "Tab goes on through the page");
  assert.ok(press(word("b", 0), "Tab", { shiftKey: true }).defaultPrevented);
  preferences.set("letters", false);
  ran.length = 0;
  press(document.body, "/", { code: "Slash" });
  assert.deepEqual(ran, [], "single letters are switched off outside of the texts");
});
