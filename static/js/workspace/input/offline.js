/**
 * Working offline: fetches the next pairs in advance, opens the next cached pair when a verdict can't be sent, and
 * sends waiting verdicts from whichever page is open.
 */

import { requireElement } from "../view/dom.js";
import { showOutbox } from "../view/outbox.js";
import { formatDateTime } from "../view/phrases.js";
import { Outbox } from "../sync/outbox.js";
import { request, successListeners } from "../sync/api.js";
import { format, gettext } from "../../gettext.js";

/** ms to wait before pages are fetched in advance, so that they don't slow down what is done now. */
const IDLE_BEFORE_FETCH = 1500;
/** ms between attempts to reach the server from a cached page. */
const RETRY_INTERVAL = 10000;

export class Offline {
  /**
   * @param {import("../sync/session.js").Session} session
   * @param {import("../sync/prefetch.js").PagePrefetcher} prefetcher
   * @param {import("./undo-submission.js").UndoSubmission | null} undoSubmission
   * @param {{storage: Storage, person: string, keptAt: number, onBack?: (assignment: any) => void}} given `keptAt`: when
   * this page was kept, if the browser has answered with a kept one; otherwise 0. `onBack` is given what the server
   * has,
   * once it can be reached.
   */
  constructor(session, prefetcher, undoSubmission, { storage, person, keptAt, onBack = () => {} }) {
    this.session = session;
    this.prefetcher = prefetcher;
    this.undoSubmission = undoSubmission;
    this.keptAt = keptAt;
    this.onBack = onBack;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.element = requireElement("outbox");
    this.outbox = new Outbox(storage, person, Number(session.store.assignment.id), (change) => this.show(change));
    session.onVerdictQueued = (verdict) => this.openNextCached(verdict);
    const left = session.onVerdictAccepted;
    session.onVerdictAccepted = (verdict) => {
      void prefetcher.deleteOwnPage();
      left(verdict);
    };
  }

  start() {
    void this.outbox.start();
    if (!this.keptAt) return void setTimeout(() => void this.prefetcher.start(), IDLE_BEFORE_FETCH);
    // A save may succeed first, and browsers don't always report that the network is back.
    successListeners.add(this.onServerAnswer);
    addEventListener("online", this.checkServer);
    this.timer = setTimeout(this.checkServer, RETRY_INTERVAL);
  }

  /** The server has responded to any request. */
  onServerAnswer = () => {
    if (!this.keptAt) return;
    this.keptAt = 0;
    this.outbox.report();
  };

  /**
   * Check whether the server can be reached. This page may be older than what the server has; its next save will show
   * that.
   */
  checkServer = async () => {
    clearTimeout(this.timer);
    const { outcome, data } = await request("GET", this.session.store.assignment.urls.assignment);
    clearTimeout(this.timer);
    if (outcome === "offline" || outcome === "busy") {
      this.timer = setTimeout(this.checkServer, RETRY_INTERVAL);
      return;
    }
    removeEventListener("online", this.checkServer);
    successListeners.delete(this.onServerAnswer);
    this.onServerAnswer();
    if (outcome === "ok") this.onBack(data);
    // Send first: pages of pairs that have been sent need not be cached.
    await this.outbox.run();
    void this.prefetcher.start();
  };

  /** @param {Parameters<typeof showOutbox>[1]} change */
  show(change) {
    const told = gettext("You are offline. This is the pair as this browser kept it at {time}, with your work.");
    const notice = this.keptAt ? format(told, { time: formatDateTime(this.keptAt) }) : "";
    showOutbox(this.element, change, notice);
  }

  /** Offline: the verdict waits here, and the next cached pair is opened. @param {import("../model/types.js").Verdict} verdict */
  async openNextCached(verdict) {
    const next = await this.prefetcher.nextCachedPage();
    if (!next) return;
    this.undoSubmission?.remember(verdict);
    location.assign(next);
  }
}
