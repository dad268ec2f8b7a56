/**
 * One tab's record of an assignment in the browser's storage: the server's last known state, every change since, and
 * every undo step. A change writes its own small entries, never the whole document, before it is sent to the server.
 */

/** @typedef {import("../model/types.js").Patch} Patch */
/** @typedef {{revision: number, clock: number, doc: any}} Base The server's state, and the number of changes it includes. */
/** @typedef {{cursor: number, length: number, clock: number, at: number}} Head */
/** @typedef {{verdict: import("../model/types.js").Verdict, reason: string}} Verdict */

export const ROOT = "diptych/2/";
/** Entries that hold what the server has not accepted yet. */
const UNSENT_ENTRIES = ["verdict", "queued", "returned", "reasons"];
/** How many finished assignments keep their undo steps in this browser. */
const MAX_JOURNALS = 40;

export class Journal {
  /**
   * @param {Storage} storage
   * @param {string} scope The user and the assignment: see `scopeOf`.
   * @param {string} tab
   */
  constructor(storage, scope, tab) {
    this.storage = storage;
    this.tab = tab;
    this.prefix = `${ROOT}${scope}/${tab}/`;
    /** Whether the storage refused an entry: then the page must not claim that changes are kept here. */
    this.failed = false;
    /** @type {Head} */
    this.head = headOf(storage, this.prefix);
  }

