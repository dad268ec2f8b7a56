/** Annotators' names in sentences. */

import { format, gettext } from "../gettext.js";

/** Names in one line; one that is a number is in quotation marks, so that it is no count. @param {string[]} people */
export function listed(people) {
  return people.map((name) => (/^\d+$/.test(name) ? format(gettext("“{name}”"), { name }) : name)).join(", ");
}
