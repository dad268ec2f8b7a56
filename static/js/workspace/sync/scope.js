/** Separates users' work in one browser, so that no one sees or sends what another user left there. */

import { keysOf, ROOT } from "./journal.js";

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
