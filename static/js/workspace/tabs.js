/** Other tabs on the same assignment: who is there, who left work behind, what they have saved. */

import { Journal, tabsOf } from "./journal.js";

/** How long a page that closes may hold on to its name, in ms: far longer than it takes. */
const PATIENCE = 1500;
/** Whether somebody else has this page's name. */
let lost = false;

/** @typedef {{kind: "hello" | "here" | "saved" | "bye", tab: string, revision?: number}} Message */

/**
 * Settle which tab this is. A tab that was closed or reloaded left its journal here: the latest of them is carried on,
 * undo steps and all; others that still owe the server something are handed over too. A tab that lives is left alone.
 * @param {Storage} storage
 * @param {number} assignment
 * @returns {Promise<{journal: Journal, others: Journal[], alive: string[]}>} `alive`: the names of tabs that live.
 */
export async function enter(storage, assignment) {
  /** @type {Journal[]} */
  const left = [];
  /** @type {string[]} */
  const alive = [];
  for (const tab of tabsOf(storage, assignment)) {
    const journal = new Journal(storage, assignment, tab);
    if (journal.read("closed")) {
      claim(assignment, journal);
      left.push(journal);
    } else if (await taken(assignment, tab)) left.push(journal);
    else alive.push(tab);
  }
  if (left.length) return { journal: held(left[0]), others: left.slice(1), alive };
  const tab = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Nobody else can hold a name that was just made up: no need to wait for the answer.
  void take(assignment, tab);
  return { journal: held(new Journal(storage, assignment, tab)), others: [], alive };
}

/** A page says when it closes: the next one need not ask whether it lives. @param {Journal} journal */
function held(journal) {
  addEventListener("pagehide", () => lost || journal.put("closed", true));
  addEventListener("pageshow", ({ persisted }) => persisted && journal.drop("closed"));
  return journal;
}

/**
 * Take up the name of a tab that said it closes, once it has let go of it. Should another tab have been quicker, this
 * page begins anew, and finds that one alive.
 * @param {number} assignment
 * @param {Journal} journal
 */
function claim(assignment, journal) {
  journal.drop("closed");
  navigator.locks
    ?.request(nameOf(assignment, journal.tab), { signal: AbortSignal.timeout(PATIENCE) }, () => new Promise(() => {}))
    .catch(() => {
      lost = true;
      location.reload();
    });
}

/** A page that is just being left gives its name up a moment later: ask a few times. @param {number} assignment @param {string} tab */
async function taken(assignment, tab) {
  for (let n = 0; n < 4; n += 1) {
    if (await take(assignment, tab)) return true;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  return false;
}

/**
 * Hold a tab's name for as long as this page lives. Gives whether it was free. Where the browser has no locks (a page
 * without HTTPS), every name counts as free: then the server's revisions alone keep tabs apart.
 * @param {number} assignment
 * @param {string} tab
 * @returns {Promise<boolean>}
 */
function take(assignment, tab) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(nameOf(assignment, tab), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? new Promise(() => {}) : undefined;
      })
      .catch(() => resolve(true));
  });
}

/** @param {number} assignment @param {string} tab */
function nameOf(assignment, tab) {
  return `diptych/${assignment}/${tab}`;
}

/** Talks with the other tabs on the same assignment. */
export class Neighbours {
  /**
   * @param {number} assignment
   * @param {string} tab
   * @param {(revision: number) => void} onSaved Another tab has saved.
   * @param {(n: number) => void} onOthers How many other tabs are open now.
   */
  constructor(assignment, tab, onSaved, onOthers) {
    this.tab = tab;
    this.assignment = assignment;
    this.onOthers = onOthers;
    /** @type {Set<string>} */
    this.others = new Set();
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`diptych/${assignment}`) : null;
    this.channel?.addEventListener("message", ({ data }) => {
      const message = /** @type {Message} */ (data);
      if (message.tab === tab) return;
      if (message.kind === "saved") onSaved(message.revision ?? 0);
      if (message.kind === "bye") this.left(message.tab);
      else this.meet(message.tab);
      if (message.kind === "hello") this.send({ kind: "here", tab });
    });
    addEventListener("pagehide", () => this.send({ kind: "bye", tab }));
    this.send({ kind: "hello", tab });
  }

  /** Another tab is there; its name falls free when it closes or crashes, and so we hear of it. @param {string} other */
  meet(other) {
    if (this.others.has(other)) return;
    this.others.add(other);
    this.onOthers(this.others.size);
    void navigator.locks?.request(nameOf(this.assignment, other), { mode: "shared" }, () => this.left(other)).catch(() => {});
  }

  /** @param {string} other */
  left(other) {
    if (this.others.delete(other)) this.onOthers(this.others.size);
  }

  /** @param {Message} message */
  send(message) {
    this.channel?.postMessage(message);
  }

  /** @param {number} revision */
  saved(revision) {
    this.send({ kind: "saved", tab: this.tab, revision });
  }
}
