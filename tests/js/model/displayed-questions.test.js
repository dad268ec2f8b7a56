/** Questions as they are asked, and what an answer is called. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, isAnswered, keysOf, nameOf, titleOf, toggled } from "../../../static/js/workspace/model/displayed-questions.js";

const CHOICES = [{ key: "yes", name: "Yes", hotkey: "", value: 1 }, { key: "no", name: "No", hotkey: "", value: 0 }];
const option = (of, key) => ({ key: `${of}.${key}`, text: key, of, type: "several", choices: CHOICES });
const ONE = { key: "one", text: "One?", choices: CHOICES };
const WORDS = { key: "words", text: "Words?", type: "text", choices: [] };

test("answers to one question stand together, those to another apart", () => {
  const found = grouped([option("x", "a"), option("x", "b"), option("y", "a"), ONE, WORDS]);
  assert.deepEqual(found.map(({ text, kind, questions }) => [text, kind, questions.length]), [
    ["x", "several", 2], ["y", "several", 1], ["One?", "one", 1], ["Words?", "text", 1],
  ]);
  assert.equal(titleOf(option("x", "a")), "x – a");
  assert.equal(titleOf(ONE), "One?");
});

test("an answer that is not chosen is no, once another one is", () => {
  const [several] = grouped([option("x", "a"), option("x", "b")]);
  assert.ok(!isAnswered(several, { "x.a": "yes" }));
  assert.equal(nameOf(several, {}), "");
  const chosen = toggled(several, {}, "x.b");
  assert.deepEqual(chosen, { "x.a": "no", "x.b": "yes" });
  assert.ok(isAnswered(several, chosen));
  assert.equal(nameOf(several, chosen), "b");
  const back = toggled(several, chosen, "x.b");
  assert.deepEqual(back, { "x.a": "no", "x.b": "no" });
  assert.equal(nameOf(several, back), "None of these");
  assert.deepEqual(toggled(several, back, ""), { "x.a": "", "x.b": "" });
  assert.deepEqual(toggled(several, {}, ""), back);
});

test("words may be left out, a choice may not", () => {
  const [one, words] = grouped([ONE, WORDS]);
  assert.ok(isAnswered(words, {}) && !isAnswered(one, {}));
  assert.equal(nameOf(words, { words: "so" }), "so");
  assert.equal(nameOf(one, { one: "no" }), "No");
});

test("an answer without a hotkey has the digit of its number or position, unless another one has that", () => {
  const scale = (from, type = "scale") => grouped([{ key: "s", text: "S?", type, choices: [0, 1, 2].map((n) => ({ key: String(from + n), name: "", hotkey: "", value: from + n })) }])[0];
  assert.deepEqual([keysOf(scale(3)), keysOf(scale(8)), keysOf(scale(-1)), keysOf(scale(3, "choices"))], [["3", "4", "5"], ["8", "9", ""], ["", "0", "1"], ["1", "2", "3"]]);
  const hotkeys = (...keys) => keysOf(grouped([{ key: "q", text: "Q?", choices: keys.map((hotkey, n) => ({ key: `${n}`, name: "", hotkey, value: null })) }])[0]);
  assert.deepEqual([hotkeys("y", "", ""), hotkeys("2", "", "")], [["y", "2", "3"], ["2", "", "3"]]);
  assert.equal(hotkeys(...Array(11).fill("")).join(), "1,2,3,4,5,6,7,8,9,,");
  const [several, words] = grouped([option("x", "a"), option("x", "b"), WORDS]);
  assert.deepEqual([keysOf(several), keysOf(words)], [["1", "2", "3"], []], "the last one is none of them");
});
