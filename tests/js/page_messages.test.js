/** The page's messages: gaps, plurals, names of languages, durations and times, in the user's language. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

document.documentElement.lang = "de";
const script = (id, words) => `<script type="application/json" ${id}>${JSON.stringify(words)}</script>`;
document.body.innerHTML =
  script('id="messages"', { "said.ready": "Paar {n} von {of}: {name}", "spans.one": "{n} Spanne", "spans.other": "{n} Spannen", plain: "Ja", "language.xx": "Xisch", "own.de": "deutsch", only: "nur {language}", "kind.linked": "beides", "kind.a": "A", "time.hours": "{hours} h {minutes}", "time.minutes": "{minutes} min" }) +
  script("data-messages", { plain: "Doch" });
const { clockTime, duration, has, kindWords, languageName, ownName, t, tn } = await import("../../static/js/workspace/view/messages.js");

test("gaps are filled, numbers formatted in the language, unknown keys returned", () => {
  assert.equal(t("said.ready", { n: 3, of: 12345, name: "x" }), "Paar 3 von 12.345: x");
  assert.equal(t("said.ready", { n: 0.5 }), "Paar 0,5 von {of}: {name}");
  assert.equal(t("said.ready", { n: 1000, of: -1, name: "" }), "Paar 1.000 von -1: ");
  assert.equal(t("no.such.key"), "no.such.key");
  assert.equal(t("plain"), "Doch", "a page's own words go before");
  assert.ok(has("plain") && !has("no.such.key"));
});

test("a number chooses the form", () => {
  assert.deepEqual([tn("spans", 1), tn("spans", 2), tn("spans", 0)], ["1 Spanne", "2 Spannen", "0 Spannen"]);
});

test("languages are named in the reader's language and in themselves", () => {
  assert.deepEqual([languageName("xx"), languageName("en"), languageName("qqq"), languageName("!")], ["Xisch", "Englisch", "qqq", "!"]);
  assert.deepEqual([ownName("de"), ownName("fr"), ownName("!")], ["Deutsch", "Français", "!"]);
});

test("times are in hours and minutes, of 24 hours", () => {
  assert.deepEqual([duration(59), duration(61), duration(3600), duration(7325)], ["0 min", "1 min", "1 h 0", "2 h 2"]);
  assert.equal(clockTime(null), "");
  assert.match(clockTime("2026-01-01T23:05:00"), /^23:05/);
});

test("a span on one side is named by its language where the two differ", () => {
  const span = { fragments: [{ side: "a", start: 0, end: 1 }] };
  const grids = (a, b) => ({ grids: { a: { language: a }, b: { language: b } } });
  assert.equal(kindWords(grids("en", "fr"), span), "nur Englisch");
  assert.equal(kindWords(grids("en", "en"), span), "A");
  assert.equal(kindWords(grids("en", "fr"), { fragments: [...span.fragments, { side: "b", start: 0, end: 1 }] }), "beides");
});
