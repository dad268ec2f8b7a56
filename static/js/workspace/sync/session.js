/** From opening the page to the verdict: resumes unsaved work, saves, follows other tabs, submits. */

import { request } from "./api.js";
import { need } from "../view/dom.js";
import { History } from "../model/history.js";
import { prune } from "./journal.js";
import { difference, docOf } from "../model/patches.js";
import { wording } from "../model/wording.js";
import { gettext } from "../../gettext.js";
import { resume, waiting } from "./opening.js";
import { Reconciler } from "./reconcile.js";
import { lasting, storage } from "./storage.js";
import { detailOf, Sync } from "./sync.js";
import { OtherTabs } from "./tabs.js";
import { isCalm } from "../model/trouble.js";

/** States in which a pair becomes read-only, with the reason that the footer gives. @type {Partial<Record<import("./sync.js").State, string>>} */
const OVER = {
  submitted: wording.submittedNote,
  reassigned: gettext("The lead has assigned this pair to someone else."),
  closed: gettext("The phase is closed. This pair can be read, not changed."),
  archived: gettext("The project is archived. This pair can be read, not changed."),
  gold: gettext("The draft was closed and gold was created from it."),
};

export class Session {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {string} scope The user and the assignment: see `scopeOf`.
   * @param {import("../model/clock.js").Clock} clock
   * @param {import("../view/notice.js").Notice} notice
   * @param {import("../input/actions.js").Actions} actions
   * @param {(words: string) => void} say
   */
  constructor(store, scope, clock, notice, actions, say) {
    this.store = store;
    this.scope = scope;
    this.clock = clock;
    this.notice = notice;
    this.actions = actions;
    this.annotation = store.assignment.annotation;
    this.reconciler = new Reconciler(store, actions, notice, say);
    /** @type {import("./journal.js").Journal[]} Journals of closed tabs that can't be merged now. */
    this.left = [];
    const { reopen, final } = store.assignment;
    /** Whether a submission can be reopened: as known when the page was opened, until the server is asked. */
    this.over = { reopen, final };
    /** Called once a verdict has been accepted, before the next pair opens. @type {(verdict: string) => void} */
    this.onLeft = () => {};
    /** Called when a verdict waits here because there is no network. @type {(verdict: string) => Promise<void>} */
    this.onWaiting = async () => {};
    /** Whether a verdict of an earlier visit is waiting: once it is sent, the page says so. */
    this.earlier = false;
  }

  /**
   * Resume this browser's unsaved work on the pair, and start saving.
   * @param {ReturnType<typeof import("./tabs.js").enter>} entered Which tab this is.
   */
  async begin(entered) {
    const { store } = this;
    const { editable } = store.assignment;
    const { journal, others, alive } = await entered;
    this.journal = journal;
    // The page itself says what became of the verdict.
    for (const one of [journal, ...others]) one.drop("returned");
    journal.failed = !lasting;
    this.clock.total = Math.max(this.clock.total, (journal.read("time") ?? 0) * 1000);
    const base = journal.base();
    const pending = base ? journal.pending() : [];
    const { patches, revision, unsaved, steps } = resume(await this.current(base), base, pending, store.regions);
    // A read-only pair is shown as on the server; changes made here since then stay in the journal.
    if (editable) for (const patch of patches) store.applied(patch, false);
    const left = steps ? journal.steps() : { patches: [], cursor: 0 };
    if (!steps && editable) journal.cut(0, 0, journal.head.length);
    store.history = new History(left.patches, left.cursor, journal);
    const sync = new Sync(this.port(journal), revision, unsaved ? base?.clock ?? 0 : journal.head.clock);
    this.sync = sync;
    this.reconciler.begin(sync, journal);
    if (editable && !unsaved) journal.settle(revision, journal.head.clock, store.plain());
    store.journal = journal;
    store.readOnly = !editable;
    store.on("doc", () => sync.changed());
    this.otherTabs = new OtherTabs(this.scope, journal.tab, (saved) => void this.reconciler.follow(saved), () => this.elsewhere(), (n) => this.beside(n));
    for (const tab of alive) this.otherTabs.meet(tab);
    this.listen();
    this.lock();
    this.earlier = sync.verdict !== null;
    if (journal.read("sent")) {
      journal.drop("sent");
      this.notice.note = gettext("Your verdict, which was kept in this browser, has been sent.");
      sync.show("saved");
    }
    if (!editable) return this.keep(patches, others);
    if (unsaved || sync.verdict) void sync.now();
    for (const one of others) await this.reconciler.inherit(one);
    prune(storage);
  }

