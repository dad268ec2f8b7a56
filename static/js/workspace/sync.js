/**
 * Saving: first here, then on the server, within a second of rest. Nothing is lost by a cut network, a stopped server or an
 * expired log-in: it waits here and is sent in order. Nothing is overwritten unseen: the server names a newer revision
 * and the annotator chooses. Knows no DOM.
 */

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {"saved" | "saving" | "changed" | "offline" | "broken" | "login" | "conflict" | "refused" | "gone"} State */
/**
 * @typedef {object} Port What saving needs from the rest.
 * @property {(method: string, url: string, body?: unknown, last?: boolean) => Promise<Answer>} request
 * @property {() => any} snapshot The document as it is sent.
 * @property {import("./journal.js").Journal} journal
 * @property {{annotation: string, submit: string}} urls
 * @property {(state: State, detail: string) => void} onState
 * @property {(theirs: import("./types.js").AnnotationData) => void} onConflict
 * @property {(data: {status: string, next: number | null}, verdict: string) => void} onSubmitted
 * @property {(revision: number) => void} onSaved
 */

/** ms of rest before a save, the longest time that work without a pause waits, and the waits between failed tries. */
export const REST = 700;
export const LONGEST = 5000;
export const WAITS = [1000, 2000, 4000, 8000, 15000, 30000];

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
    this.since = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Promise<void> | null} */
    this.running = null;
    /** Active time alone makes no revision, but goes with the next save. */
    this.timeOwed = false;
  }

  /** How many changes only this browser has. */
  get owed() {
    return this.port.journal.head.clock - this.sent;
  }

  /** @returns {import("./journal.js").Verdict | null} */
  get verdict() {
    return this.port.journal.read("verdict");
  }

  /** @param {State} state @param {string} [detail] */
  show(state, detail = "") {
    this.state = state;
    this.port.onState(state, detail);
  }

  /** A change was made (and is in the journal): save it after a moment's rest. */
  changed() {
    if (this.state === "conflict") return this.show("conflict");
    const now = Date.now();
    this.since ||= now;
    const waiting = this.state === "offline" || this.state === "broken" || this.state === "login";
    this.show(waiting ? this.state : "changed");
    if (!waiting) this.plan(Math.max(0, Math.min(REST, this.since + LONGEST - now)));
  }

  /** @param {number} wait */
  plan(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), wait);
  }

  /** Try at once: the network is back, the log-in renewed, the page is closing. @param {boolean} [last] */
  async now(last = false) {
    clearTimeout(this.timer);
    this.tries = 0;
    await this.save(last);
  }

  /** Keep a verdict and send it once everything before it is on the server. @param {import("./journal.js").Verdict} verdict */
  async submit(verdict) {
    this.port.journal.put("verdict", verdict);
    await this.now();
  }

  /** @param {boolean} [last] */
  async save(last = false) {
    while (this.running) await this.running;
    if (this.state === "conflict" || (!this.owed && !this.verdict && !this.timeOwed)) return;
    this.running = this.send(last).finally(() => (this.running = null));
    await this.running;
  }

  /** @param {boolean} last */
  async send(last) {
    const { request, snapshot, journal, urls, onSaved, onSubmitted } = this.port;
    if (this.owed || this.timeOwed) {
      const clock = journal.head.clock;
      const doc = snapshot();
      if (this.tries === 0) this.show("saving");
      const answer = await request("PUT", urls.annotation, { revision: this.revision, ...doc }, last);
      if (answer.outcome !== "ok") return this.failed(answer);
      this.revision = answer.data.revision;
      this.sent = clock;
      this.timeOwed = false;
      this.tries = 0;
      this.since = 0;
      journal.settle(this.revision, clock, doc);
      onSaved(this.revision);
      if (this.owed) return this.plan(REST), this.show("changed");
    }
    const verdict = this.verdict;
    if (verdict) {
      this.show("saving");
      const answer = await request("POST", urls.submit, { revision: this.revision, ...verdict });
      if (answer.outcome === "refused") journal.drop("verdict");
      if (answer.outcome !== "ok") return this.failed(answer);
      journal.drop("verdict");
      this.tries = 0;
      this.show("saved");
      return onSubmitted(answer.data, verdict.verdict);
    }
    this.show("saved");
  }

  /** @param {Answer} answer */
  failed({ outcome, data }) {
    if (outcome === "conflict" && data?.annotation) {
      this.port.journal.drop("verdict");
      this.show("conflict");
      return this.port.onConflict(data.annotation);
    }
    if (outcome === "offline" || outcome === "broken") {
      this.plan(WAITS[Math.min(this.tries, WAITS.length - 1)]);
      this.tries += 1;
    }
    const error = data?.error;
    const detail = error ? [error.where, error.message, error.hint].filter(Boolean).join(" · ") : data?.detail ?? "";
    this.show(outcome === "ok" ? "saved" : outcome === "conflict" ? "refused" : outcome, detail);
  }

  /**
   * The annotator has chosen between two versions: ours is now made upon theirs.
   * @param {number} revision
   * @param {boolean} taken Whether theirs was taken as it is, so that there is nothing to send.
   * @param {unknown} theirs
   */
  async resolve(revision, taken, theirs) {
    this.revision = revision;
    const { journal } = this.port;
    if (taken) {
      this.sent = journal.head.clock;
      journal.settle(revision, this.sent, theirs);
      return this.show("saved");
    }
    this.show("changed");
    await this.now();
  }
}
