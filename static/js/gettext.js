/**
 * Sentences in the user's language, written in English where they are shown: `script/messages` finds them in calls of
 * these functions. The translations are Django's catalogue (`config/script_texts.py`), which a page loads
 * before its modules with `{% script_texts %}`; without it, and in node, everything is in English.
 */

/** @type {Partial<{gettext: typeof gettext, ngettext: typeof ngettext}>} */
const catalogue = /** @type {any} */ (globalThis).django ?? {};
const language = globalThis.document?.documentElement.lang || "en";
// Created on first use: browsers take longer to load their table of numbers than to draw the texts.
/** @type {Intl.NumberFormat | null} */
let numbers = null;

/** A sentence. @param {string} text @returns {string} */
export function gettext(text) {
  return catalogue.gettext?.(text) ?? text;
}

/**
 * A sentence that depends on a number: `one` for one, `many` for all others. Give it to `format` for the number itself.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @returns {string}
 */
export function ngettext(one, many, n) {
  return catalogue.ngettext?.(one, many, n) ?? (n === 1 ? one : many);
}

/**
 * A sentence with its placeholders filled in: `{name}` becomes `values.name`; numbers are formatted for the user's
 * language.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function format(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name];
    return value === undefined ? gap : typeof value === "number" ? formatNumber(value) : value;
  });
}

/** A number in the user's language; whole numbers below a thousand are the same in all languages of the interface.
 * @param {number} n */
function formatNumber(n) {
  if (Number.isInteger(n) && n >= 0 && n < 1000) return String(n);
  return (numbers ??= new Intl.NumberFormat(language)).format(n);
}