  /** @param {string} name @returns {any} */
  read(name) {
    return parsedEntry(this.storage, this.prefix + name);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  put(name, value) {
    const text = JSON.stringify(value);
    try {
      this.storage.setItem(this.prefix + name, text);
    } catch {
      try {
        prune(this.storage, 0, this.prefix);
        this.storage.setItem(this.prefix + name, text);
      } catch {
        this.failed = true;
      }
    }
  }

  /** @param {string} name */
  drop(name) {
    this.storage.removeItem(this.prefix + name);
  }

  /** The changes that the server has not confirmed yet, in order. @returns {Patch[]} */
  pending() {
    const base = this.base();
    /** @type {Patch[]} */
    const patches = [];
    for (let clock = (base?.clock ?? 0) + 1; clock <= this.head.clock; clock += 1) {
      const patch = this.read(`j/${clock}`);
      if (isPatch(patch)) patches.push(patch);
    }
    return patches;
  }

  /** @returns {Base | null} */
  base() {
    return baseOf(this.storage, this.prefix);
  }

  /** The steps to undo and redo. @returns {{patches: Patch[], cursor: number}} */
  steps() {
    const patches = Array.from({ length: this.head.length }, (_, n) => this.read(`h/${n}`));
    const whole = patches.every(isPatch);
    return whole ? { patches, cursor: this.head.cursor } : { patches: [], cursor: 0 };
  }

  /**
   * Record a change; returns its number.
   * @param {Patch} patch
   */
  append(patch) {
    this.head.clock += 1;
    this.put(`j/${this.head.clock}`, patch);
    this.writeHead();
    return this.head.clock;
  }

  /**
   * The server has everything up to a change: its state is the new base, and the earlier changes are deleted.
   * @param {number} revision
   * @param {number} clock
   * @param {unknown} doc
   */
  confirmSave(revision, clock, doc) {
    const from = this.base()?.clock ?? 0;
    this.put("base", { revision, clock, doc });
    for (let n = from + 1; n <= clock; n += 1) this.drop(`j/${n}`);
    this.writeHead();
  }

  /** Record an undo step. @param {number} index @param {Patch} patch */
  writeStep(index, patch) {
    this.put(`h/${index}`, patch);
  }

  /**
   * The cursor moved, or undone steps were discarded.
   * @param {number} cursor
   * @param {number} length
   * @param {number} was
   */
  setSteps(cursor, length, was) {
    for (let n = length; n < was; n += 1) this.drop(`h/${n}`);
    this.head.cursor = cursor;
    this.head.length = length;
    this.writeHead();
  }

  writeHead() {
    this.head.at = Date.now();
    this.put("head", this.head);
  }

  /** Delete everything of this tab. */
  clear() {
    for (const key of keysOf(this.storage, this.prefix)) this.storage.removeItem(key);
  }
}

/**
 * @param {Storage} storage
 * @param {string} prefix
 */
export function keysOf(storage, prefix) {
  return Array.from({ length: storage.length }, (_, n) => storage.key(n) ?? "").filter((key) => key.startsWith(prefix));
}

/** The lock that an open page holds. @param {string} scope @param {string} tab */
export function lockName(scope, tab) {
  return `diptych/${scope}/${tab}`;
}

/**
 * The tabs with entries for an assignment, the latest first.
 * @param {Storage} storage
 * @param {string} scope
 * @returns {string[]}
 */
export function tabsOf(storage, scope) {
  const prefix = `${ROOT}${scope}/`;
  return keysOf(storage, prefix)
    .filter((key) => key.endsWith("/head"))
    .map((key) => ({
      tab: key.slice(prefix.length, -"/head".length),
      at: headOf(storage, key.slice(0, -"head".length)).at,
    }))
    .sort((x, y) => y.at - x.at)
    .map(({ tab }) => tab);
}

/**
 * Delete the undo steps of old assignments without unsaved changes.
 * @param {Storage} storage
 * @param {number} [keep]
 * @param {string} [except] A prefix to keep.
 */
export function prune(storage, keep = MAX_JOURNALS, except = "") {
  journalHeads(storage)
    .filter(({ prefix, head }) => prefix !== except && isSaved(storage, prefix, head.clock))
    .sort((x, y) => y.head.at - x.head.at)
    .slice(keep)
    .flatMap(({ prefix }) => keysOf(storage, prefix))
    .forEach((key) => storage.removeItem(key));
}

/**
 * After a log-out: delete what the server has, of everyone. What it lacks stays, and so does what belongs to a page
 * that is open.
 * @param {Storage} storage
 */
export async function clearSavedJournals(storage) {
  for (const { prefix, head } of journalHeads(storage)) {
    const owed = UNSENT_ENTRIES.some((name) => storage.getItem(prefix + name) !== null);
    if (owed || !isSaved(storage, prefix, head.clock)) continue;
    const clear = () => keysOf(storage, prefix).forEach((key) => storage.removeItem(key));
    const [scope, tab] = prefix.slice(ROOT.length, -1).split(/\/(?=[^/]*$)/);
    if (storage.getItem(`${prefix}closed`) !== null) clear();
    // A page that was killed left no mark, but its lock is free.
    else
      await navigator.locks
        ?.request(lockName(scope, tab), { ifAvailable: true }, (lock) => lock && clear())
        .catch(() => {});
  }
}

/**
 * An entry of the storage; null if it is absent or can't be read: anything in the browser may have damaged it.
 * @param {Storage} storage
 * @param {string} key
 * @returns {any}
 */
export function parsedEntry(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Storage} storage @param {string} prefix @returns {Base | null} */
function baseOf(storage, prefix) {
  const base = parsedEntry(storage, `${prefix}base`);
  return Number.isFinite(base?.clock) && typeof base.doc === "object" && base.doc ? base : null;
}

/**
 * A journal's head. If it can't be read, it counts all changes that are stored, so that none is taken for saved.
 * @param {Storage} storage
 * @param {string} prefix
 * @returns {Head}
 */
function headOf(storage, prefix) {
  const head = parsedEntry(storage, `${prefix}head`);
  if (["cursor", "length", "clock", "at"].every((name) => Number.isFinite(head?.[name]))) return head;
  const changes = `${prefix}j/`;
  const clocks = keysOf(storage, changes).map((key) => Number(key.slice(changes.length)) || 0);
  return { cursor: 0, length: 0, clock: Math.max(baseOf(storage, prefix)?.clock ?? 0, ...clocks), at: 0 };
}

/** @param {any} stored @returns {stored is Patch} */
function isPatch(stored) {
  return Array.isArray(stored) && stored.every((one) => typeof one?.kind === "string");
}

/** The journals in a storage. @param {Storage} storage @returns {{prefix: string, head: Head}[]} */
function journalHeads(storage) {
  return keysOf(storage, ROOT)
    .filter((key) => key.endsWith("/head"))
    .map((key) => key.slice(0, -"head".length))
    .map((prefix) => ({ prefix, head: headOf(storage, prefix) }));
}

/**
 * @param {Storage} storage
 * @param {string} prefix
 * @param {number} clock
 */
function isSaved(storage, prefix, clock) {
  return (baseOf(storage, prefix)?.clock ?? 0) >= clock && storage.getItem(`${prefix}verdict`) === null;
}
