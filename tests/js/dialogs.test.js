/** Dialogs: questions, verdicts, conflicts between versions; and the panels that open over the texts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frame, media, rest, send, words } from "./page.js";
import { built, chosen, QUESTIONS, RATING, reading } from "./built.js";
import { annotation, FakeStorage } from "./helpers.js";
import { chooseVersion } from "../../static/js/workspace/view/conflict.js";
import { Notice } from "../../static/js/workspace/view/notice.js";
import { Panels } from "../../static/js/workspace/view/panels.js";
import { docOf } from "../../static/js/workspace/model/patches.js";
import { Questions } from "../../static/js/workspace/input/questions.js";
import { Verdicts } from "../../static/js/workspace/input/verdicts.js";

test("questions are answered by key, one after the other, or by a click", () => {
  const { store, say, said } = built({ scheme: RATING });
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  assert.deepEqual([at("questions").hidden, groups.map((one) => one.className), questions.unanswered().length], [false, ["current", ""], 2]);
  assert.ok(!questions.answer(["x"], document.body));
  assert.ok(questions.answer(["y"], document.body));
  assert.deepEqual([store.doc.answers, said.at(-1), groups.map((one) => one.className), questions.unanswered().length], [{ form: "yes" }, "Answer: yes", ["", "current"], 1]);
  assert.ok(groups[0].querySelector("input[value=yes]").checked);
  questions.next();
  assert.equal(document.activeElement, groups[1].querySelector("input"));
  questions.next();
  assert.equal(document.activeElement, groups[0].querySelector("input:checked"));
  const input = groups[1].querySelector("input[value=no]");
  input.checked = true;
  send(input, "change");
  assert.deepEqual(store.doc.answers, { form: "yes", meaning: "no" });
  store.undo();
  assert.ok(!input.checked);
  store.readOnly = true;
  store.emit("view");
  assert.ok(input.disabled);
});

test("several answers are ticked one by one, none of them is an answer too, and own words may be left out", () => {
  const yesNo = [{ key: "yes", name: "Yes", hotkey: "1", value: 1 }, { key: "no", name: "No", hotkey: "", value: 0 }];
  const option = (key, hotkey) => ({ key: `what.${key}`, text: key, of: "What differs?", type: "several", choices: [{ ...yesNo[0], hotkey }, yesNo[1]] });
  const asked = [option("dates", "1"), option("names", "2"), { key: "why", text: "Why?", type: "text", choices: [] }];
  const { store, say, said } = built({ scheme: { ...RATING, questions: asked } });
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  assert.deepEqual(groups.map((one) => one.querySelector("legend").textContent), ["What differs?", "Why?"]);
  assert.equal(questions.unanswered().length, 1);
  const [dates, names, none] = groups[0].querySelectorAll("input");
  assert.ok(questions.answer(["2"], document.body));
  assert.deepEqual([store.doc.answers, questions.unanswered().length, said.at(-1)], [{ "what.dates": "no", "what.names": "yes" }, 0, "Answer: names"]);
  assert.deepEqual([dates.checked, names.checked, none.checked], [false, true, false]);
  send(dates, "change");
  assert.deepEqual([store.doc.answers["what.dates"], said.at(-1)], ["yes", "Answer: dates, names"]);
  send(none, "change");
  assert.deepEqual([store.doc.answers, none.checked, said.at(-1)], [{ "what.dates": "no", "what.names": "no" }, true, "Answer: None of these"]);
  send(none, "change");
  assert.deepEqual([store.doc.answers, none.checked], [{}, false]);
  store.undo();
  assert.ok(none.checked);
  const area = groups[1].querySelector("textarea");
  for (const words of ["N", "No ", "No dates"]) {
    area.value = words;
    send(area, "input");
  }
  assert.equal(store.doc.answers.why, "No dates");
  store.undo();
  assert.deepEqual([store.doc.answers.why, area.value], [undefined, ""]);
  store.readOnly = true;
  store.emit("view");
  assert.ok(area.readOnly && none.disabled);
});

test("a question says of which type it is, so that a style can lay out its answers", () => {
  const { store, say } = built({ scheme: { ...RATING, questions: [{ ...QUESTIONS[0], type: "scale" }, QUESTIONS[1]] } });
  new Questions(store, say);
  assert.deepEqual([...at("questions").querySelectorAll("fieldset")].map((one) => one.dataset.type), ["scale", "choices"]);
});

test("if there is something to mark, keys answer only in the questions; without questions there is no panel", () => {
  const { store, say, data } = built();
  data.project.scheme = { ...data.project.scheme, questions: QUESTIONS };
  assert.ok(new Questions(store, say).panel.hidden);
  store.scheme = { ...store.scheme, questions: QUESTIONS };
  const questions = new Questions(store, say);
  assert.ok(!questions.answer(["y"], document.body));
  assert.ok(questions.answer(["y"], at("questions").querySelector("input")));
});

test("a digit answers the question that has the focus, also if it is a label's too, and then never marks a word", () => {
  const yesNo = ["yes", "no"].map((key, n) => ({ key, name: key, hotkey: "", value: 1 - n }));
  const scale = { key: "grade", text: "How much?", type: "scale", choices: [2, 3, 4].map((n) => ({ key: `${n}`, name: `${n}`, hotkey: "", value: n })) };
  const option = (key) => ({ key: `what.${key}`, text: key, of: "What?", type: "several", choices: yesNo });
  const { store, say } = built();
  store.scheme = { ...store.scheme, questions: [scale, option("dates"), option("names"), { key: "why", text: "Why?", type: "text", choices: [] }] };
  const questions = new Questions(store, say);
  const groups = [...at("questions").querySelectorAll("fieldset")];
  const keys = groups.map((one) => [...one.querySelectorAll("kbd")].map((kbd) => [kbd.textContent, kbd.className]));
  assert.deepEqual(keys, [["2", "3", "4"].map((key) => [key, "inside"]), ["1", "2", "3"].map((key) => [key, "inside"]), []]);
  assert.ok(!questions.answer(["3"], document.body), "in the texts it is the label's");
  questions.focus();
  assert.ok(questions.answer(["1"], document.activeElement), "no label either");
  assert.deepEqual(store.doc.answers, {});
  assert.ok(questions.answer(["3"], document.activeElement));
  assert.deepEqual([store.doc.answers, groups[1].contains(document.activeElement)], [{ grade: "3" }, true]);
  assert.ok(questions.answer(["&", "1"], document.activeElement));
  assert.deepEqual([store.doc.answers["what.dates"], store.doc.answers["what.names"]], ["yes", "no"]);
  assert.ok(questions.answer(["3"], document.activeElement));
  assert.deepEqual([store.doc.answers["what.dates"], store.doc.answers["what.names"], store.doc.spans.size], ["no", "no", 0]);
  assert.ok(!questions.answer(["q"], document.activeElement), "other keys do what they do elsewhere");
});

/** The dialogs of a verdict. */
function verdicts(parts = {}) {
  const made = reading(parts);
  made.data.limits = { verdicts: ["submitted", "rejected", "flagged", "skipped"], skip_percent: 10, skips_used: 1, skips_left: 2 };
  const sent = [];
  const kept = {};
  const questions = new Questions(made.store, made.say);
  const verdict = new Verdicts(made.store, made.reading, questions, (one) => sent.push(one), async () => sent.push("reopened"));
  // What a verdict needs of the journal; the journal itself has its own tests.
  made.store.journal = { put: (name, value) => (kept[name] = value), read: (name) => kept[name], append() {} };
  return { ...made, verdict, sent, kept };
}

