/** Questions as they are asked, and what an answer is called. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerKeys,
  answerText,
  groupQuestions,
  isAnswered,
  questionTitle,
  toggleAnswer,
} from "../../../static/js/workspace/model/displayed-questions.js";

const CHOICES = [
  { key: "yes", name: "Yes", hotkey: "", value: 1 },
  { key: "no", name: "No", hotkey: "", value: 0 },
];
const option = (of, key) => ({ key: `${of}.${key}`, text: key, of, type: "several", choices: CHOICES });
const ONE = { key: "one", text: "One?", choices: CHOICES };
const WORDS = { key: "words", text: "Words?", type: "text", choices: [] };

test("answers to one question stand together, those to another apart", () => {
  const found = groupQuestions([option("x", "a"), option("x", "b"), option("y", "a"), ONE, WORDS]);
  assert.deepEqual(
    found.map(({ text, kind, questions }) => [text, kind, questions.length]),
    [
      ["x", "several", 2],
      ["y", "several", 1],
      ["One?", "one", 1],
      ["Words?", "text", 1],
    ],
  );
  assert.equal(questionTitle(option("x", "a")), "x – a");
  assert.equal(questionTitle(ONE), "One?");
});

test("an answer that is not chosen is no, once another one is", () => {
  const [several] = groupQuestions([option("x", "a"), option("x", "b")]);
  assert.ok(!isAnswered(several, { "x.a": "yes" }));
  assert.equal(answerText(several, {}), "");
  const chosen = toggleAnswer(several, {}, "x.b");
  assert.deepEqual(chosen, { "x.a": "no", "x.b": "yes" });
  assert.ok(isAnswered(several, chosen));
  assert.equal(answerText(several, chosen), "b");
  const back = toggleAnswer(several, chosen, "x.b");
  assert.deepEqual(back, { "x.a": "no", "x.b": "no" });
  assert.equal(answerText(several, back), "None of these");
  assert.deepEqual(toggleAnswer(several, back, ""), { "x.a": "", "x.b": "" });
  assert.deepEqual(toggleAnswer(several, {}, ""), back);
});

test("words may be left out, a choice may not", () => {
  const [one, words] = groupQuestions([ONE, WORDS]);
  assert.ok(isAnswered(words, {}) && !isAnswered(one, {}));
  assert.equal(answerText(words, { words: "so" }), "so");
  assert.equal(answerText(one, { one: "no" }), "No");
});

test("an answer without a hotkey has the digit of its number or position, unless another one has that", () => {
  const scale = (from, type = "scale") =>
    groupQuestions([
      {
        key: "s",
        text: "S?",
        type,
        choices: [0, 1, 2].map((n) => ({ key: String(from + n), name: "", hotkey: "", value: from + n })),
      },
    ])[0];
  assert.deepEqual(
    [answerKeys(scale(3)), answerKeys(scale(8)), answerKeys(scale(-1)), answerKeys(scale(3, "choices"))],
    [
      ["3", "4", "5"],
      ["8", "9", ""],
      ["", "0", "1"],
      ["1", "2", "3"],
    ],
  );
  const hotkeys = (...keys) =>
    answerKeys(
      groupQuestions([
        { key: "q", text: "Q?", choices: keys.map((hotkey, n) => ({ key: `${n}`, name: "", hotkey, value: null })) },
      ])[0],
    );
  assert.deepEqual(
    [hotkeys("y", "", ""), hotkeys("2", "", "")],
    [
      ["y", "2", "3"],
      ["2", "", "3"],
    ],
  );
  assert.equal(hotkeys(...Array(11).fill("")).join(), "1,2,3,4,5,6,7,8,9,,");
  const [several, words] = groupQuestions([option("x", "a"), option("x", "b"), WORDS]);
  assert.deepEqual([answerKeys(several), answerKeys(words)], [["1", "2", "3"], []], "the last one is none of them");
});
