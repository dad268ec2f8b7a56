/** Verdicts: what is asked before one is sent. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, send, words } from "../page.js";
import { QUESTIONS, RATING, reading } from "../built.js";
import { Questions } from "../../../static/js/workspace/input/questions.js";
import { Verdicts } from "../../../static/js/workspace/input/verdicts.js";
import { Notice } from "../../../static/js/workspace/view/notice.js";

/** The dialogs of a verdict. */
function verdicts(parts = {}) {
  const made = reading(parts);
  made.data.limits = {
    verdicts: ["submitted", "rejected", "flagged", "skipped"],
    skip_percent: 10,
    skips_used: 1,
    skips_left: 2,
  };
  const sent = [];
  const kept = {};
  const questions = new Questions(made.store, made.say);
  const verdict = new Verdicts(
    made.store,
    made.reading,
    questions,
    (one) => sent.push(one),
    async () => sent.push("reopened"),
  );
  // What a verdict needs of the journal; the journal itself has its own tests.
  made.store.journal = { put: (name, value) => (kept[name] = value), read: (name) => kept[name], append() {} };
  return { ...made, verdict, sent, kept };
}

test("unread rows are listed before a pair is submitted, with links", () => {
  const { verdict, sent, store, reading: marks } = verdicts();
  verdict.submit();
  assert.ok(at("unread").open);
  assert.deepEqual(
    [at("unread-words").textContent, [...at("unread-list").children].map(words)],
    ["2 paragraphs are neither read nor marked:", ["The card is free.", "It arrives within two weeks."]],
  );
  at("unread-list").querySelectorAll("button")[1].click();
  assert.deepEqual([at("unread").open, store.cursor.index, sent], [false, 4, []]);
  verdict.submit();
  at("unread-go").click();
  assert.deepEqual([at("unread").open, store.cursor.index], [false, 0]);
  verdict.submit();
  at("unread-submit").click();
  assert.deepEqual(sent, [{ verdict: "submitted", reason: "" }]);
  marks.markSeen([
    ["a", 0],
    ["b", 0],
    ["a", 1],
    ["b", 1],
  ]);
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
  const { verdict } = verdicts({
    a: Array.from({ length: 15 }, (_, n) => `${"word ".repeat(30)}${n}.`).join("\n"),
    b: "x",
    beads: Array.from({ length: 15 }, (_, n) => [[n], n ? [] : [0]]),
  });
  verdict.submit();
  const rows = [...at("unread-list").children].map(words);
  assert.deepEqual([rows.length, rows[12], rows[0].endsWith("…"), rows[0].length < 92], [13, "and 3 more", true, true]);
});

