/** Reconciles versions of a pair: saved in another tab, left by a closed tab, or saved elsewhere in the meantime. */

import { request } from "./api.js";
import { choose } from "../view/conflict.js";
import { wording } from "../model/wording.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { kept, waiting } from "./opening.js";
import { contentChanges, difference, docOf, plain } from "../model/patches.js";
import { merge } from "../model/versions.js";

/** @typedef {import("../model/types.js").AnnotationData} AnnotationData */

/** What is announced when one of two versions was chosen. */
const CHOSEN = {
  mine: gettext("Your version was kept"),
  theirs: gettext("The other version was kept"),
  both: gettext("Both versions were merged"),
};

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

  /** A tab was closed with work that never reached the server: show it, never drop it. @param {import("./journal.js").Journal} left */
  async inherit(left) {
    const { store, annotation } = this;
    const base = left.base();
    const pending = base ? left.pending() : [];
    if (base && pending.length) {
      const from = kept(annotation, base, []);
      const doc = kept(annotation, base, pending);
      const [here, there] = [store.doc, doc].map((one) => contentChanges(difference(from, one), store.regions).length > 0);
      if (here && there) {
        const saved = new Date(left.head.at).toISOString();
        this.take(await choose(store, from, { ...annotation, ...plain(doc), saved }), from, doc);
      } else store.commit(difference(store.doc, merge(from, store.doc, doc, true, store.regions).doc), { silent: !there });
    }
    left.clear();
  }

  /**
   * Another tab has saved: without unsaved content here, take its version and add the ticks made here; otherwise the
   * next save will conflict. So will a waiting verdict, which was given on what is shown now.
   * @param {number} revision
   */
  async follow(revision) {
    const { sync, journal, store } = this;
    if (!sync || !journal) return;
    // A save in progress may be refused, in which case the conflict is already being handled.
    while (sync.running) await sync.running;
    const free = () => !sync.running && !sync.verdict && !store.readOnly && sync.state !== "conflict" && !waiting(journal.pending(), store.regions).changes;
    if (!free() || revision <= sync.revision) return;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    // In the meantime something may have been changed here, or the pair submitted there.
    if (outcome !== "ok" || !free() || data.annotation.revision <= sync.revision) return;
    await this.join(this.serverState(journal), data.annotation);
  }

  /** The server's last state known to this browser. @param {import("./journal.js").Journal} journal */
  serverState(journal) {
    const base = journal.base();
    return base ? kept(this.annotation, base, []) : docOf(this.annotation);
  }

  /**
   * Only one side has changed content: add the changes made here to their version without asking. What is selected
   * stays so: the next key is about it.
   * @param {import("../model/types.js").Doc} base
   * @param {AnnotationData} annotation
   */
  async join(base, annotation) {
    const { store, sync } = this;
    const theirs = docOf(annotation);
    store.applied(difference(store.doc, merge(base, store.doc, theirs, true, store.regions).doc), false);
    await sync?.rebase(annotation.revision, plain(theirs, store.order));
  }

  /**
   * The server has a newer version than the one that ours is based on.
   * @param {AnnotationData} theirs
   * @param {boolean} verdict Whether a verdict was waiting to be sent.
   */
  async conflict(theirs, verdict) {
    const { store, sync, journal } = this;
    if (!sync || !journal) return;
    const base = this.serverState(journal);
    const [here, there] = [store.doc, docOf(theirs)].map((doc) => contentChanges(difference(base, doc), store.regions).length > 0);
    if (verdict) this.notice.note = wording.refusedSubmission;
    if (!there || (!here && !verdict)) return this.join(base, theirs);
    this.actions.clear();
    const chosen = await choose(store, base, theirs);
    sync.state = "changed";
    this.take(chosen, base, docOf(theirs));
    await sync.resolve(theirs.revision, chosen.choice === "theirs", store.plain());
  }

  /**
   * Every choice can be undone: one step back from the version kept here, the document has both.
   * @param {import("../view/conflict.js").Chosen} chosen
   * @param {import("../model/types.js").Doc} base
   * @param {import("../model/types.js").Doc} theirs
   */
  take({ choice, doc, dropped }, base, theirs) {
    const { store } = this;
    if (choice === "mine") {
      const both = merge(base, store.doc, theirs, store.scheme.overlap, store.regions).doc;
      const back = difference(both, store.doc);
      if (back.length) store.commit(difference(store.doc, both));
      if (back.length) store.commit(back);
    } else store.commit(difference(store.doc, doc));
    const words = [CHOSEN[choice], dropped ? leftOut(dropped) : ""].filter(Boolean).join(". ");
    this.say(words);
    if (dropped) this.notice.note = words;
  }
}

/** How many spans of the other version could not be kept. @param {number} n */
function leftOut(n) {
  const text = ngettext(
    "{n} span of the other version overlaps yours and was left out",
    "{n} spans of the other version overlap yours and were left out",
    n,
  );
  return format(text, { n });
}
