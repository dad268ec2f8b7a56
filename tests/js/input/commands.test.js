/** The effects of keys and the label bar on the cursor, the selection and the spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, at, press, send, words } from "../page.js";
import { built, chosen, HIGHLIGHTS, spans } from "../built.js";
import { Actions } from "../../../static/js/workspace/input/actions.js";
import { commandsOf, listenToKeys } from "../../../static/js/workspace/input/commands.js";
import { Cursor } from "../../../static/js/workspace/input/cursor.js";
import { LabelBar } from "../../../static/js/workspace/view/label-bar.js";
import { SelectionActions } from "../../../static/js/workspace/input/selection-actions.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";

test("toggle, fragment and the other end work by key, and are announced", () => {
  const { store, actions, cursor, said } = built();
  assert.ok(actions instanceof Actions && actions instanceof SelectionActions && cursor instanceof Cursor);
  cursor.place("a", 1);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1), store.adding], [[1], "card added", true]);
  cursor.place("a", 3);
  actions.toggle();
  assert.deepEqual(chosen(store)[0], [1, 3]);
  actions.toggle();
  assert.deepEqual([chosen(store)[0], said.at(-1)], [[1], "free. removed"]);
  actions.clear();
  cursor.place("a", 4);
  cursor.word(1, true);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [4, 5, 6]);
  cursor.otherEnd();
  assert.equal(store.cursor.index, 4);
  cursor.word(1, true);
  assert.deepEqual(chosen(store)[0], [5, 6]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [true, "The next words are added as a fragment"]);
  actions.toggleAdding();
  assert.deepEqual([store.adding, said.at(-1)], [false, "Fragments are no longer added"]);
});

test("a picked span follows the selection: it grows, shrinks, and is deleted with its last word", () => {
  const { store, actions, cursor, add, span, said } = built();
  add(span("s1", "2", [1], []));
  cursor.place("a", 1);
  assert.ok(actions.pickHere());
  cursor.word(1, true);
  assert.deepEqual([spans(store), said.at(-1)], [[["2", "manual", [1, 2], []]], "2 words"]);
  actions.comment(" both ");
  actions.announceComment();
  assert.deepEqual([store.span("s1").comment, said.at(-1)], ["both", "Comment saved"]);
  actions.split();
  assert.equal(said.at(-1), "Split in two");
  assert.equal(spans(store).length, 2);
  cursor.place("a", 8);
  assert.ok(!actions.pickHere());
  actions.paragraph();
  assert.deepEqual([spans(store).at(-1), said.at(-1)], [["5", "manual", [4, 5, 6, 7, 8], []], "Whole paragraph marked L5"]);
  store.pick("s1");
  actions.pick(null);
  assert.equal(store.picked, null);
});

test("overlapping spans are picked one after the other", () => {
  const { store, actions, cursor, add, span } = built();
  add(span("wide", "2", [0, 1, 2], []), span("narrow", "3", [1], []));
  cursor.place("a", 1);
  const picked = [1, 2, 3].map(() => (actions.pickHere(), store.picked));
  assert.deepEqual(picked, ["narrow", "wide", "narrow"]);
  actions.clear();
  assert.equal(actions.targetSpan(), "narrow");
});

test("a suggestion that is labelled unchanged is accepted, a changed one is edited", () => {
  const { store, actions } = built({ highlights: HIGHLIGHTS });
  const [one] = store.suggestions;
  store.suggest(one.key);
  assert.equal(actions.origin(one.tokens), "accepted");
  assert.equal(actions.origin({ a: [...one.tokens.a, 8], b: [] }), "edited");
  assert.equal(actions.origin({ a: [8], b: [] }), "manual");
  store.suggest(null);
  assert.equal(actions.origin(one.tokens), "manual");
});

test("the cursor moves by words, lines, sentences and paragraphs, and to the ends", () => {
  const { store, cursor, word } = built({ a: "one two three four five six seven. Eight nine.\nIt arrives." });
  const goes = (how) => (how(), store.cursor.index);
  assert.ok(word("a", 0).hasAttribute("data-cursor") && word("a", 0).tabIndex === 0);
  assert.equal(goes(() => cursor.word(-1, false)), 0);
  assert.equal(goes(() => cursor.word(1, false)), 1);
  assert.equal(document.activeElement, word("a", 1));
  assert.ok(!word("a", 0).hasAttribute("data-cursor") && !word("a", 0).hasAttribute("tabindex"));
  assert.equal(goes(() => cursor.line(1, false)), 6, "the word below");
  assert.equal(goes(() => cursor.line(-1, false)), 1);
  assert.equal(goes(() => cursor.sentence(1, false)), 7);
  assert.equal(goes(() => cursor.sentence(-1, false)), 0);
  assert.equal(goes(() => cursor.paragraph(1, false)), 9);
  assert.equal(goes(() => cursor.paragraph(1, false)), 10, "the last word, where there is no other paragraph");
  assert.equal(goes(() => cursor.paragraph(-1, false)), 9);
  assert.equal(goes(() => cursor.edge(1, false, false)), 10);
  assert.equal(goes(() => cursor.edge(-1, true, false)), 0);
  assert.equal(goes(() => cursor.edge(1, true, false)), 10);
  cursor.edge(-1, true, true);
  assert.equal(store.selected.a.size, 11);
});

test("the cursor goes across to the counterpart, to the picked span, or to the aligned paragraph", () => {
  const { store, cursor, actions, add, span } = built({ highlights: HIGHLIGHTS });
  cursor.place("a", 4);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 5 });
  cursor.place("a", 2);
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 2 }, "at the same share of the row");
  add(span("s1", "1", [2], [7]));
  cursor.place("a", 2);
  actions.pick("s1");
  cursor.across();
  assert.deepEqual(store.cursor, { side: "b", index: 7 });
});

test("in a right-to-left text, right is the previous word", () => {
  const { store, cursor } = built();
  store.grids.a.direction = "rtl";
  cursor.place("a", 3);
  cursor.word(1, false);
  assert.equal(store.cursor.index, 2);
});

/** A page with the label bar. */
function bar(parts) {
  const made = built(parts);
  const ran = [];
  const labelBar = new LabelBar(made.store, made.view, made.actions, at("label-bar"), (name) => ran.push(name));
  const tool = (name) => at("label-bar").querySelector(`[data-command="${name}"]`);
  return { ...made, ran, labelBar, tool };
}