test("a verdict asks for its reason, keeps what was typed, and is sent without spaces around", () => {
  const { verdict, sent, kept, data } = verdicts();
  verdict.open("flagged");
  assert.deepEqual(
    [
      at("verdict").open,
      at("verdict-title").textContent,
      at("verdict-reason").required,
      at("verdict-limit").textContent,
    ],
    [true, "Flag the pair", true, ""],
  );
  at("verdict-reason").value = " broken ";
  send(at("verdict-reason"), "input");
  assert.deepEqual(kept.reasons, { flagged: " broken " });
  send(at("verdict-form"), "submit");
  assert.deepEqual([sent, at("verdict").open], [[{ verdict: "flagged", reason: "broken" }], false]);
  verdict.open("skipped");
  assert.deepEqual(
    [at("verdict-limit").textContent, at("verdict-reason").value, at("verdict-reason").required],
    ["Skipped so far: 1. You can skip 2 more.", "", false],
  );
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

test("a long paragraph is cut between characters, not within one", () => {
  const { verdict } = verdicts({
    a: `${"🙂".repeat(100)}\n${"🙂".repeat(90)}`,
    b: "x",
    beads: [
      [[0], [0]],
      [[1], []],
    ],
  });
  verdict.submit();
  assert.deepEqual([...at("unread-list").children].map(words), [`${"🙂".repeat(88)}…`, "🙂".repeat(90)]);
});

test("an unread paragraph is listed in its own language and direction", () => {
  const { verdict } = verdicts({
    a: "One.",
    b: "שלום.",
    beads: [
      [[0], []],
      [[], [0]],
    ],
    more: {},
  });
  verdict.store.grids.b.direction = "rtl";
  verdict.submit();
  assert.deepEqual(
    [...at("unread-list").querySelectorAll("button")].map(({ lang, dir }) => [lang, dir]),
    [
      ["en", "ltr"],
      ["de", "rtl"],
    ],
  );
});

test("a skip says how many more there may be only where they are limited", () => {
  const { verdict, data } = verdicts();
  verdict.open("skipped");
  assert.ok(/1\D+2/.test(at("verdict-limit").textContent));
  data.limits.skips_left = null;
  verdict.open("skipped");
  assert.equal(at("verdict-limit").textContent, "");
  data.limits.skips_left = 0;
  verdict.open("skipped");
  assert.ok(/1\D+0/.test(at("verdict-limit").textContent));
});

test("each verdict asks in its own words; the reason of a reopened pair is there, until another one was typed", () => {
  const { verdict, data, kept } = verdicts();
  data.annotation.reason = "from before";
  const asks = ["rejected", "flagged", "skipped"].map(
    (one) => (
      verdict.open(one), ["verdict-title", "verdict-words", "verdict-send"].map((id) => at(id).textContent).join("|")
    ),
  );
  assert.equal(new Set(asks).size, 3);
  assert.equal(at("verdict-reason").value, "from before");
  at("verdict-reason").value = "";
  send(at("verdict-reason"), "input");
  verdict.open("flagged");
  verdict.open("skipped");
  assert.deepEqual(
    [at("verdict-reason").value, kept.reasons, document.activeElement === at("verdict-reason")],
    ["", { skipped: "" }, true],
  );
});

test("twelve unread rows are all listed; of thirteen one is counted", () => {
  for (const [n, items] of [
    [12, 12],
    [13, 13],
  ]) {
    const { verdict } = verdicts({
      a: Array.from({ length: n }, (_, row) => `w${row}.`).join("\n"),
      b: "x",
      beads: Array.from({ length: n }, (_, row) => [[row], row ? [] : [0]]),
    });
    verdict.submit();
    assert.deepEqual(
      [at("unread-list").children.length, at("unread-list").querySelectorAll("button").length],
      [items, 12],
    );
  }
});

test("a verdict that is not asked for by a project can't be given, nor any without a journal kept", () => {
  const { verdict, store, sent, data } = verdicts();
  store.journal = null;
  verdict.open("flagged");
  at("verdict-reason").value = "broken";
  send(at("verdict-reason"), "input");
  assert.deepEqual(verdict.reasons(), {});
  send(at("verdict-form"), "submit");
  assert.deepEqual(sent, [{ verdict: "flagged", reason: "broken" }]);
  data.limits.verdicts = [];
  for (const one of ["rejected", "flagged", "skipped"]) verdict.open(one);
  assert.ok(!at("verdict").open);
});

test("the first unanswered question is gone to, and one that is unanswered again is counted again", () => {
  const { verdict, questions = verdict.questions, store } = verdicts({ scheme: RATING });
  questions.setAnswers({ form: "yes" });
  questions.current = 0;
  assert.ok(verdict.goToUnanswered());
  assert.deepEqual([questions.current, at("questions").contains(document.activeElement)], [1, true]);
  const said = at("state-detail").textContent;
  store.undo();
  assert.ok(said.includes("1") && at("state-detail").textContent.includes("2"));
  questions.setAnswers({ form: "yes", meaning: "no" });
  assert.deepEqual([at("state-detail").textContent, verdict.goToUnanswered()], ["", false]);
});
