/** Why work can't be saved now, and what happens to it, as message keys. Pure. */

/**
 * @typedef {object} Facts
 * @property {string} detail Details from the server: who is logged in, or what it did not accept.
 * @property {number} owed How many changes of spans, answers and comments only this browser has.
 * @property {boolean} ticks Whether only this browser has some read ticks.
 * @property {boolean} waiting Whether a verdict is waiting to be sent.
 * @property {boolean} reopens Whether the pair can be reopened, as far as the page knows.
 * @property {boolean} final Whether a submission is final because there is a reference answer.
 */
/** @typedef {{key: string, n?: number, values?: Record<string, string>}} Line A message with its number or values. */

/** States in which changes wait in this browser; their label shows how many. */
const KEPT = new Set(["offline", "broken", "login", "other", "submitted", "reassigned", "closed", "gold", "ended"]);

/** States in which read ticks are not sent any more. */
const DECIDED = new Set(["submitted", "reassigned", "gold"]);

/** What happened, by state, if it depends on the state alone. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const HAPPENED = {
  login: "trouble.login",
  submitted: "trouble.submitted",
  reassigned: "trouble.reassigned",
  closed: "trouble.closed",
  gold: "trouble.gold",
  ended: "trouble.ended",
  gone: "trouble.gone",
};

/** What happens to changes kept here, if there is more to say. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const OWED = { submitted: "trouble.after", reassigned: "trouble.lost", closed: "trouble.closed.kept", gold: "trouble.gold.lost", ended: "trouble.ended.kept" };

/** States without a problem, or with one that will be solved in a moment. @param {import("../sync/sync.js").State} state */
export function isCalm(state) {
  return state === "saved" || state === "saving" || state === "changed";
}

/** Whether a state is shown with the number of unsaved changes. @param {import("../sync/sync.js").State} state */
export function countsKept(state) {
  return KEPT.has(state);
}

/**
 * The explanation, line by line: what happened, what is kept here, and what will happen to it.
 * @param {import("../sync/sync.js").State} state
 * @param {Facts} facts
 * @returns {Line[]}
 */
export function explain(state, { detail, owed, ticks, waiting, reopens, final }) {
  /** @type {Line[]} */
  const lines = [];
  const over = state === "submitted" && final;
  const happened = HAPPENED[state];
  if (happened) lines.push({ key: happened });
  if (state === "other") lines.push({ key: "trouble.other", values: { name: detail } });
  if (state === "refused" && detail) lines.push({ key: detail });
  if (over) lines.push({ key: "trouble.final" });
  if (owed && lines.length) lines.push({ key: over ? "trouble.final.after" : OWED[state] ?? "trouble.kept", n: owed });
  if (state === "submitted" && owed && reopens) lines.push({ key: "trouble.reopen" });
  if (!DECIDED.has(state) && !owed && ticks) lines.push({ key: "trouble.ticks" });
  if (waiting && KEPT.has(state) && state !== "reassigned")
    lines.push({ key: state === "closed" && !owed ? "trouble.closed.verdict" : "state.waiting" });
  return lines;
}
