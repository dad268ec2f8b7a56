/** Reconciles versions of a pair: saved in another tab, left by a closed tab, or saved elsewhere in the meantime. */

import { request } from "./api.js";
import { chooseVersion } from "../view/conflict.js";
import { wording } from "../model/wording.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { countUnsaved, withPending } from "./resume.js";
import { contentChanges, diffDocs, docOf, serializeDoc } from "../model/patches.js";
import { mergeVersions } from "../model/versions.js";

/** @typedef {import("../model/types.js").AnnotationData} AnnotationData */

/** What is announced when one of two versions was chosen. */
const CHOICE_MESSAGES = {
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
  start(sync, journal) {
    this.sync = sync;
    this.journal = journal;
  }

  /** A tab was closed with work that never reached the server: show it, never drop it. @param {import("./journal.js").Journal} left */
  async mergeClosedTab(left) {
    const { store, annotation } = this;
    const base = left.base();
    const pending = base ? left.pending() : [];
    if (base && pending.length) {
      const from = withPending(annotation, base, []);
      const doc = withPending(annotation, base, pending);
      const [here, there] = [store.doc, doc].map((one) => contentChanges(diffDocs(from, one)).length > 0);
      if (here && there) {
        const saved = new Date(left.head.at).toISOString();
        this.applyChoice(await chooseVersion(store, from, { ...annotation, ...serializeDoc(doc), saved }), from, doc);
      } else
        store.commit(diffDocs(store.doc, mergeVersions(from, store.doc, doc, true, store.regions).doc), {
          silent: !there,
        });
    }
    left.clear();
  }

  /**
   * Another tab has saved: without unsaved content here, take its version and add the ticks made here; otherwise the
   * next save will conflict. So will a waiting verdict, which was given on what is shown now.
   * @param {number} revision
   */
  async followOtherTab(revision) {
    const { sync, journal, store } = this;
    if (!sync || !journal) return;
    // A save in progress may be refused, in which case the conflict is already being handled.
    while (sync.running) await sync.running;
    const free = () =>
      !sync.running &&
      !sync.verdict &&
      !store.readOnly &&
      sync.state !== "conflict" &&
      !countUnsaved(journal.pending()).changes;
    if (!free() || revision <= sync.revision) return;
    const { outcome, data } = await request("GET", store.assignment.urls.assignment);
    // In the meantime something may have been changed here, or the pair submitted there.
    if (outcome !== "ok" || !free() || data.annotation.revision <= sync.revision) return;
    await this.mergeWithoutAsking(this.serverState(journal), data.annotation);
  }

  /** The server's last state known to this browser. @param {import("./journal.js").Journal} journal */
  serverState(journal) {
    const base = journal.base();
    return base ? withPending(this.annotation, base, []) : docOf(this.annotation);
  }

  /**
   * Only one side has changed content: add the changes made here to their version without asking. What is selected
   * stays so: the next key is about it.
   * @param {import("../model/types.js").Doc} base
   * @param {AnnotationData} annotation
   */
  async mergeWithoutAsking(base, annotation) {
    const { store, sync } = this;
    const theirs = docOf(annotation);
    store.applyPatch(diffDocs(store.doc, mergeVersions(base, store.doc, theirs, true, store.regions).doc), false);
    await sync?.rebase(annotation.revision, serializeDoc(theirs, store.order));
  }

  /**
   * The server has a newer version than the one that ours is based on.
   * @param {AnnotationData} theirs
   * @param {boolean} verdict Whether a verdict was waiting to be sent.
   */
  async resolveConflict(theirs, verdict) {
    const { store, sync, journal } = this;
    if (!sync || !journal) return;
    const base = this.serverState(journal);
    const [here, there] = [store.doc, docOf(theirs)].map((doc) => contentChanges(diffDocs(base, doc)).length > 0);
    if (verdict) this.notice.note = wording.refusedSubmission;
    if (!there || (!here && !verdict)) return this.mergeWithoutAsking(base, theirs);
    this.actions.clear();
    const chosen = await chooseVersion(store, base, theirs);
    sync.state = "changed";
    this.applyChoice(chosen, base, docOf(theirs));
    await sync.resolve(theirs.revision, chosen.choice === "theirs", store.serialize());
  }

  /**
   * Every choice can be undone: one step back from the version kept here, the document has both.
   * @param {import("../view/conflict.js").Chosen} chosen
   * @param {import("../model/types.js").Doc} base
   * @param {import("../model/types.js").Doc} theirs
   */
  applyChoice({ choice, doc, dropped }, base, theirs) {
    const { store } = this;
    if (choice === "mine") {
      const both = mergeVersions(base, store.doc, theirs, store.scheme.overlap, store.regions).doc;
      const back = diffDocs(both, store.doc);
      if (back.length) store.commit(diffDocs(store.doc, both));
      if (back.length) store.commit(back);
    } else store.commit(diffDocs(store.doc, doc));
    const words = [CHOICE_MESSAGES[choice], dropped ? droppedText(dropped) : ""].filter(Boolean).join(". ");
    this.say(words);
    if (dropped) this.notice.note = words;
  }
}

/** How many spans of the other version could not be kept. @param {number} n */
function droppedText(n) {
  const text = ngettext(
    "{n} span of the other version overlaps yours and was discarded",
    "{n} spans of the other version overlap yours and were discarded",
    n,
  );
  return format(text, { n });
}
