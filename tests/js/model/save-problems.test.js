import assert from "node:assert/strict";
import { test } from "node:test";
import { explainProblem, isNormalState, showsUnsavedCount } from "../../../static/js/workspace/model/save-problems.js";

const facts = { detail: "", unsaved: 0, ticks: false, waiting: false, reopens: true, final: false };
const told = (state, parts) => explainProblem(state, { ...facts, ...parts });

test("while all is well, nothing is explained", () => {
  for (const state of ["saved", "saving", "changed"]) {
    assert.ok(isNormalState(state));
    assert.deepEqual(told(state, { unsaved: 2 }), []);
  }
  assert.ok(!isNormalState("offline") && !isNormalState("submitted"));
});

test("what happened comes first, then what is kept here", () => {
  assert.deepEqual(told("login", { unsaved: 2 }), [
    "You have been logged out. Log in again and your work will be saved.",
    "2 changes are kept in this browser.",
  ]);
  assert.deepEqual(told("other", { unsaved: 1, detail: "berta" }), [
    "berta is logged in in this browser now, so nothing on this page can be saved.",
    "1 change is kept in this browser.",
  ]);
  assert.deepEqual(told("gone", { unsaved: 1 }), [
    "This pair is not assigned to you any more, or was deleted, perhaps with its project. Ask the lead.",
    "1 change is kept in this browser.",
  ]);
  assert.deepEqual(told("refused", { unsaved: 1, detail: "The trial phase is closed." }), [
    "The trial phase is closed.",
    "1 change is kept in this browser.",
  ]);
  assert.deepEqual(
    told("login", {}),
    ["You have been logged out. Log in again and your work will be saved."],
    "nothing is said to be kept where nothing is",
  );
});

test("a pair that was submitted elsewhere says what is not part of it, and offers reopening only where it is possible", () => {
  assert.deepEqual(told("submitted", {}), ["This pair was submitted in another tab or on another machine."]);
  assert.deepEqual(told("submitted", { unsaved: 3 }), [
    "This pair was submitted in another tab or on another machine.",
    "3 changes made here are not part of it, and are kept in this browser.",
    "Reopen the pair to add the changes made here.",
  ]);
  assert.deepEqual(told("submitted", { unsaved: 3, reopens: false }), [
    "This pair was submitted in another tab or on another machine.",
    "3 changes made here are not part of it, and are kept in this browser.",
  ]);
});

test("a pair that was reassigned says so and what is kept, and promises nothing", () => {
  assert.deepEqual(told("reassigned", { unsaved: 2, ticks: true, waiting: true }), [
    "The lead has assigned this pair to someone else.",
    "2 changes made here were not saved and don't count. If they matter, tell the lead; otherwise discard them.",
  ]);
  assert.deepEqual(told("reassigned", { ticks: true }), ["The lead has assigned this pair to someone else."]);
  assert.ok(showsUnsavedCount("reassigned") && !isNormalState("reassigned"));
});

test("gold made of a draft says what it lacks", () => {
  assert.deepEqual(told("gold", { unsaved: 1, ticks: true }), [
    "The draft was closed and gold was created from it.",
    "1 change made here was not saved and is not part of it. It can be made in the next draft.",
  ]);
  assert.ok(showsUnsavedCount("gold") && !isNormalState("gold"));
});

test("a waiting verdict is mentioned if it will be sent, and only then", () => {
  assert.deepEqual(told("offline", { unsaved: 1, waiting: true }), ["Your verdict is kept too and will be sent."]);
  assert.deepEqual(told("login", { waiting: true }), [
    "You have been logged out. Log in again and your work will be saved.",
    "Your verdict is kept too and will be sent.",
  ]);
  assert.deepEqual(told("refused", { waiting: true, detail: "No." }), ["No."]);
  assert.deepEqual(told("closed", { waiting: true }), [
    "The phase is closed.",
    "Your verdict is kept in this browser. It will be sent when the phase is reopened and you open this pair again.",
  ]);
  assert.deepEqual(told("closed", { unsaved: 1, waiting: true }), [
    "The phase is closed.",
    "1 change is kept in this browser. It will be saved when the phase is reopened and you open this pair again.",
    "Your verdict is kept too and will be sent.",
  ]);
});

test("changes are counted in the states in which they wait here", () => {
  assert.deepEqual(
    ["offline", "broken", "login", "other", "submitted", "saved", "refused", "conflict"].map(showsUnsavedCount),
    [true, true, true, true, true, false, false, false],
  );
});

test("a server that can't write says why, and what waits here is counted", () => {
  assert.deepEqual(told("storage", { unsaved: 1, detail: "The disk is full." }), [
    "The disk is full.",
    "1 change is kept in this browser.",
  ]);
  assert.ok(showsUnsavedCount("storage") && !isNormalState("storage"));
});

test("if only ticks wait, that is said and nothing is counted", () => {
  for (const state of ["offline", "broken"])
    assert.deepEqual(told(state, { ticks: true }), ["Paragraphs ticked as read are not saved yet."]);
  assert.deepEqual(told("login", { ticks: true }), [
    "You have been logged out. Log in again and your work will be saved.",
    "Paragraphs ticked as read are not saved yet.",
  ]);
  assert.deepEqual(told("login", { unsaved: 1, ticks: true }), [
    "You have been logged out. Log in again and your work will be saved.",
    "1 change is kept in this browser.",
  ]);
  assert.deepEqual(told("submitted", { ticks: true }), [
    "This pair was submitted in another tab or on another machine.",
  ]);
});

test("what is kept has a sentence of its own in each state that has more to say, for one change and for many", () => {
  const states = ["submitted", "reassigned", "closed", "archived", "gold", "ended", "offline", "gone"];
  const said = (n) => states.map((state) => told(state, { unsaved: n, reopens: false }).join(" "));
  for (const n of [1, 7]) {
    assert.ok(
      said(n).every((one, at) => one.includes(`${n} `) || states[at] === "offline"),
      said(n).join("|"),
    );
    assert.equal(new Set(said(n)).size, states.length);
  }
  const final = [1, 7].map((n) => told("submitted", { unsaved: n, final: true, reopens: false }));
  assert.ok(final.every((lines, at) => lines.length === 3 && lines[2].includes(`${[1, 7][at]} `)));
});

test("a verdict that waits is said to, by what it waits for, and alone where nothing else is kept", () => {
  const waits = (state, more = {}) => told(state, { waiting: true, ...more }).at(-1);
  assert.equal(new Set([waits("closed"), waits("archived"), waits("offline")]).size, 3);
  assert.equal(waits("closed", { unsaved: 1 }), waits("archived", { unsaved: 1 }), "with changes, it waits as they do");
});
