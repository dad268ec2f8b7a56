/** The sentences that adjudication replaces: every one that the workspace asks for is there, and no other. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { wording } from "../../../static/js/workspace/model/wording.js";
import { sentences } from "../helpers.js";

const folder = new URL("../../../static/js/workspace/", import.meta.url);
const sources = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".js"))
  .map((name) => readFileSync(new URL(name, folder), "utf8"));
const asked = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\bwording\.(\w+)/g)].map((found) => found[1]).filter((name) => name !== "js"),
  ),
);

test("each sentence is used, and each that is used is there", () => {
  assert.deepEqual(Object.keys(wording).sort(), [...asked].sort());
});

test("no sentence is empty, and no two are the same", () => {
  const all = sentences(wording);
  assert.deepEqual(
    all.filter((one) => typeof one !== "string" || !one.trim()),
    [],
  );
  assert.equal(new Set(all).size, all.length);
});

test("only the sentences that are filled in have placeholders", () => {
  const { answerHint, comment, ...others } = wording;
  const gaps = (text) => text.match(/\{\w+\}/g) ?? [];
  assert.deepEqual([gaps(answerHint), gaps(comment)], [["{labels}"], ["{words}"]]);
  assert.deepEqual(
    sentences(others).filter((one) => gaps(one).length),
    [],
  );
});

test("every origin of a span that was not marked word by word has its words, and the dialog that rejects its three", () => {
  assert.deepEqual(Object.keys(wording.origins), ["accepted", "edited"]);
  assert.deepEqual(Object.keys(wording.rejecting), ["title", "text", "send"]);
});
