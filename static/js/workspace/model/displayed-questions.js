/** The questions as they are displayed: one with several answers is stored as a yes or no for each of them. Pure. */

import { format, gettext } from "../../gettext.js";

export const ANSWER_YES = "yes";
export const ANSWER_NO = "no";

/** @typedef {import("./types.js").Question} Question */

/**
 * @typedef {object} DisplayedQuestion
 * @property {string} text
 * @property {"one" | "several" | "text"} kind
 * @property {Question[]} questions Several only if several answers may be chosen: one for each.
 */

/** @param {readonly Question[]} questions @returns {DisplayedQuestion[]} */
export function groupQuestions(questions) {
  /** @type {DisplayedQuestion[]} */
  const displayed = [];
  for (const question of questions) {
    const last = displayed.at(-1);
    const same =
      last?.kind === "several" && last.text === question.of && groupOf(last.questions[0]) === groupOf(question);
    if (question.of && last && same) last.questions.push(question);
    else if (question.of) displayed.push({ text: question.of, kind: "several", questions: [question] });
    else displayed.push({ text: question.text, kind: question.choices.length ? "one" : "text", questions: [question] });
  }
  return displayed;
}

/** What the keys of all answers to one question begin with. @param {Question} question */
function groupOf({ key }) {
  return key.slice(0, key.lastIndexOf("."));
}

/**
 * The key of each answer, '' for none, as they are listed: where the scheme gives it no hotkey (labels may have taken
 * all digits), the digit of its number on a scale, or else of its position.
 * @param {DisplayedQuestion} displayed @returns {string[]}
 */
export function answerKeys({ kind, questions }) {
  const [{ type, choices }] = questions;
  const own =
    kind === "several"
      ? [...questions.map((question) => question.choices[0].hotkey), ""]
      : choices.map(({ hotkey }) => hotkey);
  const digits = own.map((_, n) => String(type === "scale" ? (choices[n].value ?? choices[n].key) : n + 1));
  return own.map((hotkey, n) => hotkey || (/^\d$/.test(digits[n]) && !own.includes(digits[n]) ? digits[n] : ""));
}

/** Whether nothing is missing: words may be left out. @param {DisplayedQuestion} displayed @param {Record<string, string>} answers */
export function isAnswered({ kind, questions }, answers) {
  return kind === "text" || questions.every(({ key }) => answers[key]);
}

/**
 * The answers after one of several was chosen or taken back: all others that have none yet are no. With '' instead of a
 * question: none of them, or, if that was the answer, no answer at all.
 * @param {DisplayedQuestion} displayed
 * @param {Record<string, string>} answers
 * @param {string} chosen
 * @returns {Record<string, string>}
 */
export function toggleAnswer({ questions }, answers, chosen) {
  const none = questions.every(({ key }) => answers[key] === ANSWER_NO);
  if (!chosen) return Object.fromEntries(questions.map(({ key }) => [key, none ? "" : ANSWER_NO]));
  return Object.fromEntries(
    questions.map(({ key }) => [
      key,
      key === chosen ? (answers[key] === ANSWER_YES ? ANSWER_NO : ANSWER_YES) : (answers[key] ?? ANSWER_NO),
    ]),
  );
}

/** What was answered, in words. @param {DisplayedQuestion} displayed @param {Record<string, string>} answers */
export function answerText({ kind, questions }, answers) {
  const [{ key, choices }] = questions;
  if (kind === "text") return answers[key] ?? "";
  if (kind === "one") return choices.find((choice) => choice.key === answers[key])?.name ?? "";
  const chosen = questions.filter((question) => answers[question.key] === ANSWER_YES).map(({ text }) => text);
  if (chosen.length) return chosen.join(", ");
  return isAnswered({ kind, questions, text: "" }, answers) ? gettext("None of these") : "";
}

/** A question as a list shows it. @param {Question} question */
export function questionTitle(question) {
  return question.of ? format("{of} – {text}", { of: question.of, text: question.text }) : question.text;
}