test("unread rows are listed before a pair is submitted, with links", () => {
  const { verdict, sent, store, reading: marks } = verdicts();
  verdict.submit();
  assert.ok(at("unread").open);
  assert.deepEqual([at("unread-words").textContent, [...at("unread-list").children].map(words)], ["2 paragraphs are neither read nor marked:", ["The card is free.", "It arrives within two weeks."]]);
  at("unread-list").querySelectorAll("button")[1].click();
  assert.deepEqual([at("unread").open, store.cursor.index, sent], [false, 4, []]);
  verdict.submit();
  at("unread-go").click();
  assert.deepEqual([at("unread").open, store.cursor.index], [false, 0]);
  verdict.submit();
  at("unread-submit").click();
  assert.deepEqual(sent, [{ verdict: "submitted", reason: "" }]);
  marks.markSeen([["a", 0], ["b", 0], ["a", 1], ["b", 1]]);
  verdict.submit();
  assert.equal(sent.length, 2, "nothing to ask");
  store.readOnly = true;
  verdict.submit();
  verdict.open("flagged");
  assert.deepEqual([sent.length, at("verdict").open], [2, false]);
});

test("Ctrl+Enter confirms a submission with unread rows, unless it is still held down", () => {
  const { verdict, sent } = verdicts();
  verdict.submit();
  const press = (more) => send(at("unread-go"), "keydown", { key: "Enter", ...more });
  press({});
  press({ ctrlKey: true, shiftKey: true });
  assert.ok(press({ ctrlKey: true, repeat: true }).defaultPrevented);
  assert.deepEqual([sent, at("unread").open], [[], true]);
  assert.ok(press({ ctrlKey: true }).defaultPrevented);
  assert.deepEqual([sent, at("unread").open], [[{ verdict: "submitted", reason: "" }], false]);
  verdict.submit();
  press({ metaKey: true });
  assert.equal(sent.length, 2);
});

