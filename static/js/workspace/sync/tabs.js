/** Other tabs with the same assignment: which are open, which left unsaved work, what they have saved. */

import { Journal, lockName, tabsOf } from "./journal.js";
import { countUnsaved } from "./resume.js";

/** How long a closing page may keep its name, in ms: far longer than necessary. */
const CLAIM_TIMEOUT = 1500;
/** Whether another tab has this page's name. */
let claimLost = false;

/** @typedef {{kind: "hello" | "here" | "saved" | "submitted" | "bye", tab: string, revision?: number}} Message */

/**
 * Determine which tab this is. A tab that was closed or reloaded left its journal here: the latest is continued,
 * including its undo steps, preferring those with unsaved changes; the others are returned too. Tabs that are still
 * open are left alone.
 * @param {Storage} storage
 * @param {string} scope
 * @returns {Promise<{journal: Journal, others: Journal[], alive: string[]}>} `alive`: the names of open tabs.
 */
export async function openJournal(storage, scope) {
  /** @type {Journal[]} */
  const left = [];
  /** @type {string[]} */
  const alive = [];
  for (const tab of tabsOf(storage, scope)) {
    const journal = new Journal(storage, scope, tab);
    if (journal.read("closed")) {
      claimLock(scope, journal);
      left.push(journal);
    } else if (await takeFreedLock(scope, tab)) left.push(journal);
    else alive.push(tab);
  }
  const first = Math.max(
    0,
    left.findIndex((one) => countUnsaved(one.pending()).changes),
  );
  if (left.length) return { journal: markOnClose(left[first]), others: left.filter((_, n) => n !== first), alive };
  const tab = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  // No other tab can hold a newly generated name: no need to wait for the result.
  void takeLock(scope, tab);
  return { journal: markOnClose(new Journal(storage, scope, tab)), others: [], alive };
}

/** A closing page leaves a mark, so that the next one need not check whether it is still open. @param {Journal} journal */
function markOnClose(journal) {
  addEventListener("pagehide", () => claimLost || journal.put("closed", true));
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    journal.drop("closed");
    // After a log-out its journal may be gone, without which changes could not be resumed.
    if (!journal.read("head")) location.reload();
  });
  return journal;
}

/**
 * Take over the name of a closing tab once it has been released. If another tab was faster, this page starts again, and
 * finds that tab open.
 * @param {string} scope
 * @param {Journal} journal
 */
function claimLock(scope, journal) {
  journal.drop("closed");
  navigator.locks
    ?.request(lockName(scope, journal.tab), { signal: AbortSignal.timeout(CLAIM_TIMEOUT) }, () => new Promise(() => {}))
    .catch(() => {
      claimLost = true;
      location.reload();
    });
}

/** A page that is being closed releases its name a moment later: try a few times. @param {string} scope @param {string} tab */
async function takeFreedLock(scope, tab) {
  for (let n = 0; n < 4; n += 1) {
    if (await takeLock(scope, tab)) return true;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  return false;
}

/**
 * Hold a tab's name while this page is open. Returns whether it was free. If the browser has no locks (a page without
 * HTTPS), every name counts as free: then only the server's revisions protect tabs from each other.
 * @param {string} scope
 * @param {string} tab
 * @returns {Promise<boolean>}
 */
function takeLock(scope, tab) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(lockName(scope, tab), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => {}) : undefined;
      })
      .catch(() => resolve(true));
  });
}

/** Communicates with other tabs that have the same assignment open. */
export class OtherTabs {
  /**
   * @param {string} scope
   * @param {string} tab
   * @param {(revision: number) => void} onSaved Another tab has saved.
   * @param {() => void} onSubmitted Another tab has submitted the pair.
   * @param {(n: number) => void} onOthers How many other tabs are open now.
   */
  constructor(scope, tab, onSaved, onSubmitted, onOthers) {
    this.tab = tab;
    this.scope = scope;
    this.onOthers = onOthers;
    /** @type {Set<string>} */
    this.others = new Set();
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`diptych/${scope}`) : null;
    this.channel?.addEventListener("message", ({ data }) => {
      const message = /** @type {Message} */ (data);
      if (message.tab === tab) return;
      if (message.kind === "saved") onSaved(message.revision ?? 0);
      if (message.kind === "submitted") onSubmitted();
      if (message.kind === "bye") this.removeTab(message.tab);
      else this.addTab(message.tab);
      if (message.kind === "hello") this.send({ kind: "here", tab });
    });
    addEventListener("pagehide", () => this.send({ kind: "bye", tab }));
    this.send({ kind: "hello", tab });
  }

  /** There is another tab; its name is released when it closes or crashes, which tells us so. @param {string} other */
  addTab(other) {
    if (this.others.has(other)) return;
    this.others.add(other);
    this.onOthers(this.others.size);
    void navigator.locks
      ?.request(lockName(this.scope, other), { mode: "shared" }, () => this.removeTab(other))
      .catch(() => {});
  }

  /** @param {string} other */
  removeTab(other) {
    if (this.others.delete(other)) this.onOthers(this.others.size);
  }

  /** @param {Message} message */
  send(message) {
    this.channel?.postMessage(message);
  }

  /** @param {number} revision */
  announceSave(revision) {
    this.send({ kind: "saved", tab: this.tab, revision });
  }
  announceSubmission() {
    this.send({ kind: "submitted", tab: this.tab });
  }
}