  /**
   * What the server has. A reloaded page may have been made while the last save of the page before it was on its way:
   * then this browser has seen a newer revision than the page shows.
   * @param {import("./journal.js").Base | null} base
   */
  async current(base) {
    const { store, annotation, reconciler } = this;
    if (!base || base.revision <= annotation.revision) return annotation;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    if (outcome !== "ok" || data.annotation.revision <= annotation.revision) return annotation;
    store.applied(difference(docOf(annotation), docOf(data.annotation)), false);
    this.annotation = reconciler.annotation = data.annotation;
    return this.annotation;
  }

  /**
   * The pair was submitted elsewhere or reassigned, its phase closed, or its project archived, before everything made
   * here was saved: say so and keep it here.
   * @param {import("../model/types.js").Patch[]} patches
   * @param {import("./journal.js").Journal[]} others
   */
  keep(patches, others) {
    this.left = others;
    const made = [...patches, ...others.flatMap((one) => (one.base() ? one.pending() : []))];
    const { archived, status } = this.store.assignment;
    const state = archived ? "archived" : status === "reassigned" ? "reassigned" : status === "done" || status === "skipped" ? "submitted" : "closed";
    const kept = (state === "closed" || state === "archived") && this.sync?.verdict;
    if (waiting(made, this.store.regions).changes || kept) this.sync?.show(state);
  }

  /** @param {import("./journal.js").Journal} journal @returns {import("./sync.js").Port} */
  port(journal) {
    const { annotation, submit } = this.store.assignment.urls;
    return {
      request,
      journal,
      urls: { annotation, submit },
      snapshot: () => ({ ...this.store.plain(), active_seconds: this.clock.seconds }),
      onState: (state, detail) => this.shown(state, detail),
      onConflict: (theirs, verdict) => void this.reconciler.conflict(theirs, verdict),
      onSaved: (revision) => this.otherTabs?.saved(revision),
      onSubmitted: (data, verdict) => this.submitted(data, verdict),
    };
  }

  /** @param {import("./sync.js").State} state @param {string} detail */
  shown(state, detail) {
    const { sync, journal, store } = this;
    const over = OVER[state];
    if (over && !store.readOnly) {
      store.readOnly = true;
      this.actions.clear();
      need("done-words").textContent = over;
      this.lock();
      if (state === "submitted") void this.ask();
    }
    // Read from the journals only if it is shown: otherwise every key press would have to wait for it.
    const made = isCalm(state) ? [] : [journal, ...this.left].flatMap((one) => (one?.base() ? one.pending() : []));
    const { changes: unsaved, ticks } = waiting(made, store.regions);
    const { reopen, final } = this.over;
    this.notice.show(state, { detail, unsaved, ticks, waiting: Boolean(sync?.verdict), reopens: reopen, final }, journal?.failed ?? false);
  }

  /** Ask whether a pair that was submitted elsewhere can be reopened: the page was opened before. */
  async ask() {
    const { outcome, data } = await request("GET", this.store.assignment.urls.assignment);
    // If the server does not say, users find out when they try.
    this.over = outcome === "ok" ? { reopen: data.reopen, final: data.final } : { reopen: true, final: false };
    if (this.sync?.state === "submitted") this.sync.show("submitted");
  }

