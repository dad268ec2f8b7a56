/** From opening the page to the verdict: resumes unsaved work, saves, follows other tabs, submits. */

import { request } from "./api.js";
import { requireElement } from "../view/dom.js";
import { History } from "../model/history.js";
import { prune } from "./journal.js";
import { diffDocs, docOf } from "../model/patches.js";
import { wording } from "../model/wording.js";
import { gettext } from "../../gettext.js";
import { countUnsaved, resume } from "./resume.js";
import { Reconciler } from "./reconcile.js";
import { isPersistent, storage } from "./storage.js";
import { detailOf, Sync } from "./sync.js";
import { OtherTabs } from "./tabs.js";
import { isNormalState } from "../model/save-problems.js";

/** States in which a pair becomes read-only, with the reason that the footer gives. @type {Partial<Record<import("./sync.js").State, string>>} */
const READ_ONLY_REASONS = {
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
    this.closedTabJournals = [];
    const { reopen, final } = store.assignment;
    /** Whether a submission can be reopened, as known when the page was opened, until the server is asked. */
    this.reopenable = { reopen, final };
    /** Called once a verdict has been accepted, before the next pair opens. @type {(verdict: import("../model/types.js").Verdict) => void} */
    this.onVerdictAccepted = () => {};
    /** Called when a verdict waits here because there is no network. @type {(verdict: import("../model/types.js").Verdict) => Promise<void>} */
    this.onVerdictQueued = async () => {};
    /** Whether a verdict of an earlier visit is waiting: once it is sent, the page says so. */
    this.hadWaitingVerdict = false;
  }

  /**
   * Resume this browser's unsaved work on the pair, and start saving.
   * @param {ReturnType<typeof import("./tabs.js").openJournal>} entered Which tab this is.
   */
  async start(entered) {
    const { store } = this;
    const { editable } = store.assignment;
    const { journal, others, alive } = await entered;
    this.journal = journal;
    // This page shows what happened to the verdict.
    for (const one of [journal, ...others]) one.drop("returned");
    journal.failed = !isPersistent;
    this.clock.total = Math.max(this.clock.total, (journal.read("time") ?? 0) * 1000);
    const base = journal.base();
    const pending = base ? journal.pending() : [];
    const { patches, revision, unsaved, steps } = resume(
      await this.currentAnnotation(base),
      base,
      pending,
      store.regions,
    );
    // A read-only pair is shown as on the server; changes made here since then stay in the journal.
    if (editable) for (const patch of patches) store.applyPatch(patch, false);
    const left = steps ? journal.steps() : { patches: [], cursor: 0 };
    if (!steps && editable) journal.setSteps(0, 0, journal.head.length);
    store.history = new History(left.patches, left.cursor, journal);
    const sync = new Sync(this.syncPort(journal), revision, unsaved ? (base?.clock ?? 0) : journal.head.clock);
    this.sync = sync;
    this.reconciler.start(sync, journal);
    if (editable && !unsaved) journal.confirmSave(revision, journal.head.clock, store.serialize());
    store.journal = journal;
    store.readOnly = !editable;
    store.on("doc", () => sync.onChange());
    this.otherTabs = new OtherTabs(
      this.scope,
      journal.tab,
      (saved) => void this.reconciler.followOtherTab(saved),
      () => this.onSubmittedElsewhere(),
      (n) => this.showOtherTabs(n),
    );
    for (const tab of alive) this.otherTabs.addTab(tab);
    this.addListeners();
    this.updateReadOnly();
    this.hadWaitingVerdict = sync.verdict !== null;
    if (journal.read("sent")) {
      journal.drop("sent");
      this.notice.note = gettext("Your verdict, which was kept in this browser, has been sent.");
      sync.setState("saved");
    }
    if (!editable) return this.showKeptChanges(patches, others);
    if (unsaved || sync.verdict) void sync.saveNow();
    for (const one of others) await this.reconciler.mergeClosedTab(one);
    prune(storage);
  }

  /**
   * What the server has. A reloaded page may have been made while the last save of the page before it was on its way:
   * then this browser has seen a newer revision than the page shows.
   * @param {import("./journal.js").Base | null} base
   */
  async currentAnnotation(base) {
    const { store, annotation, reconciler } = this;
    if (!base || base.revision <= annotation.revision) return annotation;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    if (outcome !== "ok" || data.annotation.revision <= annotation.revision) return annotation;
    store.applyPatch(diffDocs(docOf(annotation), docOf(data.annotation)), false);
    this.annotation = reconciler.annotation = data.annotation;
    return this.annotation;
  }

  /**
   * The pair was submitted elsewhere or reassigned, its phase closed, or its project archived, before everything made
   * here was saved: say so and keep it here.
   * @param {import("../model/types.js").Patch[]} patches
   * @param {import("./journal.js").Journal[]} others
   */
  showKeptChanges(patches, others) {
    this.closedTabJournals = others;
    const pending = [...patches, ...others.flatMap((one) => (one.base() ? one.pending() : []))];
    const { archived, status } = this.store.assignment;
    const state = archived
      ? "archived"
      : status === "reassigned"
        ? "reassigned"
        : status === "done" || status === "skipped"
          ? "submitted"
          : "closed";
    const verdict = (state === "closed" || state === "archived") && this.sync?.verdict;
    if (countUnsaved(pending).changes || verdict) this.sync?.setState(state);
  }

  /** @param {import("./journal.js").Journal} journal @returns {import("./sync.js").Port} */
  syncPort(journal) {
    const { annotation, submit } = this.store.assignment.urls;
    return {
      request,
      journal,
      urls: { annotation, submit },
      snapshot: () => ({ ...this.store.serialize(), active_seconds: this.clock.seconds }),
      onState: (state, detail) => this.onState(state, detail),
      onConflict: (theirs, verdict) => void this.reconciler.resolveConflict(theirs, verdict),
      onSaved: (revision) => this.otherTabs?.announceSave(revision),
      onSubmitted: (data, verdict) => this.onSubmitted(data, verdict),
    };
  }

  /** @param {import("./sync.js").State} state @param {string} detail */
  onState(state, detail) {
    const { sync, journal, store } = this;
    const reason = READ_ONLY_REASONS[state];
    if (reason && !store.readOnly) {
      store.readOnly = true;
      this.actions.clear();
      requireElement("done-words").textContent = reason;
      this.updateReadOnly();
      if (state === "submitted") void this.checkReopenable();
    }
    // Read from the journals only if it is shown: otherwise every key press would have to wait for it.
    const pending = isNormalState(state)
      ? []
      : [journal, ...this.closedTabJournals].flatMap((one) => (one?.base() ? one.pending() : []));
    const { changes: unsaved, ticks } = countUnsaved(pending);
    const { reopen, final } = this.reopenable;
    this.notice.show(
      state,
      { detail, unsaved, ticks, waiting: Boolean(sync?.verdict), reopens: reopen, final },
      journal?.failed ?? false,
    );
  }

  /** Ask whether a pair that was submitted elsewhere after this page was opened can be reopened. */
  async checkReopenable() {
    const { outcome, data } = await request("GET", this.store.assignment.urls.assignment);
    // If the server does not say, users find out when they try.
    this.reopenable = outcome === "ok" ? { reopen: data.reopen, final: data.final } : { reopen: true, final: false };
    if (this.sync?.state === "submitted") this.sync.setState("submitted");
  }

  addListeners() {
    const { clock } = this;
    for (const type of ["keydown", "mousemove", "mousedown", "wheel", "touchstart", "touchmove"])
      addEventListener(type, () => clock.recordInput(), { passive: true, capture: true });
    addEventListener("online", () => void this.sync?.saveNow());
    addEventListener("focus", () => void this.retryAfterLogIn());
    if ("BroadcastChannel" in globalThis)
      new BroadcastChannel("diptych/login").addEventListener("message", () => void this.retryAfterLogIn());
    this.notice.beforeLogIn = () => this.retryAfterLogIn();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") return void this.retryAfterLogIn();
      clock.stop();
      this.onPageHidden();
    });
    addEventListener("pagehide", () => this.onPageHidden());
    setInterval(() => this.journal?.put("time", clock.seconds), 15000);
  }

  /**
   * The user, or someone else, may have logged in in the meantime. Sending what is kept here shows who it is; if there
   * is nothing to send, ask the server.
   */
  async retryAfterLogIn() {
    const { sync, store } = this;
    const out = () => sync?.state === "login" || sync?.state === "other";
    if (!sync || !out()) return;
    if (sync.hasUnsent) return sync.saveNow();
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    if (!out() || outcome === "offline" || outcome === "busy" || outcome === "storage" || outcome === "broken") return;
    if (outcome === "ok") return sync.setState("saved");
    sync.onFailure({ outcome, data });
  }

  /** The page may be closing: record the time, send what is unsaved. */
  onPageHidden() {
    if (this.store.readOnly || !this.sync) return;
    this.journal?.put("time", this.clock.seconds);
    this.sync.timeUnsaved = this.clock.seconds - this.annotation.active_seconds > 5;
    void this.sync.saveNow(true);
  }

  /** Another tab has submitted the pair. */
  onSubmittedElsewhere() {
    const { sync, store } = this;
    if (!sync || store.readOnly) return;
    if (sync.unsaved) void sync.saveNow();
    else sync.setState("submitted");
  }

  /** @param {number} others How many other tabs have this pair open. */
  showOtherTabs(others) {
    requireElement("notice").textContent = gettext(
      "This pair is also open in another tab. Changes saved there appear here; if both tabs change it at once, you will see both versions.",
    );
    // In the preview of a scheme nothing is saved, so nothing is shared.
    requireElement("notice").hidden = !others || this.store.assignment.id === "preview";
  }

  /** @param {import("./journal.js").Verdict} verdict */
  submit(verdict) {
    if (!this.sync || this.store.readOnly) return;
    this.actions.clear();
    this.notice.note = "";
    this.sync.timeUnsaved = true;
    const { id, position, urls } = this.store.assignment;
    // Another page can send it then, if this one is closed before; a decision in adjudication is only sent by its own.
    if (typeof id === "number")
      this.journal?.put("queued", {
        id,
        n: position.n,
        page: urls.page,
        urls: { annotation: urls.annotation, submit: urls.submit, assignment: urls.assignment },
      });
    void this.sync.submit(verdict).then(() => {
      if (this.sync?.verdict && this.sync.state === "offline") return this.onVerdictQueued(verdict.verdict);
      return undefined;
    });
  }

  /** @param {import("../../api-types.js").Submitted} data @param {import("../model/types.js").Verdict} verdict */
  onSubmitted(data, verdict) {
    const { urls, phase, id } = this.store.assignment;
    this.store.readOnly = true;
    this.otherTabs?.announceSubmission();
    for (const name of ["time", "reasons", "queued"]) this.journal?.drop(name);
    // The user has only just opened the pair: stay on it, and say what was sent.
    if (this.hadWaitingVerdict) this.journal?.put("sent", true);
    if (this.hadWaitingVerdict || (phase === "qualification" && verdict === "submitted")) return location.reload();
    this.onVerdictAccepted(verdict);
    location.assign(data.next ? urls.page.replace(`/${id}/`, `/${data.next}/`) : urls.next_page);
  }

  /** Reopen the pair; changes made here since it was submitted are then added to it. */
  async reopen() {
    const { outcome, data } = await request("POST", this.store.assignment.urls.reopen, {});
    if (outcome === "conflict" && ["closed", "archived"].includes(data?.error?.code))
      return this.sync?.onFailure({ outcome, data });
    // Any other conflict means that it has been reopened already, perhaps in another tab.
    if (outcome === "ok" || outcome === "conflict") return location.reload();
    // It has become final since the page was opened.
    if (data?.error?.code === "final" && this.sync?.state === "submitted") {
      this.reopenable = { reopen: false, final: true };
      return this.sync.setState("submitted");
    }
    this.sync?.setState(
      outcome === "busy" ? "refused" : outcome,
      detailOf(outcome === "busy" ? "refused" : outcome, data),
    );
  }

  /** Discard the changes made here since the pair was submitted elsewhere. */
  discard() {
    if (!confirm(gettext("Discard the changes made here? This can't be undone."))) return;
    for (const one of [this.journal, ...this.closedTabJournals]) one?.clear();
    location.reload();
  }

  /** Make the page read-only. */
  updateReadOnly() {
    const { readOnly } = this.store;
    document.body.classList.toggle("done", readOnly);
    requireElement("done").hidden = !readOnly;
    requireElement("verdicts").hidden = readOnly;
    this.store.emit("view");
  }
}
