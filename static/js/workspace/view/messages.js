/** The page's messages in the user's language: the template supplies them, this module fills in their gaps. */

import { kindOf } from "../model/spans.js";

/** @type {Record<string, string>} */
const catalogue = Object.assign(
  {},
  // Pages that extend the workspace have messages of their own, which take precedence.
  ...[...document.querySelectorAll("#messages, #language-words, [data-messages]")].map((words) => JSON.parse(words.textContent ?? "{}")),
);
const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);
// Created on first use: browsers take longer to load their tables of numbers and names than to draw the texts.
/** @type {Intl.NumberFormat | null} */
let numbers = null;
/** @type {Intl.DisplayNames | null} */
let names = null;

/** A number in the user's language; whole ones below a thousand look the same in all of ours. @param {number} n */
function written(n) {
  if (Number.isInteger(n) && n >= 0 && n < 1000) return String(n);
  return (numbers ??= new Intl.NumberFormat(language)).format(n);
}

/**
 * A message with its gaps filled: `{name}` is replaced by `values.name`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const words = catalogue[key] ?? key;
  if (!words.includes("{")) return words;
  return words.replace(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name];
    return value === undefined ? gap : typeof value === "number" ? written(value) : value;
  });
}

/**
 * Why words are suggested: what differs, or that nothing on the other side matches them.
 * @param {import("../model/suggestions.js").Suggestion} suggestion
 * @param {Record<import("../model/types.js").Side, import("../model/grid.js").Grid>} grids
 */
export function whySuggested({ fragments, reason }, grids) {
  if (reason) return t(`suggestion.why.${reason.kind}`, { a: reason.a, b: reason.b });
  const { side } = fragments[0];
  if (fragments.some((one) => one.side !== side)) return t("suggestion.why.both");
  return t("suggestion.why", { language: languageName(grids[side === "a" ? "b" : "a"].language) });
}

/** Whether there is a message for a key. @param {string} key */
export function has(key) {
  return key in catalogue;
}

/**
 * A message that depends on a number: `key.one` or `key.other`, with `{n}` for the number.
 * @param {string} key
 * @param {number} n
 * @param {Record<string, string | number>} [values]
 */
export function tn(key, n, values = {}) {
  const form = plural.select(n) === "one" ? "one" : "other";
  return t(`${key}.${form}`, { n, ...values });
}

/** The name of a language in the user's language. @param {string} code */
export function languageName(code) {
  if (has(`language.${code}`)) return t(`language.${code}`);
  try {
    names ??= new Intl.DisplayNames([language], { type: "language", fallback: "code" });
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The name of a language in itself, capitalized if the script has capitals. @param {string} code */
export function ownName(code) {
  try {
    const name = catalogue[`own.${code}`] ?? new Intl.DisplayNames([code], { type: "language", fallback: "code" }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch {
    return code;
  }
}

/** A duration in hours and minutes. @param {number} seconds */
export function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours ? t("time.hours", { hours, minutes: rest }) : t("time.minutes", { minutes: rest });
}

/** A time of day in 24-hour format. @param {string | null} iso */
export function clockTime(iso) {
  return iso ? new Intl.DateTimeFormat(language, { timeStyle: "short", hourCycle: "h23" }).format(new Date(iso)) : "";
}

/**
 * Where a span is, in words: in both texts, or in only one, named by its language if the two differ.
 * @param {{grids: import("../model/spans.js").Grids}} texts
 * @param {{fragments: import("../model/types.js").Fragment[]}} span
 */
export function kindWords({ grids }, span) {
  const kind = kindOf(span);
  const named = (kind === "a" || kind === "b") && grids.a.language !== grids.b.language;
  return named ? t("only", { language: languageName(grids[kind].language) }) : t(`kind.${kind}`);
}
