import assert from "node:assert/strict";
import { test } from "node:test";
import { countsKept, explain, isCalm } from "../../../static/js/workspace/model/trouble.js";

const facts = { detail: "", owed: 0, ticks: false, waiting: false, reopens: true, final: false };
const keys = (state, parts) => explain(state, { ...facts, ...parts }).map(({ key }) => key);

test("while all is well, nothing is explained", () => {
  for (const state of ["saved", "saving", "changed"]) {
    assert.ok(isCalm(state));
    assert.deepEqual(keys(state, { owed: 2 }), []);
  }
  assert.ok(!isCalm("offline") && !isCalm("submitted"));
});

test("what happened comes first, then what is kept here", () => {
  assert.deepEqual(explain("login", { ...facts, owed: 2 }), [{ key: "trouble.login" }, { key: "trouble.kept", n: 2 }]);
  assert.deepEqual(explain("other", { ...facts, owed: 1, detail: "berta" }), [
    { key: "trouble.other", values: { name: "berta" } },
    { key: "trouble.kept", n: 1 },
  ]);
  assert.deepEqual(keys("gone", { owed: 1 }), ["trouble.gone", "trouble.kept"]);
  assert.deepEqual(keys("refused", { owed: 1, detail: "The trial phase is closed." }), ["The trial phase is closed.", "trouble.kept"]);
  assert.deepEqual(keys("login", {}), ["trouble.login"], "nothing is said to be kept where nothing is");
});

test("a pair that was submitted elsewhere says what is not part of it, and offers reopening only where it is possible", () => {
  assert.deepEqual(keys("submitted", {}), ["trouble.submitted"]);
  assert.deepEqual(keys("submitted", { owed: 3 }), ["trouble.submitted", "trouble.after", "trouble.reopen"]);
  assert.deepEqual(keys("submitted", { owed: 3, reopens: false }), ["trouble.submitted", "trouble.after"]);
});

test("a pair that was reassigned says so and what is kept, and promises nothing", () => {
  assert.deepEqual(keys("reassigned", { owed: 2, ticks: true, waiting: true }), ["trouble.reassigned", "trouble.lost"]);
  assert.deepEqual(keys("reassigned", { ticks: true }), ["trouble.reassigned"]);
  assert.ok(countsKept("reassigned") && !isCalm("reassigned"));
});

test("gold made of a draft says what it lacks", () => {
  assert.deepEqual(keys("gold", { owed: 1, ticks: true }), ["trouble.gold", "trouble.gold.lost"]);
  assert.ok(countsKept("gold") && !isCalm("gold"));
});

test("a waiting verdict is mentioned if it will be sent, and only then", () => {
  assert.deepEqual(keys("offline", { owed: 1, waiting: true }), ["state.waiting"]);
  assert.deepEqual(keys("login", { waiting: true }), ["trouble.login", "state.waiting"]);
  assert.deepEqual(keys("refused", { waiting: true, detail: "No." }), ["No."]);
  assert.deepEqual(keys("closed", { waiting: true }), ["trouble.closed", "trouble.closed.verdict"]);
  assert.deepEqual(keys("closed", { owed: 1, waiting: true }), ["trouble.closed", "trouble.closed.kept", "state.waiting"]);
});

test("changes are counted in the states in which they wait here", () => {
  assert.deepEqual(["offline", "broken", "login", "other", "submitted", "saved", "refused", "conflict"].map(countsKept), [true, true, true, true, true, false, false, false]);
});

test("if only ticks wait, that is said and nothing is counted", () => {
  for (const state of ["offline", "broken"]) assert.deepEqual(keys(state, { ticks: true }), ["trouble.ticks"]);
  assert.deepEqual(keys("login", { ticks: true }), ["trouble.login", "trouble.ticks"]);
  assert.deepEqual(keys("login", { owed: 1, ticks: true }), ["trouble.login", "trouble.kept"]);
  assert.deepEqual(keys("submitted", { ticks: true }), ["trouble.submitted"]);
});
