/** Annotators' names in sentences. */

import { format, gettext } from "../gettext.js";

/** Names in one line; one that is a number is in quotation marks, so that it isn't taken for a count. @param {string[]} people */
export function joinNames(people) {
  return people.map((name) => (/^\d+$/.test(name) ? format(gettext("“{name}”"), { name }) : name)).join(", ");
}