test("the label bar opens next to the selection, and offers the available commands", () => {
  const { store, actions, labelBar, tool, ran, add, span } = bar();
  assert.deepEqual([at("label-bar").hidden, labelBar.focus()], [true, false]);
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  assert.ok(!at("label-bar").hidden);
  assert.deepEqual(["fragment", "comment", "split", "remove", "suggestion.dismiss", "escape"].map((name) => tool(name).hidden), [false, true, true, true, true, false]);
  assert.equal(labelBar.kind.textContent, "only in English");
  assert.notEqual(at("label-bar").style.top, "");
  assert.match(at("label-bar").style.left, /^\d+px$/);
  assert.equal(tool("fragment").getAttribute("aria-pressed"), "false");
  store.setAdding(true);
  assert.equal(tool("fragment").getAttribute("aria-pressed"), "true");
  store.setAdding(false);
  assert.equal(at("label-bar").style.getPropertyValue("--column"), "300px");
  assert.ok(labelBar.comment.hidden);
  labelBar.labels.get("3").click();
  assert.deepEqual([spans(store)[0][0], ran], ["3", ["focus"]]);
  assert.ok(at("label-bar").hidden);
  add(span("s2", "4", [5], [5]));
  actions.pick("s2");
  assert.deepEqual(["comment", "split", "remove"].map((name) => tool(name).hidden), [false, false, false]);
  assert.equal(labelBar.labels.get("4").getAttribute("aria-pressed"), "true");
  assert.equal(labelBar.labels.get("3").getAttribute("aria-pressed"), "false");
  assert.equal(labelBar.kind.textContent, "in both texts");
  assert.ok(labelBar.focus());
  assert.equal(document.activeElement, labelBar.labels.get("4"));
  for (const name of ["remove", "escape"]) tool(name).click();
  assert.deepEqual(ran.slice(1), ["remove", "escape"]);
  store.setDragging(true);
  assert.ok(at("label-bar").hidden);
});

