/** Separates users' work in one browser, so that nobody sees or sends what another user left there. */

import { keysOf, parsedEntry, ROOT } from "./journal.js";

/** The prefix from before work was stored per user: by assignment only. */
const LEGACY_ROOT = "diptych/1/";

/**
 * The storage prefix of a user's work on an assignment.
 * @param {string} person
 * @param {number | string} assignment
 */
export function scopeOf(person, assignment) {
  return `${person}/${assignment}`;
}

/**
 * Take over entries from before work was stored per user. Only an assignment's annotator could have made them.
 * @param {Storage} storage
 * @param {number | string} assignment
 * @param {string} scope
 */
export function adoptLegacyEntries(storage, assignment, scope) {
  const shared = `${LEGACY_ROOT}${assignment}/`;
  for (const key of keysOf(storage, shared)) {
    const text = storage.getItem(key) ?? "";
    storage.removeItem(key);
    storage.setItem(`${ROOT}${scope}/${key.slice(shared.length)}`, text);
  }
}

/**
 * Convert what was stored before disputed regions left unmarked had a list of their own: until then they were among
 * the dismissed suggestions, of which adjudication has none. No entry grows, so that there is always room for it.
 * @param {Storage} storage
 * @param {string} scope Of a pair in adjudication.
 */
export function adoptLegacyUnmarked(storage, scope) {
  for (const key of keysOf(storage, `${ROOT}${scope}/`)) {
    const converted = withUnmarked(key, parsedEntry(storage, key));
    if (converted) storage.setItem(key, JSON.stringify(converted));
  }
}

/** @param {string} key @param {any} stored @returns {unknown} null if there is nothing to convert. */
function withUnmarked(key, stored) {
  const isDismissed = (/** @type {any} */ one) => one?.kind === "dismissed";
  if (Array.isArray(stored))
    return stored.some(isDismissed)
      ? stored.map((one) => (isDismissed(one) ? { ...one, kind: "unmarked" } : one))
      : null;
  if (!key.endsWith("/base") || !stored?.doc?.dismissed || stored.doc.unmarked) return null;
  const { dismissed, ...doc } = stored.doc;
  return {
    ...stored,
    doc: { ...doc, unmarked: Array.isArray(dismissed) ? dismissed.filter((key) => typeof key === "string") : [] },
  };
}