test("a long list of unread rows is cut, and long paragraphs too", () => {
  const { verdict } = verdicts({ a: Array.from({ length: 15 }, (_, n) => `${"word ".repeat(30)}${n}.`).join("\n"), b: "x", beads: Array.from({ length: 15 }, (_, n) => [[n], n ? [] : [0]]) });
  verdict.submit();
  const rows = [...at("unread-list").children].map(words);
  assert.deepEqual([rows.length, rows[12], rows[0].endsWith("…"), rows[0].length < 92], [13, "and 3 more", true, true]);
});

test("a verdict asks for its reason, keeps what was typed, and is sent without spaces around", () => {
  const { verdict, sent, kept, data } = verdicts();
  verdict.open("flagged");
  assert.deepEqual([at("verdict").open, at("verdict-title").textContent, at("verdict-reason").required, at("verdict-limit").textContent], [true, "Flag the pair", true, ""]);
  at("verdict-reason").value = " broken ";
  send(at("verdict-reason"), "input");
  assert.deepEqual(kept.reasons, { flagged: " broken " });
  send(at("verdict-form"), "submit");
  assert.deepEqual([sent, at("verdict").open], [[{ verdict: "flagged", reason: "broken" }], false]);
  verdict.open("skipped");
  assert.deepEqual([at("verdict-limit").textContent, at("verdict-reason").value, at("verdict-reason").required], ["Skipped so far: 1. You can skip 2 more.", "", false]);
  at("verdict").close();
  verdict.open("flagged");
  assert.equal(at("verdict-reason").value, " broken ");
  at("verdict").close();
  data.limits.verdicts = ["submitted"];
  verdict.open("rejected");
  assert.ok(!at("verdict").open);
  verdict.reopen();
  assert.equal(sent.at(-1), "reopened");
});

test("Ctrl+Enter sends the verdict that a dialog asks for, once the reason that it needs is there", () => {
  const { verdict, sent } = verdicts();
  const press = (more) => send(at("verdict-reason"), "keydown", { key: "Enter", ...more });
  verdict.open("flagged");
  press({ ctrlKey: true });
  assert.deepEqual([sent, at("verdict").open], [[], true]);
  at("verdict-reason").value = "broken";
  press({});
  press({ ctrlKey: true, shiftKey: true });
  assert.deepEqual(sent, [], "a new line; what takes a submission back");
  assert.ok(press({ ctrlKey: true }).defaultPrevented);
  assert.deepEqual([sent, at("verdict").open], [[{ verdict: "flagged", reason: "broken" }], false]);
  verdict.open("skipped");
  press({ metaKey: true });
  assert.deepEqual(sent[1], { verdict: "skipped", reason: "" });
});

test("an unanswered question prevents submission", () => {
  const { verdict, sent, store } = verdicts({ scheme: RATING });
  verdict.submit();
  assert.deepEqual([sent, at("state-detail").textContent], [[], "2 questions are unanswered."]);
  for (const { key } of QUESTIONS) store.doc.answers[key] = "yes";
  verdict.submit();
  assert.deepEqual(sent, [{ verdict: "submitted", reason: "" }], "where nothing is marked, nothing is unread");
});