test("the label bar shows the label that is predicted for a suggestion, and offers to accept it", () => {
  const [first, second] = HIGHLIGHTS.proposals;
  const { store, actions, labelBar, ran } = bar({ highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }, second] } });
  const steps = new SuggestionActions(store, { place() {} }, actions, {}, () => {});
  const predicted = () => [...labelBar.labels].filter(([, button]) => button.classList.contains("predicted")).map(([key]) => key);
  steps.show("p1");
  assert.deepEqual([predicted(), labelBar.accept.hidden, labelBar.accept.textContent], [["3"], false, "Accept as L3"]);
  labelBar.accept.click();
  assert.deepEqual(ran, ["open"]);
  actions.accept();
  const [span] = store.doc.spans.values();
  assert.deepEqual([span.label, span.predicted, span.origin, store.picked], ["3", "3", "accepted", span.id]);
  assert.deepEqual([predicted(), labelBar.accept.hidden], [[], true]);
  actions.label("5");
  assert.deepEqual([...store.doc.spans.values()].map((one) => [one.label, one.predicted]), [["5", "3"]]);
  steps.show("p2");
  assert.deepEqual([predicted(), labelBar.accept.hidden], [[], true]);
  actions.accept();
  assert.equal(store.doc.spans.size, 1, "nothing is predicted, nothing is accepted");
});

test("keys move along the label bar and leave it; a comment is saved while it is typed", () => {
  const { store, actions, labelBar, ran, add, span, said } = bar();
  add(span("s1", "4", [5], []));
  actions.pick("s1");
  labelBar.focus();
  press(document.activeElement, "ArrowRight");
  assert.equal(document.activeElement, labelBar.labels.get("5"));
  press(document.activeElement, "ArrowLeft");
  press(document.activeElement, "ArrowUp");
  assert.equal(document.activeElement, labelBar.labels.get("3"));
  assert.ok(press(document.activeElement, "Escape").defaultPrevented);
  assert.ok(!press(labelBar.labels.get("3"), "x").defaultPrevented);
  assert.deepEqual(ran, ["focus"]);
  assert.ok(labelBar.comment.hidden);
  labelBar.editComment();
  assert.deepEqual([document.activeElement, labelBar.comment.hidden], [labelBar.comment, false]);
  labelBar.comment.value = "a word";
  send(labelBar.comment, "input");
  assert.equal(store.span("s1").comment, "a word");
  send(labelBar.comment, "change");
  assert.equal(said.at(-1), "Comment saved");
  press(labelBar.comment, "Enter");
  assert.deepEqual(ran, ["focus", "focus"]);
  assert.ok(send(labelBar.labels.get("3"), "mousedown").defaultPrevented, "the selection stays");
  assert.ok(!send(labelBar.comment, "mousedown").defaultPrevented);
  labelBar.comment.blur();
  add(span("s2", "4", [7], [], { comment: "of another span" }));
  actions.pick("s2");
  assert.deepEqual([labelBar.comment.value, labelBar.comment.hidden], ["of another span", false]);
});

/** All commands with mocks that record their calls. */
function commands(parts = {}) {
  const made = built(parts);
  const asked = [];
  const noting = (name) => new Proxy({}, { get: (_, what) => (...given) => (asked.push([`${name}.${String(what)}`, ...given]), false) });
  const stubs = Object.fromEntries(["reading", "suggestionActions", "labelBar", "find", "panels", "verdicts", "layout"].map((name) => [name, noting(name)]));
  const questions = { next: () => asked.push(["questions.next"]), answer: () => false };
  const all = { ...stubs, questions, store: made.store, actions: made.actions, cursor: made.cursor, preferences: made.preferences, say: made.say };
  const table = commandsOf(all);
  return { ...made, asked, all, table };
}

test("every command calls its part", () => {
  const { table, asked, add, span, store, actions, preferences } = commands({ highlights: HIGHLIGHTS });
  add(span("s1", "1", [0], []));
  store.suggest(store.suggestions[0].key);
  for (const name of ["find", "find.whole", "suggestion.next", "suggestion.previous", "suggestion.dismiss", "suggestion.hide", "question.next", "read.tick", "read.next", "submit", "reject", "flag", "skip", "reopen", "guidelines", "list", "preferences", "help"])
    table[name]();
  assert.deepEqual(asked, [
    ["find.open"], ["find.toggleWhole"], ["suggestionActions.step", 1], ["suggestionActions.step", -1], ["suggestionActions.dismiss"], ["suggestionActions.toggleVisible"], ["questions.next"], ["reading.tickHere"], ["reading.goToNextUnread"],
    ["verdicts.submit"], ["verdicts.open", "rejected"], ["verdicts.open", "flagged"], ["verdicts.open", "skipped"], ["verdicts.reopen"], ["panels.toggleGuidelines"], ["panels.toggleSpanList"], ["panels.showPreferences"], ["panels.showHelp"],
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
