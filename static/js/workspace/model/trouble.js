/** Why work cannot be saved now, and what becomes of it: as keys of messages. Pure. */

/**
 * @typedef {object} Facts
 * @property {string} detail What the server said: who is logged in, or what it did not accept.
 * @property {number} owed Changes of spans, answers and comments that only this browser has.
 * @property {boolean} ticks Whether only this browser has some ticks of paragraphs.
 * @property {boolean} waiting Whether a verdict waits to be sent.
 * @property {boolean} reopens Whether the pair can be reopened, as far as the page knows.
 * @property {boolean} final Whether a submission stays as it is, because there is a reference answer.
 */
/** @typedef {{key: string, n?: number, values?: Record<string, string>}} Line A message with the number it depends on, or words. */

/** States in which changes wait in this browser, and the word for the state counts them. */
const KEPT = new Set(["offline", "broken", "login", "other", "submitted", "reassigned", "closed", "ended"]);

/** States in which nothing more is sent of what was read here. */
const DECIDED = new Set(["submitted", "reassigned"]);

/** What happened, by state, where the state alone says it. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const HAPPENED = {
  login: "trouble.login",
  submitted: "trouble.submitted",
  reassigned: "trouble.reassigned",
  closed: "trouble.closed",
  ended: "trouble.ended",
  gone: "trouble.gone",
};

/** What becomes of changes that are kept here, where it is more than that they are. @type {Partial<Record<import("../sync/sync.js").State, string>>} */
const OWED = { submitted: "trouble.after", reassigned: "trouble.lost", closed: "trouble.closed.kept", ended: "trouble.ended.kept" };

/** States in which all is well, or will be in a moment. @param {import("../sync/sync.js").State} state */
export function isCalm(state) {
  return state === "saved" || state === "saving" || state === "changed";
}

/** Whether a state is shown with the number of changes that are kept. @param {import("../sync/sync.js").State} state */
export function countsKept(state) {
  return KEPT.has(state);
}

/**
 * What to say, line by line: what happened, what is kept here, and what will be done with it.
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
  if (waiting && KEPT.has(state) && state !== "reassigned") lines.push({ key: "state.waiting" });
  return lines;
}
