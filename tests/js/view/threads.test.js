/** A thread as elements. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, words } from "../page.js";
import {
  aboutElements,
  quoteElements,
  showProblem,
  showUnreadCount,
  threadElement,
} from "../../../static/js/workspace/view/threads.js";

const message = (by, text, more = {}) => ({
  id: 1,
  by,
  name: "",
  mine: false,
  text,
  made: "2026-11-23T09:05:00+00:00",
  ...more,
});
const thread = (more = {}) => ({
  id: 4,
  words: [],
  resolved: false,
  waiting_for: "lead",
  unread: false,
  new: false,
  read_by: [],
  messages: [message("lead", "One.")],
  ...more,
});
const does = (element) => [...element.querySelectorAll("[data-do]")].map((one) => one.dataset.do);

test("who said what, as text and never as markup", () => {
  const messages = [
    message("annotator", "<b>Why?</b>", { mine: true }),
    message("lead", "So."),
    message("annotator", "Hm.", { name: "A1" }),
  ];
  const element = threadElement(thread({ messages }), false, true);
  assert.deepEqual(
    [...element.querySelectorAll("li")].map((one) => one.className),
    ["annotator", "lead", "annotator"],
  );
  assert.deepEqual(
    [...element.querySelectorAll("li > .quiet")].map((one) => words(one).split(" ·")[0]),
    ["You", "Lead", "A1"],
  );
  assert.equal(element.querySelector(".message-text").textContent, "<b>Why?</b>");
  assert.equal(element.querySelector("b"), null);
  assert.ok(element.querySelector("time").textContent);
});

test("what it is about leads to the texts, and a whole pair nowhere", () => {
  const element = threadElement(thread({ words: [{ text: "eins" }, { text: "zwei" }] }), false, true);
  assert.deepEqual(
    [...element.querySelectorAll("[data-do=show] q")].map((one) => one.textContent),
    ["eins", "zwei"],
  );
  assert.deepEqual([element.id, element.dataset.id, does(element)], ["thread-4", "4", ["show", "answer", "resolve"]]);
  assert.match(words(threadElement(thread(), false, true)), /^About the pair waiting for a lead/);
  assert.equal(quoteElements(["x"])[0].getAttribute("dir"), "auto");
});

test("a resolved one can be opened again, and in an archived project nothing can be written", () => {
  const resolved = threadElement(thread({ resolved: true }), false, true);
  assert.deepEqual([resolved.className, does(resolved)], ["thread resolved", ["answer", "reopen"]]);
  assert.match(words(resolved), /resolved/);
  assert.deepEqual(does(threadElement(thread(), true, true)), []);
});

test("an annotator sees what is answered and new, a lead who has to answer", () => {
  const answered = thread({ waiting_for: "annotator", unread: true });
  const about = (one, mine) => words(threadElement(one, false, mine).querySelector(".about"));
  assert.equal(about({ ...answered, new: true }, true), "About the pair answered new");
  assert.equal(about({ ...answered, unread: false }, true), "About the pair answered");
  assert.equal(about(answered, false), "About the pair waiting for the annotator, who has not read it");
  assert.equal(
    about({ ...answered, unread: false }, false),
    "About the pair waiting for the annotator, who has read it",
  );
});

test("a lead sees what waits and is new, and which other leads have read it", () => {
  const about = (more) => words(threadElement(thread(more), false, false).querySelector(".about"));
  assert.equal(about({ new: true }), "About the pair waiting for a lead new");
  assert.equal(about({ read_by: ["mia", "jo"] }), "About the pair waiting for a lead; read by mia, jo");
});

test("whom a thread waits for is said differently in each case", () => {
  const said = (more, mine) => words(threadElement(thread(more), false, mine).querySelector("small"));
  const cases = [
    said({}, true),
    said({ read_by: ["L1", "L2"] }, true),
    said({ resolved: true }, true),
    said({ waiting_for: "annotator" }, true),
    said({ waiting_for: "annotator" }, false),
    said({ waiting_for: "annotator", unread: true }, false),
  ];
  assert.equal(new Set(cases).size, cases.length);
  assert.ok(cases[1].includes("L1, L2"));
});

test("what is written is about the pair, or the words that it quotes, and a reply is no new message", () => {
  const text = (elements) => elements.map((one) => one.textContent ?? one).join("");
  const [fresh, reply, about] = [
    aboutElements(false, []),
    aboutElements(true, []),
    aboutElements(true, ["eins", "zwei"]),
  ];
  assert.notEqual(text(fresh), text(reply));
  assert.deepEqual(
    [
      about.filter((one) => one.tagName === "Q").map((one) => one.textContent),
      reply.filter((one) => one.tagName === "Q"),
    ],
    [["eins", "zwei"], []],
  );
});

test("a problem and the number of unread threads are shown only if there are some", () => {
  for (const [problem, n] of [
    ["no network", 3],
    ["", 0],
  ]) {
    showProblem(problem);
    showUnreadCount(n);
    assert.deepEqual([at("message-problem").textContent, at("message-problem").hidden], [problem, !problem]);
    assert.deepEqual([at("messages-new").textContent, at("messages-new").hidden], [n ? "3" : "", !n]);
  }
});