test("that a question is unanswered is said until it is answered, also while work is saved", () => {
  const { verdict, store } = verdicts({ scheme: RATING });
  const notice = new Notice();
  const facts = { detail: "", unsaved: 0, ticks: 0, waiting: false, reopens: true, final: false };
  const told = () => at("state-detail").textContent;
  notice.note = "added to the other version";
  notice.show("saved", facts, false);
  verdict.submit();
  for (const state of ["changed", "saving", "saved"]) notice.show(state, facts, false);
  assert.equal(told(), "2 questions are unanswered.", "a note that was there before is no news");
  notice.note = "";
  for (const state of ["changed", "saving", "saved"]) notice.show(state, facts, true);
  assert.equal(told(), "2 questions are unanswered.");
  verdict.questions.setAnswers({ form: "yes" });
  assert.equal(told(), "1 question is unanswered.");
  notice.show("offline", facts, false);
  assert.ok(!told().includes("unanswered"), "news takes its place");
  const news = told();
  verdict.submit();
  notice.show("offline", facts, false);
  assert.equal(told(), "1 question is unanswered.");
  verdict.questions.setAnswers({ meaning: "yes" });
  assert.equal(told(), "");
  notice.show("offline", facts, false);
  assert.equal(told(), news);
  notice.show("saved", facts, false);
  assert.equal(told(), "");
  store.undo();
  assert.equal(told(), "", "nobody asked");
});

test("guidelines beside the texts stay on Escape and on the next pair, where they were being read; over them, they don't", () => {
  const panel = () => at("guidelines");
  const open = (storage = new FakeStorage(), more = {}) => {
    const { store, preferences } = built(more);
    return { storage, panels: new Panels(store, preferences, () => true, storage, "3") };
  };
  const first = open();
  assert.ok(panel().hidden && first.panels.toggleGuidelines());
  assert.equal(document.activeElement, at("guidelines-title"));
  assert.deepEqual([first.panels.close(true), panel().hidden], [true, false], "the focus leaves them");
  document.activeElement.blur();
  assert.ok(!first.panels.close(true), "Escape is then about the texts");
  panel().scrollTop = 120;
  send(panel(), "scroll");
  const second = open(first.storage);
  frame();
  assert.deepEqual([panel().hidden, panel().scrollTop, document.activeElement], [false, 120, document.body]);
  assert.equal(second.panels.toggleGuidelines(), false);
  open(first.storage);
  assert.ok(panel().hidden, "closed once, closed on the next pair");
  const third = open();
  third.panels.toggleGuidelines();
  media.add("(max-width: 1100px)");
  open(third.storage);
  assert.ok(panel().hidden, "a narrow window is not covered");
  const narrow = open();
  narrow.panels.toggleGuidelines();
  assert.deepEqual([narrow.panels.close(true), panel().hidden, narrow.storage.length], [true, true, 0]);
  media.clear();
  const full = open(new FakeStorage(0));
  assert.ok(full.panels.toggleGuidelines(), "a full storage is no obstacle");
});

test("help, guidelines, preferences and the list open and close; unavailable commands are not listed", () => {
  const { store, preferences } = built();
  const panels = new Panels(store, preferences, (needed) => needed !== "questions", new FakeStorage(), "3");
  assert.deepEqual([...at("guidelines-labels").querySelectorAll("b")].map(words), ["L1", "L2", "L3", "L4", "L5"]);
  assert.ok(!panels.close());
  panels.toggleGuidelines();
  assert.ok(!at("guidelines").hidden && document.activeElement === at("guidelines-title"));
  at("guidelines-close").click();
  assert.ok(at("guidelines").hidden);
  panels.toggleGuidelines();
  assert.ok(panels.close());
  panels.toggleSpanList();
  assert.ok(!preferences.values.ledger && document.body.classList.contains("no-span-list"));
  panels.toggleSpanList();
  assert.ok(!document.body.classList.contains("no-span-list"));
  media.add("(max-width: 1100px)");
  panels.toggleSpanList();
  assert.ok(document.body.classList.contains("span-list-open") && panels.close() && !document.body.classList.contains("span-list-open"));
  media.clear();
  panels.showHelp();
  const listed = words(at("help-list"));
  assert.ok(at("help").open && listed.includes("Undo") && listed.includes("Mouse and touch") && listed.includes("Drag a handle") && !listed.includes("Answer the question"));
  at("help").querySelector("[data-close]").click();
  assert.ok(!at("help").open);
  panels.showHelp();
  assert.equal(words(at("help-list")), listed, "listed once");
  send(at("help"), "click");
  assert.ok(!at("help").open, "a click beside it closes it");
  panels.showPreferences();
  assert.ok(at("preferences").open);
  send(at("preferences-form"), "click");
  assert.ok(at("preferences").open);
  assert.deepEqual(panels.keys({ command: "label", keys: [] }), ["1", "2", "3", "4", "5"]);
});

