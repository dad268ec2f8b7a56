/** Whose work the browser keeps: several people may use one browser, and nobody sees or sends what another left there. */

import { keysOf, ROOT } from "./journal.js";

/** Where work was kept before it was kept apart by person: by assignment alone. */
const SHARED = "diptych/1/";

/**
 * What kept work belongs to.
 * @param {string} person
 * @param {number | string} assignment
 */
export function scopeOf(person, assignment) {
  return `${person}/${assignment}`;
}

/**
 * Take over what was kept before work was kept apart by person. Only the owner of an assignment could have made it.
 * @param {Storage} storage
 * @param {number | string} assignment
 * @param {string} scope
 */
export function adopt(storage, assignment, scope) {
  const shared = `${SHARED}${assignment}/`;
  for (const key of keysOf(storage, shared)) {
    const text = storage.getItem(key) ?? "";
    storage.removeItem(key);
    storage.setItem(`${ROOT}${scope}/${key.slice(shared.length)}`, text);
  }
}
