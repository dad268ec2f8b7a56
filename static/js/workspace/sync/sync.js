/**
 * Saving: first here, then on the server, after less than a second without changes. Nothing is lost if the network
 * fails, the server stops or the log-in expires: changes wait here and are sent in order. Nothing is overwritten
 * unseen: the server reports a newer revision and the annotator chooses. Without DOM access.
 */

/** @typedef {import("./api.js").Answer} Answer */
/**
 * @typedef {"saved" | "saving" | "changed" | "offline" | "broken" | "storage" | "login" | "other" | "submitted" | "reassigned" | "closed" | "archived" | "gold" | "conflict" | "refused" | "gone" | "ended"} State
 * `storage`: the server's disk is full or protected; `other`: someone else is logged in in this browser; `submitted`: the pair was submitted elsewhere; `reassigned`: the
 * lead has reassigned the pair; `closed`: the pair is in progress, and its phase is closed; `archived`: a lead has
 * archived the project;
 * `gold`: in adjudication, the draft was closed and gold created from it; `ended`: the lead has ended this person's access to the project.
 */
/**
 * @typedef {object} Port The dependencies of saving.
 * @property {(method: string, url: string, body?: unknown, last?: boolean) => Promise<Answer>} request
 * @property {() => Omit<import("../../api-types.js").Save, "revision">} snapshot The document in the form in which it is sent.
 * @property {import("./journal.js").Journal} journal
 * @property {{annotation: string, submit: string}} urls
 * @property {(state: State, detail: string) => void} onState
 * @property {(theirs: import("../model/types.js").AnnotationData, verdict: boolean) => void} onConflict `verdict`: whether
 * one was waiting; it is no longer sent.
 * @property {(data: import("../../api-types.js").Submitted, verdict: import("../model/types.js").Verdict) => void} onSubmitted
 * @property {(revision: number) => void} onSaved
 */

/** States in which changes wait for something other than a pause in typing. */
const WAITING_STATES = new Set(["offline", "broken", "storage", "login", "other"]);
/** States in which nothing is sent until the annotator decides. */
const UNDECIDED_STATES = new Set(["conflict", "submitted", "reassigned", "closed", "archived", "gold"]);
/** The server's error codes for a pair that was submitted, or decided in adjudication. */
const SUBMITTED_CODES = new Set(["submitted", "decided"]);
/** Its error code for a pair in progress whose phase the lead has closed. */
const PHASE_CLOSED_CODE = "phase-closed";
/** Its error code for a project that a lead has archived. */
const ARCHIVED_CODE = "archived";
/** Its error code if the adjudication draft was closed. */
const DRAFT_CLOSED_CODE = "closed";
/** Its error codes for a reassigned pair: one that was started, and one that was not. */
const REASSIGNED_CODES = new Set(["reassigned", "not-yours"]);

/** ms without changes before a save, the longest delay while changes continue, and the delays between retries. */
export const SAVE_DELAY = 700;
export const MAX_SAVE_DELAY = 5000;
export const RETRY_DELAYS = [1000, 2000, 4000, 8000, 15000, 30000];

