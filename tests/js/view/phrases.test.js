/** Languages, durations, times, kinds of spans and reasons of suggestions, in the user's language. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";

document.documentElement.lang = "de";
document.body.innerHTML = `<script type="application/json" id="language-words">${JSON.stringify({ "language.xx": "Xisch", "own.de": "deutsch" })}</script>`;
const { formatTime, formatDateTime, formatDuration, kindText, languageName, nativeName, whySuggested } = await import(
  "../../../static/js/workspace/view/phrases.js"
);

test("languages are named in the reader's language and in themselves", () => {
  assert.deepEqual(
    [languageName("xx"), languageName("en"), languageName("qqq"), languageName("!")],
    ["Xisch", "Englisch", "qqq", "!"],
  );
  assert.deepEqual([nativeName("de"), nativeName("fr"), nativeName("!")], ["Deutsch", "Français", "!"]);
});

test("times are in hours and minutes, of 24 hours", () => {
  assert.deepEqual(
    [formatDuration(59), formatDuration(61), formatDuration(3600), formatDuration(7325)],
    ["0 min", "1 min", "1 h 0 min", "2 h 2 min"],
  );
  assert.equal(formatTime(null), "");
  assert.match(formatTime("2026-01-01T23:05:00"), /^23:05/);
});

test("a day and a time are written as the server's pages write them, but for a comma", () => {
  const when = new Date(2026, 10, 1, 9, 5).getTime();
  const found = ["en", "de", "fr", "it", "es"].map((code) => formatDateTime(when, code).replace(",", ""));
  assert.deepEqual(found, ["1 Nov 2026 09:05", "01.11.2026 09:05", ...Array(3).fill("01/11/2026 09:05")]);
  assert.equal(formatDateTime(when), formatDateTime(when, "de"));
});

const grids = (a, b) => ({ a: { language: a }, b: { language: b } });
const on = (...sides) => ({ fragments: sides.map((side) => ({ side, start: 0, end: 1 })) });

test("a span on one side is named by its language where the two differ", () => {
  const kind = (of, a, b) => kindText({ grids: grids(a, b) }, of);
  assert.deepEqual([kind(on("a"), "en", "fr"), kind(on("b"), "en", "fr")], ["only in Englisch", "only in Französisch"]);
  assert.deepEqual([kind(on("a"), "en", "en"), kind(on("b"), "en", "en")], ["in A only", "in B only"]);
  assert.deepEqual([kind(on("a", "b"), "en", "fr"), kind(on(), "en", "fr")], ["in both texts", "without words"]);
});

test("a suggestion says what differs, or that nothing on the other side matches", () => {
  const why = (one) => whySuggested(one, grids("en", "fr"));
  assert.equal(why({ ...on("a", "b"), reason: { kind: "number", a: "3", b: "5" } }), "number differs: 3 / 5");
  assert.equal(why(on("a", "b")), "may say something different");
  assert.deepEqual(
    [why(on("a")), why(on("b"))],
    ["no counterpart found in Französisch", "no counterpart found in Englisch"],
  );
});
