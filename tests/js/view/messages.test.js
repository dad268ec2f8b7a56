/** Words that the code asks for and words that the template supplies are the same set. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../../static/js/workspace/", import.meta.url);
const modules = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
const code = modules.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
const template = readFileSync(new URL("../../../templates/annotation/_messages.html", import.meta.url), "utf8");
const keys = [...template.matchAll(/^"([^"]+)":/gm)].map((found) => found[1]);

test("no key occurs twice", () => assert.equal(new Set(keys).size, keys.length));

test("every message that is requested by its full key exists", () => {
  for (const [, key] of code.matchAll(/\bt\("([a-z.]+)"/g)) assert.ok(keys.includes(key), key);
  for (const [, key] of code.matchAll(/\btn\("([a-z.]+)"/g))
    for (const form of ["one", "other"]) assert.ok(keys.includes(`${key}.${form}`), `${key}.${form}`);
});

test("every message is requested, by its key or its prefix", () => {
  const families = [...code.matchAll(/\bt\(`([a-z.]+)\.\$\{/g), ...code.matchAll(/`(said)\.\$\{/g), ...code.matchAll(/`(said\.no)\$\{/g)].map((found) => found[1]);
  for (const key of keys) {
    const bare = key.replace(/\.(one|other)$/, "");
    const named = code.includes(`"${key}"`) || code.includes(`"${bare}"`);
    assert.ok(named || families.some((family) => key.startsWith(family)), `${key} is never shown`);
  }
});