test("a project without guidelines says so in their place, until there are some", () => {
  const { store, preferences } = built({ more: { guideline: null } });
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  assert.equal(words(at("guidelines-text")), "There are no guidelines yet.");
  panels.showGuidelines({ html: "<p>Mark less.</p>" });
  assert.equal(words(at("guidelines-text")), "Mark less.");
});

test("links of the guidelines open in a new tab", () => {
  const { store, preferences } = built({ more: { guideline: { version: 1, html: '<a href="/x">more</a>' } } });
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  const link = () => at("guidelines-text").querySelector("a");
  assert.deepEqual([link().target, link().rel], ["_blank", "noopener noreferrer"]);
  panels.showGuidelines({ html: '<a href="/y">newer</a>' });
  assert.deepEqual([link().textContent, link().target], ["newer", "_blank"]);
});

test("two versions are shown span by span, and the chosen one is returned", async () => {
  const { store, add, span } = built();
  const base = docOf(annotation());
  add(span("mine", "1", [0], [0], { comment: "so" }));
  const theirs = { ...annotation([span("theirs", "2", [5], [])], 2), comment: "theirs", answers: { form: "yes" }, saved: "2026-01-01T10:00:00Z" };
  const choices = [];
  for (const id of ["conflict-both", "conflict-keep", "conflict-take"]) {
    const answer = chooseVersion(store, base, theirs);
    await rest();
    assert.ok(at("conflict").open);
    assert.equal(send(at("conflict"), "cancel").defaultPrevented, true, "Escape leaves it open");
    if (id === "conflict-both") {
      assert.deepEqual([...at("conflict-list").querySelectorAll("tr")].map(words), ["1 The – Die (“so”)–", "–2 arrives", "–form: yes", "–Comment for the lead: theirs"]);
      assert.deepEqual(["words", "mine", "theirs"].map((name) => at(`conflict-${name}`).textContent), ["While you worked here, this pair was saved from another tab or another machine at 10:00. This is where the versions differ:", "1 span", "1 span"]);
    }
    at(id).click();
    const { choice, doc, dropped } = await answer;
    choices.push([choice, [...doc.spans.keys()].sort(), dropped]);
    assert.ok(!at("conflict").open);
  }
  assert.deepEqual(choices, [["both", ["mine", "theirs"], 0], ["mine", ["mine"], 0], ["theirs", ["theirs"], 0]]);
});

test("a second question waits until the first is answered", async () => {
  const { store, span } = built();
  const theirs = (label) => annotation([span(label, label, [5], [])], 2);
  const first = chooseVersion(store, docOf(annotation()), theirs("1"));
  const second = chooseVersion(store, docOf(annotation()), theirs("2"));
  const asked = () => words(at("conflict-list"));
  await rest();
  assert.ok(asked().includes("1 arrives"));
  at("conflict-take").click();
  assert.deepEqual([...(await first).doc.spans.keys()], ["1"]);
  await rest();
  assert.ok(at("conflict").open && asked().includes("2 arrives"));
  at("conflict-keep").click();
  assert.equal((await second).choice, "mine");
});

test("nothing is asked if one's own version contains all of the other", async () => {
  const { store } = built();
  store.commit([{ kind: "comment", id: "", before: "", after: "see line 3, and line 4" }]);
  const other = { ...annotation(), comment: "see line 3" };
  const { choice, doc } = await chooseVersion(store, docOf(annotation()), other);
  assert.deepEqual([choice, doc.comment, at("conflict").open], ["both", "see line 3, and line 4", false]);
});
