/** Versions of a pair that meet: what another tab has saved, what a closed tab left, what was saved elsewhere meanwhile. */

import { request } from "./api.js";
import { choose } from "../view/conflict.js";
import { t, tn } from "../view/messages.js";
import { kept, waiting } from "./opening.js";
import { contentChanges, difference, docOf, plain } from "../model/patches.js";
import { merge } from "../model/versions.js";

/** @typedef {import("../model/types.js").AnnotationData} AnnotationData */

export class Reconciler {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../input/actions.js").Actions} actions
   * @param {import("../view/notice.js").Notice} notice
   * @param {(words: string) => void} say
   */
  constructor(store, actions, notice, say) {
    this.store = store;
    this.actions = actions;
    this.notice = notice;
    this.say = say;
    this.annotation = store.assignment.annotation;
  }

  /** @param {import("./sync.js").Sync} sync @param {import("./journal.js").Journal} journal */
  begin(sync, journal) {
    this.sync = sync;
    this.journal = journal;
  }

  /** Another tab was closed with work that never reached the server: it is shown, never dropped. @param {import("./journal.js").Journal} left */
  async inherit(left) {
    const { store, annotation } = this;
    const base = left.base();
    const pending = base ? left.pending() : [];
    if (base && pending.length) {
      const from = kept(annotation, base, []);
      const doc = kept(annotation, base, pending);
      const [here, there] = [store.doc, doc].map((one) => contentChanges(difference(from, one)).length > 0);
      if (here && there) {
        const saved = new Date(left.head.at).toISOString();
        this.take(await choose(store, from, { ...annotation, ...plain(doc), saved }), from, doc);
      } else store.commit(difference(store.doc, merge(from, store.doc, doc, true).doc), { silent: !there });
    }
    left.clear();
  }

  /**
   * Another tab has saved: with no content of our own to lose, we follow, and our ticks are added; else the next save
   * will meet it. So will a verdict that waits: it was given on what is shown now.
   * @param {number} revision
   */
  async follow(revision) {
    const { sync, journal, store } = this;
    if (!sync || !journal) return;
    // A save that is under way may be refused: then the versions have met already.
    while (sync.running) await sync.running;
    const free = () => !sync.running && !sync.verdict && !store.readOnly && sync.state !== "conflict" && !waiting(journal.pending()).changes;
    if (!free() || revision <= sync.revision) return;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    // Meanwhile something may have been changed here, or the pair submitted there.
    if (outcome !== "ok" || !free() || data.annotation.revision <= sync.revision) return;
    this.actions.clear();
    await this.join(this.serverState(journal), data.annotation);
  }

  /** What the server had when this browser last heard of it. @param {import("./journal.js").Journal} journal */
  serverState(journal) {
    const base = journal.base();
    return base ? kept(this.annotation, base, []) : docOf(this.annotation);
  }

  /**
   * Only one side has changed content: what was changed here is added to their version, and nobody is asked.
   * @param {import("../model/types.js").Doc} base
   * @param {AnnotationData} annotation
   */
  async join(base, annotation) {
    const { store, sync } = this;
    const theirs = docOf(annotation);
    store.applied(difference(store.doc, merge(base, store.doc, theirs, true).doc), false);
    await sync?.rebase(annotation.revision, plain(theirs, store.order));
  }

  /**
   * The server has a newer version than the one that ours was made upon.
   * @param {AnnotationData} theirs
   * @param {boolean} verdict Whether a verdict was waiting to be sent.
   */
  async conflict(theirs, verdict) {
    const { store, sync, journal } = this;
    if (!sync || !journal) return;
    const base = this.serverState(journal);
    this.actions.clear();
    const [here, there] = [store.doc, docOf(theirs)].map((doc) => contentChanges(difference(base, doc)).length > 0);
    if (verdict) this.notice.note = t("trouble.verdict");
    if (!there || (!here && !verdict)) return this.join(base, theirs);
    const chosen = await choose(store, base, theirs);
    sync.state = "changed";
    this.take(chosen, base, docOf(theirs));
    await sync.resolve(theirs.revision, chosen.choice === "theirs", store.plain());
  }

  /**
   * Whatever was chosen can be undone: one step back from the version kept here, both are there.
   * @param {import("../view/conflict.js").Chosen} chosen
   * @param {import("../model/types.js").Doc} base
   * @param {import("../model/types.js").Doc} theirs
   */
  take({ choice, doc, dropped }, base, theirs) {
    const { store } = this;
    if (choice === "mine") {
      const both = merge(base, store.doc, theirs, store.scheme.overlap).doc;
      const back = difference(both, store.doc);
      if (back.length) store.commit(difference(store.doc, both));
      if (back.length) store.commit(back);
    } else store.commit(difference(store.doc, doc));
    const words = [t(`said.conflict.${choice}`), dropped ? tn("conflict.dropped", dropped) : ""].filter(Boolean).join(". ");
    this.say(words);
    if (dropped) this.notice.note = words;
  }
}
