/**
 * Verdicts that were given without a network, on pages that are closed by now: sent with the work as soon as the server
 * answers, from any page. What the server does not accept is kept with the reason, until the pair is opened again. Without
 * DOM access.
 */

import { request } from "./api.js";
import { Journal, keysOf, nameOf, ROOT } from "./journal.js";
import { kept } from "./opening.js";
import { Sync } from "./sync.js";
import { contentChanges, difference, docOf, plain } from "../model/patches.js";

/** @typedef {{id: number, n: number, page: string, urls: {annotation: string, submit: string, assignment: string}}} Queued */
/** @typedef {Queued & {state: import("./sync.js").State, detail: string}} Returned A verdict that was not accepted, and why. */
/** @typedef {{id: number, scope: string, journal: Journal, queued: Queued}} Held */

/** ms between two attempts. */
const PAUSE = 15000;
/** States in which the same request may succeed later. */
const LATER = new Set(["saving", "changed", "offline", "broken", "storage", "login", "other"]);
/** What an annotation is before anything is known of it. */
const NOTHING = /** @type {import("../model/types.js").AnnotationData} */ (
  /** @type {unknown} */ ({ revision: 0, spans: { v: 1, spans: [] }, answers: {}, comment: "", read: { a: [], b: [] }, dismissed: [] })
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
    return name === entry && !more.length ? [{ id: Number(id), scope: `${person}/${id}`, journal: new Journal(storage, `${person}/${id}`, tab) }] : [];
  });
}

/** The verdicts that wait to be sent. @param {Storage} storage @param {string} person @returns {Held[]} */
export function heldBy(storage, person) {
  return journalsWith(storage, person, "verdict").flatMap((one) => {
    const queued = /** @type {Queued | null} */ (one.journal.read("queued"));
    return queued && one.journal.base() ? [{ ...one, queued }] : [];
  });
}

/** What was not accepted. @param {Storage} storage @param {string} person @returns {Returned[]} */
export function returnedTo(storage, person) {
  return journalsWith(storage, person, "returned").map(({ journal }) => journal.read("returned"));
}

/** Take back a verdict that has not been sent. @param {Storage} storage @param {string} person @param {number} id @returns {boolean} Whether there was one. */
export function withdraw(storage, person, id) {
  const own = heldBy(storage, person).filter((one) => one.id === id);
  for (const { journal } of own) for (const name of ["verdict", "queued"]) journal.drop(name);
  return own.length > 0;
}

export class Outbox {
  /**
   * @param {Storage} storage
   * @param {string} person
   * @param {number | null} own The assignment of this page, which sends by itself.
   * @param {(change: {waiting: number, returned: Returned[], sent: number}) => void} onChange
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

  begin() {
    addEventListener("online", () => void this.run());
    return this.run();
  }

  /** Send what waits, one after the other; try again later if the server can't be reached. */
  async run() {
    clearTimeout(this.timer);
    this.running ??= this.all().finally(() => (this.running = null));
    await this.running;
    const waiting = this.show();
    if (waiting) this.timer = setTimeout(() => void this.run(), PAUSE);
  }

  /** @returns {number} how many wait */
  show() {
    const waiting = this.waiting().length;
    const returned = returnedTo(this.storage, this.person).filter(({ id }) => id !== this.own);
    this.onChange({ waiting, returned, sent: this.sent });
    return waiting;
  }

  waiting() {
    return heldBy(this.storage, this.person).filter(({ id }) => id !== this.own);
  }

  async all() {
    // Without locks, another tab might be sending the same.
    if (!navigator.locks) return;
    for (const one of this.waiting()) {
      const later = await navigator.locks.request(nameOf(one.scope, one.journal.tab), { ifAvailable: true }, (lock) => (lock ? this.deliver(one) : false));
      if (later) return;
    }
  }

  /** @param {Held} held @returns {Promise<boolean>} Whether the server can't be reached now. */
  async deliver({ journal, queued }) {
    const base = journal.base();
    const verdict = journal.read("verdict");
    if (!base || !verdict) return false;
    const doc = kept(NOTHING, base, journal.pending());
    const seconds = Math.max(journal.read("time") ?? 0, base.doc.active_seconds ?? 0);
    let done = false;
    const nothing = () => {};
    const sync = new Sync(
      {
        request, journal, urls: queued.urls, onState: nothing, onConflict: nothing, onSaved: nothing,
        snapshot: () => ({ ...plain(doc), active_seconds: seconds }),
        onSubmitted: () => (done = true),
      },
      base.revision,
      base.clock,
    );
    sync.timeUnsaved = true;
    await sync.now();
    clearTimeout(sync.timer);
    if (sync.state === "submitted" && (await this.arrived(queued, verdict, doc))) done = true;
    if (done) {
      this.sent += 1;
      for (const name of ["verdict", "queued", "time", "reasons"]) journal.drop(name);
      // The server has everything: nothing of it is unsaved.
      journal.settle(sync.revision, journal.head.clock, plain(doc));
      return false;
    }
    if (sync.busy || LATER.has(sync.state)) return true;
    journal.drop("queued");
    journal.put("returned", { ...queued, state: sync.state, detail: sync.detail });
    return false;
  }

  /**
   * Whether the verdict had arrived already, and only the answer was lost.
   * @param {Queued} queued
   * @param {import("./journal.js").Verdict} verdict
   * @param {import("../model/types.js").Doc} doc
   */
  async arrived({ urls }, verdict, doc) {
    const { outcome, data } = await request("GET", urls.assignment);
    if (outcome !== "ok" || data.annotation.verdict !== verdict.verdict) return false;
    return !contentChanges(difference(docOf(data.annotation), doc)).length;
  }
}