export class Sync {
  /**
   * @param {Port} port
   * @param {number} revision
   * @param {number} sent The number of the last change that the server has.
   */
  constructor(port, revision, sent) {
    this.port = port;
    this.revision = revision;
    this.sent = sent;
    /** @type {State} */
    this.state = "saved";
    this.tries = 0;
    /** Whether the server is too busy to save now: retried without telling the annotator. */
    this.busy = false;
    /** Details of the state. */
    this.detail = "";
    this.changedSince = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Promise<void> | null} */
    this.running = null;
    /** Active time alone creates no revision, but is sent with the next save. */
    this.timeUnsaved = false;
  }

  /** The number of changes that only this browser has. */
  get unsaved() {
    return this.port.journal.head.clock - this.sent;
  }

  /** @returns {import("./journal.js").Verdict | null} */
  get verdict() {
    return this.port.journal.read("verdict");
  }

  /** Whether there is anything to send. */
  get hasUnsent() {
    return this.unsaved > 0 || this.timeUnsaved || this.verdict !== null;
  }

  /** An unchanged state keeps its detail: another change does not remove who is logged in, or what was refused. @param {State} state @param {string} [detail] */
  setState(state, detail = state === this.state ? this.detail : "") {
    this.state = state;
    this.detail = detail;
    this.port.onState(state, detail);
  }

  /** A change was made (and is in the journal): save it after a short pause. */
  onChange() {
    if (UNDECIDED_STATES.has(this.state)) return this.setState(this.state);
    const now = Date.now();
    this.changedSince ||= now;
    const waiting = this.busy || WAITING_STATES.has(this.state);
    this.setState(waiting ? this.state : "changed");
    if (!waiting) this.scheduleSave(Math.max(0, Math.min(SAVE_DELAY, this.changedSince + MAX_SAVE_DELAY - now)));
  }

  /** @param {number} wait */
  scheduleSave(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), wait);
  }

  /** Try at once: the network is back, the user has logged in again, or the page is closing. @param {boolean} [last] */
  async saveNow(last = false) {
    clearTimeout(this.timer);
    this.tries = 0;
    await this.save(last);
  }

  /** Record a verdict and send it once everything before it is saved. @param {import("./journal.js").Verdict} verdict */
  async submit(verdict) {
    this.port.journal.put("verdict", verdict);
    await this.saveNow();
  }

  /** @param {boolean} [last] */
  async save(last = false) {
    while (this.running) await this.running;
    if (UNDECIDED_STATES.has(this.state) || !this.hasUnsent) return;
    this.running = this.send(last).finally(() => (this.running = null));
    await this.running;
  }

  /** @param {boolean} last */
  async send(last) {
    const { request, snapshot, journal, urls, onSaved, onSubmitted } = this.port;
    this.busy = false;
    if (this.unsaved || this.timeUnsaved) {
      const clock = journal.head.clock;
      const doc = snapshot();
      if (this.tries === 0) this.setState("saving");
      const response = await request("PUT", urls.annotation, { revision: this.revision, ...doc }, last);
      if (response.outcome !== "ok") return this.onFailure(response);
      this.revision = response.data.revision;
      this.sent = clock;
      this.timeUnsaved = false;
      this.tries = 0;
      this.changedSince = 0;
      journal.confirmSave(this.revision, clock, doc);
      onSaved(this.revision);
      if (this.unsaved) return (this.scheduleSave(SAVE_DELAY), this.setState("changed"));
    }
    const verdict = this.verdict;
    if (verdict) {
      this.setState("saving");
      const response = await request("POST", urls.submit, { revision: this.revision, ...verdict });
      if (response.outcome === "refused" && response.data?.error?.code !== PHASE_CLOSED_CODE) journal.drop("verdict");
      if (response.outcome !== "ok") return this.onFailure(response);
      journal.drop("verdict");
      this.tries = 0;
      this.setState("saved");
      return onSubmitted(response.data, verdict.verdict);
    }
    this.setState("saved");
  }

  /** @param {Answer} answer */
  onFailure({ outcome, data }) {
    if (REASSIGNED_CODES.has(data?.error?.code)) {
      this.port.journal.drop("verdict");
      return this.setState("reassigned");
    }
    if (outcome === "conflict" && data?.error?.code === DRAFT_CLOSED_CODE) {
      this.port.journal.drop("verdict");
      return this.setState("gold");
    }
    if (data?.error?.code === PHASE_CLOSED_CODE) return this.setState("closed");
    if (data?.error?.code === ARCHIVED_CODE) return this.setState("archived");
    if (outcome === "gone" && data?.error?.code === "access-ended") return this.setState("ended");
    if (outcome === "conflict") {
      const waiting = this.verdict !== null;
      // The verdict was given on another version: the annotator must check again first.
      this.port.journal.drop("verdict");
      if (SUBMITTED_CODES.has(data?.error?.code) || data?.annotation?.verdict) return this.setState("submitted");
      if (data?.annotation) {
        this.setState("conflict");
        return this.port.onConflict(data.annotation, waiting);
      }
    }
    if (outcome === "offline" || outcome === "broken" || outcome === "storage" || outcome === "busy") {
      this.scheduleSave(RETRY_DELAYS[Math.min(this.tries, RETRY_DELAYS.length - 1)]);
      this.tries += 1;
    }
    if (outcome === "busy") {
      this.busy = true;
      return this.setState("saving");
    }
    this.setState(outcome === "ok" ? "saved" : outcome === "conflict" ? "refused" : outcome, detailOf(outcome, data));
  }

  /**
   * The annotator has chosen between two versions: ours is now based on theirs.
   * @param {number} revision
   * @param {boolean} taken Whether theirs was accepted unchanged, so that there is nothing to send.
   * @param {unknown} theirs
   */
  async resolve(revision, taken, theirs) {
    this.revision = revision;
    const { journal } = this.port;
    if (taken) {
      this.sent = journal.head.clock;
      journal.confirmSave(revision, this.sent, theirs);
      return this.setState("saved");
    }
    this.setState("changed");
    await this.saveNow();
  }

  /**
   * Continue from their version; unsaved changes are now based on it.
   * @param {number} revision
   * @param {unknown} theirs
   */
  async rebase(revision, theirs) {
    this.revision = revision;
    this.port.journal.confirmSave(revision, this.sent, theirs);
    this.setState(this.unsaved ? "changed" : "saved");
    await this.saveNow();
  }
}

/**
 * Details of a state: who is logged in, or what the server did not accept, where, and what to do.
 * @param {import("./api.js").Outcome} outcome
 * @param {any} data
 */
export function detailOf(outcome, data) {
  const error = data?.error;
  if (!error) return "";
  if (outcome === "other") return error.where;
  return outcome === "refused" || outcome === "conflict" || outcome === "storage"
    ? joinSentences([error.where, error.message, error.hint])
    : "";
}

/** Parts of a refusal in a line: a dot between them, unless a part ends a sentence. @param {string[]} parts */
function joinSentences(parts) {
  return parts.filter(Boolean).reduce((text, part) => `${text}${/[.!?:…]$/u.test(text) ? " " : " · "}${part}`);
}
