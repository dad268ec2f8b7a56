/**
 * Sends verdicts that were given offline on pages closed since, together with the work, from any open page, as soon as
 * the server can be reached. A verdict that the server refuses is kept with the reason until the pair is opened again.
 * Without DOM access.
 */

import { request } from "./api.js";
import { Journal, keysOf, lockName, ROOT } from "./journal.js";
import { withPending } from "./resume.js";
import { Sync } from "./sync.js";
import { contentChanges, diffDocs, docOf, serializeDoc } from "../model/patches.js";

/** @typedef {{id: number, n: number, page: string, urls: {annotation: string, submit: string, assignment: string}}} QueueEntry */
/** @typedef {QueueEntry & {state: import("./sync.js").State, detail: string}} RefusedVerdict A verdict that was not accepted, and why. */
/** @typedef {{id: number, scope: string, journal: Journal, queued: QueueEntry}} QueuedVerdict */

/** ms between two attempts. */
const RETRY_INTERVAL = 15000;
/** States in which the same request may succeed later. */
const RETRIABLE_STATES = new Set(["saving", "changed", "offline", "broken", "storage", "login", "other"]);
/** The annotation of a pair about which nothing is known yet. */
const EMPTY_ANNOTATION = /** @type {import("../model/types.js").AnnotationData} */ (
  /** @type {unknown} */ ({
    revision: 0,
    spans: { v: 1, spans: [] },
    answers: {},
    comment: "",
    read: { a: [], b: [] },
    dismissed: [],
    unmarked: [],
  })
);

/**
 * A person's journals that have an entry of a name.
 * @param {Storage} storage
 * @param {string} person
 * @param {string} entry
 */
function journalsWith(storage, person, entry) {
  const root = `${ROOT}${person}/`;
  return keysOf(storage, root).flatMap((key) => {
    const [id, tab, name, ...more] = key.slice(root.length).split("/");
    return name === entry && !more.length
      ? [{ id: Number(id), scope: `${person}/${id}`, journal: new Journal(storage, `${person}/${id}`, tab) }]
      : [];
  });
}

/** The verdicts that wait to be sent. @param {Storage} storage @param {string} person @returns {QueuedVerdict[]} */
export function queuedVerdicts(storage, person) {
  return journalsWith(storage, person, "verdict").flatMap((one) => {
    const queued = /** @type {QueueEntry | null} */ (one.journal.read("queued"));
    return queued && one.journal.base() ? [{ ...one, queued }] : [];
  });
}

/** The verdicts that the server refused. @param {Storage} storage @param {string} person @returns {RefusedVerdict[]} */
export function refusedVerdicts(storage, person) {
  return journalsWith(storage, person, "returned").map(({ journal }) => journal.read("returned"));
}

/** Withdraw a verdict that has not been sent. @param {Storage} storage @param {string} person @param {number} id @returns {boolean} Whether there was one. */
export function withdrawQueuedVerdict(storage, person, id) {
  const own = queuedVerdicts(storage, person).filter((one) => one.id === id);
  for (const { journal } of own) for (const name of ["verdict", "queued"]) journal.drop(name);
  return own.length > 0;
}

export class Outbox {
  /**
   * @param {Storage} storage
   * @param {string} person
   * @param {number | null} own The assignment of this page, which sends by itself.
   * @param {(change: {waiting: number, returned: RefusedVerdict[], sent: number}) => void} onChange
   */
  constructor(storage, person, own, onChange) {
    this.storage = storage;
    this.person = person;
    this.own = own;
    this.onChange = onChange;
    /** How many were sent from this page. */
    this.sent = 0;
    /** @type {Promise<void> | null} */
    this.running = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  start() {
    addEventListener("online", () => void this.run());
    return this.run();
  }

  /** Send the waiting verdicts one by one; try again later if the server can't be reached. */
  async run() {
    clearTimeout(this.timer);
    this.running ??= this.sendAll().finally(() => (this.running = null));
    await this.running;
    const waiting = this.report();
    if (waiting) this.timer = setTimeout(() => void this.run(), RETRY_INTERVAL);
  }

  /** @returns {number} how many wait */
  report() {
    const waiting = this.queued().length;
    const returned = refusedVerdicts(this.storage, this.person).filter(({ id }) => id !== this.own);
    this.onChange({ waiting, returned, sent: this.sent });
    return waiting;
  }

  queued() {
    return queuedVerdicts(this.storage, this.person).filter(({ id }) => id !== this.own);
  }

  async sendAll() {
    // Without locks, another tab might be sending the same.
    if (!navigator.locks) return;
    for (const one of this.queued()) {
      const later = await navigator.locks.request(
        lockName(one.scope, one.journal.tab),
        { ifAvailable: true },
        (lock) => (lock ? this.deliver(one) : false),
      );
      if (later) return;
    }
  }

  /** @param {QueuedVerdict} held @returns {Promise<boolean>} Whether the server can't be reached now. */
  async deliver({ journal, queued }) {
    const base = journal.base();
    const verdict = journal.read("verdict");
    if (!base || !verdict) return false;
    const doc = withPending(EMPTY_ANNOTATION, base, journal.pending());
    const seconds = Math.max(journal.read("time") ?? 0, base.doc.active_seconds ?? 0);
    let done = false;
    const nothing = () => {};
    const sync = new Sync(
      {
        request,
        journal,
        urls: queued.urls,
        onState: nothing,
        onConflict: nothing,
        onSaved: nothing,
        snapshot: () => ({ ...serializeDoc(doc), active_seconds: seconds }),
        onSubmitted: () => (done = true),
      },
      base.revision,
      base.clock,
    );
    sync.timeUnsaved = true;
    await sync.saveNow();
    clearTimeout(sync.timer);
    if (sync.state === "submitted" && (await this.hasArrived(queued, verdict, doc))) done = true;
    if (done) {
      this.sent += 1;
      for (const name of ["verdict", "queued", "time", "reasons"]) journal.drop(name);
      // The server has everything: nothing of it is unsaved.
      journal.confirmSave(sync.revision, journal.head.clock, serializeDoc(doc));
      return false;
    }
    if (sync.busy || RETRIABLE_STATES.has(sync.state)) return true;
    journal.drop("queued");
    journal.put("returned", { ...queued, state: sync.state, detail: sync.detail });
    return false;
  }

  /**
   * Whether the verdict had arrived already, and only the answer was lost.
   * @param {QueueEntry} queued
   * @param {import("./journal.js").Verdict} verdict
   * @param {import("../model/types.js").Doc} doc
   */
  async hasArrived({ urls }, verdict, doc) {
    const { outcome, data } = await request("GET", urls.assignment);
    if (outcome !== "ok" || data.annotation.verdict !== verdict.verdict) return false;
    return !contentChanges(diffDocs(docOf(data.annotation), doc)).length;
  }
}
