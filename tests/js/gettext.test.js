/** Sentences from Django's catalogue, as `config/script_texts.py` sends it; English where it has none. */

import assert from "node:assert/strict";
import { test } from "node:test";

const english = await import("../../static/js/gettext.js");
const texts = { Saved: "Gespeichert" };
const plurals = { "{n} span": ["{n} Spanne", "{n} Spannen"] };
Object.assign(globalThis, {
  document: { documentElement: { lang: "de" } },
  django: {
    gettext: (text) => texts[text] ?? text,
    ngettext: (one, many, n) => plurals[one]?.[n === 1 ? 0 : 1] ?? (n === 1 ? one : many),
  },
});
const german = await import(`../../static/js/gettext.js?${"german"}`);

test("a sentence is translated where the catalogue has it", () => {
  assert.deepEqual([german.gettext("Saved"), german.gettext("Offline")], ["Gespeichert", "Offline"]);
});

test("a number chooses the form, by the language's rule", () => {
  const spans = (n) => german.format(german.ngettext("{n} span", "{n} spans", n), { n });
  assert.deepEqual([0, 1, 2].map(spans), ["0 Spannen", "1 Spanne", "2 Spannen"]);
});

test("without a catalogue everything is in English", () => {
  const { gettext, ngettext } = english;
  assert.equal(gettext("Saved"), "Saved");
  assert.deepEqual(
    [0, 1, 2].map((n) => ngettext("{n} span", "{n} spans", n)),
    ["{n} spans", "{n} span", "{n} spans"],
  );
});

test("gaps are filled, and those without a value stay", () => {
  assert.equal(english.format("Pair {n} of {of}: {name}", { n: 3, name: "{of}" }), "Pair 3 of {of}: {of}");
  assert.equal(english.format("{a}, {a}", { a: "" }), ", ");
});

test("numbers are written as in the language", () => {
  const written = (module, n) => module.format("{n}", { n });
  assert.deepEqual(
    [999, 1000, 0.5, -1000].map((n) => written(german, n)),
    ["999", "1.000", "0,5", "-1.000"],
  );
  assert.deepEqual(
    [12345, 0.5].map((n) => written(english, n)),
    ["12,345", "0.5"],
  );
});
