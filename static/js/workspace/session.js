/** From the opening of the page to the verdict: takes up what was left here, saves, meets other tabs, hands over. */

import { request } from "./api.js";
import { choose } from "./conflict.js";
import { need } from "./dom.js";
import { History } from "./history.js";
import { prune } from "./journal.js";
import { t } from "./messages.js";
import { kept, takeUp } from "./opening.js";
import { difference, docOf, plain } from "./patches.js";
import { lasting, storage } from "./storage.js";
import { Sync } from "./sync.js";
import { Neighbours } from "./tabs.js";

export class Session {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./clock.js").Clock} clock
   * @param {import("./status.js").Status} status
   * @param {import("./actions.js").Actions} actions
   * @param {(words: string) => void} say
   */
  constructor(store, clock, status, actions, say) {
    this.store = store;
    this.clock = clock;
    this.status = status;
    this.actions = actions;
    this.say = say;
    this.annotation = store.assignment.annotation;
  }

  /**
   * Take up what this browser still has of the pair, and begin to save.
   * @param {ReturnType<typeof import("./tabs.js").enter>} entered Which tab this is.
   */
  async begin(entered) {
    const { store, annotation } = this;
    const { id, editable } = store.assignment;
    const { journal, others, alive } = await entered;
    this.journal = journal;
    journal.failed = !lasting;
    this.clock.total = Math.max(this.clock.total, (journal.read("time") ?? 0) * 1000);
    const base = journal.base();
    const pending = base ? journal.pending() : [];
    const { patches, revision, owed, steps } = takeUp(annotation, base, pending);
    const left = steps ? journal.steps() : { patches: [], cursor: 0 };
    if (!steps) journal.cut(0, 0, journal.head.length);
    store.history = new History(left.patches, left.cursor, journal);
    for (const patch of patches) store.applied(patch, false);
    const sync = new Sync(this.port(journal), revision, owed ? base?.clock ?? 0 : journal.head.clock);
    this.sync = sync;
    if (editable && !owed) journal.settle(revision, journal.head.clock, store.plain());
    store.journal = journal;
    store.readOnly = !editable;
    store.on("doc", () => sync.changed());
    this.neighbours = new Neighbours(id, journal.tab, (saved) => void this.met(saved), (n) => this.beside(n));
    for (const tab of alive) this.neighbours.meet(tab);
    this.listen();
    this.lock();
    if (owed || sync.verdict) void sync.now();
    for (const one of others) await this.inherit(one);
    prune(storage);
  }

  /** Another tab was closed with work that never reached the server: it is shown, never dropped. @param {import("./journal.js").Journal} left */
  async inherit(left) {
    const { store, annotation } = this;
    const base = left.base();
    const pending = base ? left.pending() : [];
    if (base && pending.length && store.assignment.editable) {
      const doc = kept(annotation, base, pending);
      const saved = new Date(left.head.at).toISOString();
      const chosen = await choose(store, kept(annotation, base, []), { ...annotation, ...plain(doc), saved });
      store.commit(difference(store.doc, chosen.doc));
    }
    left.clear();
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
      onConflict: (theirs) => void this.conflict(theirs),
      onSaved: (revision) => this.neighbours?.saved(revision),
      onSubmitted: (data, verdict) => this.submitted(data, verdict),
    };
  }

  /** @param {import("./sync.js").State} state @param {string} detail */
  shown(state, detail) {
    const { sync, journal } = this;
    this.status.saving(state, detail, sync?.owed ?? 0, Boolean(sync?.verdict), journal?.failed ?? false);
  }

  listen() {
    const { clock } = this;
    for (const type of ["keydown", "mousemove", "mousedown", "wheel", "touchstart", "touchmove"])
      addEventListener(type, () => clock.touch(), { passive: true, capture: true });
    addEventListener("online", () => void this.sync?.now());
    addEventListener("focus", () => this.sync?.state === "login" && void this.sync.now());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") return;
      clock.stop();
      this.leave();
    });
    addEventListener("pagehide", () => this.leave());
    setInterval(() => this.journal?.put("time", clock.seconds), 15000);
  }

  /** The page may be closing: keep the time, send what there is. */
  leave() {
    if (this.store.readOnly || !this.sync) return;
    this.journal?.put("time", this.clock.seconds);
    this.sync.timeOwed = this.clock.seconds - this.annotation.active_seconds > 5;
    void this.sync.now(true);
  }

  /** Another tab has saved: with nothing of our own to lose, we follow; else the next save will meet it. @param {number} revision */
  async met(revision) {
    const { sync, store } = this;
    if (!sync || sync.owed || revision <= sync.revision) return;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    if (outcome !== "ok" || sync.owed) return;
    this.actions.clear();
    store.applied(difference(store.doc, docOf(data.annotation)), false);
    await sync.resolve(data.annotation.revision, true, store.plain());
  }

  /** @param {number} others How many other tabs have this pair open. */
  beside(others) {
    need("notice").textContent = t("notice.tab");
    need("notice").hidden = !others;
  }

  /** @param {import("./types.js").AnnotationData} theirs */
  async conflict(theirs) {
    const { store, sync, journal } = this;
    if (!sync || !journal) return;
    const base = journal.base();
    this.actions.clear();
    const { choice, doc } = await choose(store, base ? kept(this.annotation, base, []) : docOf(this.annotation), theirs);
    sync.state = "changed";
    if (choice !== "mine") store.commit(difference(store.doc, doc));
    await sync.resolve(theirs.revision, choice === "theirs", store.plain());
    this.say(t(`said.conflict.${choice}`));
  }

  /** @param {{verdict: string, reason: string}} verdict */
  submit(verdict) {
    if (!this.sync || this.store.readOnly) return;
    this.actions.clear();
    this.sync.timeOwed = true;
    void this.sync.submit(verdict);
  }

  /** @param {{status: string, next: number | null}} data @param {string} verdict */
  submitted(data, verdict) {
    const { urls, phase, id } = this.store.assignment;
    this.store.readOnly = true;
    this.journal?.drop("time");
    if (phase === "qualification" && verdict === "submitted") return location.reload();
    location.assign(data.next ? urls.page.replace(`/${id}/`, `/${data.next}/`) : urls.next_page);
  }

  async reopen() {
    const { outcome, data } = await request("POST", this.store.assignment.urls.reopen, {});
    if (outcome === "ok") return location.reload();
    this.status.saving(outcome, data?.error?.message ?? "", 0, false, false);
  }

  /** What may not be changed is shown as it is. */
  lock() {
    const { readOnly } = this.store;
    document.body.classList.toggle("done", readOnly);
    need("done").hidden = !readOnly;
    need("verdicts").hidden = readOnly;
    this.store.emit("view");
  }
}