  listen() {
    const { clock } = this;
    for (const type of ["keydown", "mousemove", "mousedown", "wheel", "touchstart", "touchmove"])
      addEventListener(type, () => clock.touch(), { passive: true, capture: true });
    addEventListener("online", () => void this.sync?.now());
    addEventListener("focus", () => void this.again());
    if ("BroadcastChannel" in globalThis) new BroadcastChannel("diptych/login").addEventListener("message", () => void this.again());
    this.notice.beforeLogIn = () => this.again();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") return void this.again();
      clock.stop();
      this.leave();
    });
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.journal?.put("time", clock.seconds), 15000);
  }

  /**
   * The user, or someone else, may have logged in in the meantime: send what is kept here, which tells, or else ask the
   * server.
   */
  async again() {
    const { sync, store } = this;
    const out = () => sync?.state === "login" || sync?.state === "other";
    if (!sync || !out()) return;
    if (sync.waiting) return sync.now();
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    if (!out() || outcome === "offline" || outcome === "busy" || outcome === "storage" || outcome === "broken") return;
    if (outcome === "ok") return sync.show("saved");
    sync.failed({ outcome, data });
  }

  /** The page may be closing: record the time, send what is unsaved. */
  leave() {
    if (this.store.readOnly || !this.sync) return;
    this.journal?.put("time", this.clock.seconds);
    this.sync.timeUnsaved = this.clock.seconds - this.annotation.active_seconds > 5;
    void this.sync.now(true);
  }

  /** Another tab has submitted the pair. */
  elsewhere() {
    const { sync, store } = this;
    if (!sync || store.readOnly) return;
    if (sync.unsaved) void sync.now();
    else sync.show("submitted");
  }

  /** @param {number} others How many other tabs have this pair open. */
  beside(others) {
    need("notice").textContent = gettext(
      "This pair is also open in another tab. Changes saved there appear here; if both tabs change it at once, you will see both versions.",
    );
    // In the preview of a scheme nothing is saved, so nothing is shared.
    need("notice").hidden = !others || this.store.assignment.id === "preview";
  }

  /** @param {{verdict: string, reason: string}} verdict */
  submit(verdict) {
    if (!this.sync || this.store.readOnly) return;
    this.actions.clear();
    this.notice.note = "";
    this.sync.timeUnsaved = true;
    const { id, position, urls } = this.store.assignment;
    // Another page can send it then, if this one is closed before; a decision in adjudication is only sent by its own.
    if (typeof id === "number") this.journal?.put("queued", { id, n: position.n, page: urls.page, urls: { annotation: urls.annotation, submit: urls.submit, assignment: urls.assignment } });
    void this.sync.submit(verdict).then(() => {
      if (this.sync?.verdict && this.sync.state === "offline") return this.onWaiting(verdict.verdict);
      return undefined;
    });
  }

  /** @param {{status: string, next: number | null}} data @param {string} verdict */
  submitted(data, verdict) {
    const { urls, phase, id } = this.store.assignment;
    this.store.readOnly = true;
    this.otherTabs?.submitted();
    for (const name of ["time", "reasons", "queued"]) this.journal?.drop(name);
    // The user has only just opened the pair: it stays, and says what was sent.
    if (this.earlier) this.journal?.put("sent", true);
    if (this.earlier || (phase === "qualification" && verdict === "submitted")) return location.reload();
    this.onLeft(verdict);
    location.assign(data.next ? urls.page.replace(`/${id}/`, `/${data.next}/`) : urls.next_page);
  }

  /** Reopen the pair; changes made here since it was submitted are then added to it. */
  async reopen() {
    const { outcome, data } = await request("POST", this.store.assignment.urls.reopen, {});
    if (outcome === "conflict" && ["closed", "archived"].includes(data?.error?.code)) return this.sync?.failed({ outcome, data });
    // Any other conflict means that it has been reopened already, perhaps in another tab.
    if (outcome === "ok" || outcome === "conflict") return location.reload();
    // It has become final since the page was opened.
    if (data?.error?.code === "final" && this.sync?.state === "submitted") {
      this.over = { reopen: false, final: true };
      return this.sync.show("submitted");
    }
    this.sync?.show(outcome === "busy" ? "refused" : outcome, detailOf(outcome === "busy" ? "refused" : outcome, data));
  }

  /** Discard the changes made here since the pair was submitted elsewhere. */
  discard() {
    if (!confirm(gettext("Discard the changes made here? This can't be undone."))) return;
    for (const one of [this.journal, ...this.left]) one?.clear();
    location.reload();
  }

  /** Make the page read-only. */
  lock() {
    const { readOnly } = this.store;
    document.body.classList.toggle("done", readOnly);
    need("done").hidden = !readOnly;
    need("verdicts").hidden = readOnly;
    this.store.emit("view");
  }
}
