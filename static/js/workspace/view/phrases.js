/** Languages, times, kinds of spans and reasons of suggestions, in the user's language. */

import { format, gettext } from "../../gettext.js";
import { kindOf } from "../model/spans.js";

/** The names of the pair's languages, if the server knows them: `language.<code>`, in themselves `own.<code>`. @type {Record<string, string>} */
const languageWords = JSON.parse(document.getElementById("language-words")?.textContent || "{}");
const language = document.documentElement.lang || "en";
// Created on first use: browsers take longer to load their table of names than to draw the texts.
/** @type {Intl.DisplayNames | null} */
let names = null;

/** What differs, by the reason's kind. @type {Record<string, string>} */
const DIFFERS = {
  number: gettext("number differs: {a} / {b}"),
  date: gettext("date differs: {a} / {b}"),
  time: gettext("time differs: {a} / {b}"),
  unit: gettext("unit differs: {a} / {b}"),
  period: gettext("frequency differs: {a} / {b}"),
  negation: gettext("negated on one side only: {a} / {b}"),
  quantifier: gettext("quantity differs: {a} / {b}"),
  modality: gettext("obligation or permission differs: {a} / {b}"),
  name: gettext("name differs: {a} / {b}"),
};

/**
 * Why words are suggested: what differs, or that nothing on the other side matches them.
 * @param {import("../model/suggestions.js").Suggestion} suggestion
 * @param {Record<import("../model/types.js").Side, import("../model/grid.js").Grid>} grids
 */
export function whySuggested({ fragments, reason }, grids) {
  if (reason) return format(DIFFERS[reason.kind], { a: reason.a, b: reason.b });
  const { side } = fragments[0];
  if (fragments.some((one) => one.side !== side)) return gettext("may say something different");
  return format(gettext("no counterpart found in {language}"), {
    language: languageName(grids[side === "a" ? "b" : "a"].language),
  });
}

/**
 * The label that is predicted for a suggestion, or null.
 * @param {import("../model/suggestions.js").Suggestion} suggestion
 * @param {import("../model/store.js").Store} store
 */
export function predictedLabel({ predicted }, store) {
  return (predicted && store.label(predicted)) || null;
}

/** The name of a language in the user's language. @param {string} code */
export function languageName(code) {
  if (languageWords[`language.${code}`]) return languageWords[`language.${code}`];
  try {
    names ??= new Intl.DisplayNames([language], { type: "language", fallback: "code" });
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The name of a language in itself, capitalized if the script has capitals. @param {string} code */
export function nativeName(code) {
  try {
    const name =
      languageWords[`own.${code}`] ??
      new Intl.DisplayNames([code], { type: "language", fallback: "code" }).of(code) ??
      code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch {
    return code;
  }
}

/** A duration in hours and minutes. @param {number} seconds */
export function formatDuration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (!hours) return format(gettext("{minutes} min"), { minutes: rest });
  return format(gettext("{hours} h {minutes} min"), { hours, minutes: rest });
}

/** A time of day in 24-hour format. @param {string | null} iso */
export function formatTime(iso) {
  return iso ? new Intl.DateTimeFormat(language, { timeStyle: "short", hourCycle: "h23" }).format(new Date(iso)) : "";
}

/**
 * A day and a time as the server's pages write them (`config/formats`): in English with the month as a word, because its
 * number would be read differently in different countries.
 * @param {string | number} when
 * @param {string} code the language
 */
export function formatDateTime(when, code = language) {
  const month = code === "en" ? "short" : "2-digit";
  const style = /** @type {const} */ ({
    day: "2-digit",
    month,
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return new Intl.DateTimeFormat(code === "en" ? "en-GB" : code, style).format(new Date(when)).replace(/^0(?=\d )/, "");
}

/**
 * Where a span is, in words: in both texts, or in only one, named by its language if the two differ.
 * @param {{grids: import("../model/spans.js").Grids}} texts
 * @param {{fragments: import("../model/types.js").Fragment[]}} span
 */
export function kindText({ grids }, span) {
  const kind = kindOf(span);
  if (kind !== "a" && kind !== "b") return kind === "linked" ? gettext("in both texts") : gettext("without words");
  if (grids.a.language !== grids.b.language)
    return format(gettext("only in {language}"), { language: languageName(grids[kind].language) });
  return kind === "a" ? gettext("in A only") : gettext("in B only");
}
