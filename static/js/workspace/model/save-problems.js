/** Why work can't be saved now, and what happens to it, in sentences. Pure. */

import { format, gettext, ngettext } from "../../gettext.js";
import { wording } from "./wording.js";

/**
 * @typedef {object} Facts
 * @property {string} detail Details from the server: who is logged in, or what it did not accept.
 * @property {number} unsaved How many changes of spans, answers and comments only this browser has.
 * @property {boolean} ticks Whether only this browser has some read ticks.
 * @property {boolean} waiting Whether a verdict is waiting to be sent.
 * @property {boolean} reopens Whether the pair can be reopened, as far as the page knows.
 * @property {boolean} final Whether a submission is final because there is a reference answer.
 */

/** States in which changes wait in this browser; their label shows how many. */
const STATES_WITH_UNSAVED = new Set([
  "offline",
  "broken",
  "storage",
  "login",
  "other",
  "submitted",
  "reassigned",
  "closed",
  "archived",
  "gold",
  "ended",
]);

/** States in which read ticks are not sent any more. */
const STATES_WITHOUT_TICKS = new Set(["submitted", "reassigned", "gold"]);

/** What happened, by state, if it depends on the state alone. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const REASONS = {
  login: gettext("You have been logged out. Log in again and your work will be saved."),
  submitted: wording.submittedReason,
  reassigned: gettext("The lead has assigned this pair to someone else."),
  closed: gettext("The phase is closed."),
  archived: gettext("A lead has archived this project: nothing in it can be changed."),
  gold: gettext("The draft was closed and gold was created from it."),
  ended: gettext("Your access to this project has ended. Ask the lead of the project."),
  gone: gettext("This pair is not assigned to you any more, or was deleted, perhaps with its project. Ask the lead."),
};

/** What happens to changes kept here, if there is more to say. @type {Partial<Record<import("../sync/sync.js").State, (n: number) => string>>} */
const UNSAVED_TEXTS = {
  submitted: (n) =>
    ngettext(
      "{n} change made here is not part of it, and is kept in this browser.",
      "{n} changes made here are not part of it, and are kept in this browser.",
      n,
    ),
  reassigned: (n) =>
    ngettext(
      "{n} change made here was not saved and doesn't count. If it matters, tell the lead; otherwise discard it.",
      "{n} changes made here were not saved and don't count. If they matter, tell the lead; otherwise discard them.",
      n,
    ),
  closed: (n) =>
    ngettext(
      "{n} change is kept in this browser. It will be saved when the phase is reopened and you open this pair again.",
      "{n} changes are kept in this browser. They will be saved when the phase is reopened and you open this pair again.",
      n,
    ),
  archived: (n) =>
    ngettext(
      "{n} change is kept in this browser. It will be saved when the project is unarchived and you open this pair again.",
      "{n} changes are kept in this browser. They will be saved when the project is unarchived and you open this pair again.",
      n,
    ),
  gold: (n) =>
    ngettext(
      "{n} change made here was not saved and is not part of it. It can be made in the next draft.",
      "{n} changes made here were not saved and are not part of it. They can be made in the next draft.",
      n,
    ),
  ended: (n) =>
    ngettext(
      "{n} change is kept in this browser. It will be saved when you have access again and open this pair.",
      "{n} changes are kept in this browser. They will be saved when you have access again and open this pair.",
      n,
    ),
};

/** Whether a state needs no explanation: nothing is wrong, or a save is on its way. @param {import("../sync/sync.js").State} state */
export function isNormalState(state) {
  return state === "saved" || state === "saving" || state === "changed";
}

/** Whether a state is shown with the number of unsaved changes. @param {import("../sync/sync.js").State} state */
export function showsUnsavedCount(state) {
  return STATES_WITH_UNSAVED.has(state);
}

/**
 * The explanation, sentence by sentence: what happened, what is kept here, and what will happen to it.
 * @param {import("../sync/sync.js").State} state
 * @param {Facts} facts
 * @returns {string[]}
 */
export function explainProblem(state, { detail, unsaved, ticks, waiting, reopens, final }) {
  const lines = [];
  const isFinal = state === "submitted" && final;
  const happened = REASONS[state];
  if (happened) lines.push(happened);
  if (state === "other")
    lines.push(
      format(gettext("{name} is logged in in this browser now, so nothing on this page can be saved."), {
        name: detail,
      }),
    );
  if ((state === "refused" || state === "storage") && detail) lines.push(detail);
  if (isFinal) lines.push(gettext("It has a reference answer, so only the first submission counts."));
  if (unsaved && lines.length)
    lines.push(format((isFinal ? excludedText : (UNSAVED_TEXTS[state] ?? keptText))(unsaved), { n: unsaved }));
  if (state === "submitted" && unsaved && reopens) lines.push(gettext("Reopen the pair to add the changes made here."));
  if (!STATES_WITHOUT_TICKS.has(state) && !unsaved && ticks)
    lines.push(gettext("Paragraphs ticked as read are not saved yet."));
  if (waiting && STATES_WITH_UNSAVED.has(state) && state !== "reassigned")
    lines.push(waitingVerdictText(unsaved ? "" : state));
  return lines;
}

/** @param {number} n */
function keptText(n) {
  return ngettext("{n} change is kept in this browser.", "{n} changes are kept in this browser.", n);
}

/** Changes that a final submission lacks. @param {number} n */
function excludedText(n) {
  return ngettext(
    "{n} change made here is not part of it and can't be added any more. It is kept in this browser until you discard it.",
    "{n} changes made here are not part of it and can't be added any more. They are kept in this browser until you discard them.",
    n,
  );
}

/** @param {string} state What it waits for, if nothing else does. */
function waitingVerdictText(state) {
  if (state === "archived")
    return gettext(
      "Your verdict is kept in this browser. It will be sent when the project is unarchived and you open this pair again.",
    );
  if (state !== "closed") return gettext("Your verdict is kept too and will be sent.");
  return gettext(
    "Your verdict is kept in this browser. It will be sent when the phase is reopened and you open this pair again.",
  );
}
