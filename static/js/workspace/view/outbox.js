/** The notice about verdicts that were given offline: how many are waiting, and which were refused and why. */

import { make } from "./dom.js";
import { format, gettext, ngettext } from "../../gettext.js";

/** @typedef {import("../sync/outbox.js").RefusedVerdict} Returned */

/** Why a verdict was not accepted. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const REFUSAL_REASONS = {
  conflict: gettext("The pair was also changed elsewhere. Open it to compare both versions, and submit it again."),
  submitted: gettext("The pair was submitted elsewhere in the meantime. Open it to see what this browser keeps."),
  reassigned: gettext("The lead has assigned this pair to someone else."),
  closed: gettext("The phase is closed. Your work and your verdict are kept in this browser."),
  archived: gettext("A lead has archived this project. Your work and your verdict are kept in this browser."),
  ended: gettext("Your access to this project has ended. Ask the lead of the project."),
  gone: gettext("The pair is not assigned to you any more, or was deleted. Ask the lead."),
};

/**
 * @param {HTMLElement} element
 * @param {{waiting: number, returned: Returned[], sent: number}} change
 * @param {string} [first] A sentence to put first.
 */
export function showOutbox(element, { waiting, returned, sent }, first = "") {
  const lines = [first, waiting ? waitingText(waiting) : sent ? sentText(sent) : ""]
    .filter(Boolean)
    .map((text) => make("p", { text }));
  for (const { n, state, detail, page } of returned) {
    const why = REFUSAL_REASONS[state] ?? detail;
    lines.push(
      make("p", { class: "not-sent" }, [
        `${format(gettext("Pair {n} could not be submitted."), { n })} ${why} `,
        make("a", { href: page, text: format(gettext("Open pair {n}"), { n }) }),
      ]),
    );
  }
  element.replaceChildren(...lines);
  element.classList.toggle("warn", returned.length > 0);
  element.hidden = !lines.length;
}

/** @param {number} n */
function waitingText(n) {
  const text = ngettext(
    "{n} submitted pair is kept in this browser and will be sent when the server can be reached.",
    "{n} submitted pairs are kept in this browser and will be sent when the server can be reached.",
    n,
  );
  return format(text, { n });
}

/** @param {number} n */
function sentText(n) {
  return format(
    ngettext("{n} pair submitted offline has been sent.", "{n} pairs submitted offline have been sent.", n),
    { n },
  );
}
