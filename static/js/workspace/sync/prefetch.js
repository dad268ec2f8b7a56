/**
 * Fetches the next pairs while the page is idle and caches them with the scripts that they need, so that work can
 * continue without a network: `offline/worker.js` serves them. A cache belongs to one person and is deleted at log-out
 * (`clear-saved-work.js`).
 */

import { request } from "./api.js";
import { queuedVerdicts } from "./outbox.js";
import { assetUrls, buildId, isHashed, stampKeptAt } from "../model/offline-pages.js";

export const CACHE_PREFIX = "diptych/kept/";
/** How long a cached page, and the cached order of pairs, are used without asking the server again, in ms. */
const REFETCH_AFTER = 12 * 3600 * 1000;
const ORDER_VALID_FOR = 14 * 24 * 3600 * 1000;
/**
 * The header in which the server names the person for whom a page may be cached, and the one in which this browser
 * notes when it cached it.
 */
const OWNER_HEADER = "X-Diptych-Keep";
const KEPT_AT_HEADER = "X-Diptych-Kept";

export class PagePrefetcher {
  /**
   * @param {Storage} storage
   * @param {string} person
   * @param {import("../model/types.js").Assignment} assignment
   */
  constructor(storage, person, assignment) {
    this.storage = storage;
    this.person = person;
    this.assignment = assignment;
    this.key = `diptych/ahead/${person}/${assignment.project.slug}`;
  }

  /** Whether this browser can keep pages: it can't without HTTPS, except on the machine itself. */
  get supported() {
    return Boolean(globalThis.isSecureContext && globalThis.caches && navigator.serviceWorker);
  }

  /** Fetch what is missing. @returns {Promise<boolean>} Whether pages are kept. */
  async start() {
    const { next_page: scope } = this.assignment.urls;
    if (!this.supported || /** @type {any} */ (navigator).connection?.saveData) return false;
    try {
      const registered = await navigator.serviceWorker.register(`${scope}worker.js`, { updateViaCache: "none" });
      if (!registered) return false;
      await this.fetchMissing();
      return true;
    } catch {
      // Blocked by the browser, or its storage is full: work then needs the network.
      return false;
    }
  }

  /** @param {number | string} id */
  pageOf(id) {
    const { urls, id: own } = this.assignment;
    return urls.page.replace(`/${own}/`, `/${id}/`);
  }

  async fetchMissing() {
    const { id, urls, editable } = this.assignment;
    const { outcome, data } = await request("GET", `${urls.next}?after=${id}`);
    if (outcome !== "ok") return;
    const upcoming = /** @type {number[]} */ (data.upcoming).map((one) => this.pageOf(one));
    const own = editable ? [urls.page] : [];
    const waiting = queuedVerdicts(this.storage, this.person).map(({ queued }) => queued.page);
    const addresses = assetUrls(
      document,
      performance.getEntriesByType("resource").map(({ name }) => name),
      location.href,
    );
    const name = `${CACHE_PREFIX}${this.person}/${buildId(addresses)}`;
    for (const other of await caches.keys())
      if (other.startsWith(CACHE_PREFIX) && other !== name) await caches.delete(other);
    const cache = await caches.open(name);
    await this.deleteUnneeded(cache, new Set([...own, ...upcoming, ...waiting]), new Set(addresses));
    for (const address of addresses) if (!isHashed(address) || !(await cache.match(address))) await cache.add(address);
    this.storage.setItem(this.key, JSON.stringify({ at: Date.now(), pages: upcoming }));
    for (const page of [...own, ...upcoming]) {
      const stored = await cache.match(page, { ignoreVary: true });
      if (!stored || Date.now() - Number(stored.headers.get(KEPT_AT_HEADER)) > REFETCH_AFTER)
        await this.cachePage(cache, page, addresses);
    }
  }

  /**
   * Delete the pages of finished pairs, and the files that only they needed.
   * @param {Cache} cache
   * @param {Set<string>} pages
   * @param {Set<string>} addresses
   */
  async deleteUnneeded(cache, pages, addresses) {
    for (const { url } of await cache.keys())
      if (!pages.has(new URL(url).pathname) && !addresses.has(url)) await cache.delete(url, { ignoreVary: true });
  }

  /**
   * Cache a page if the server allows that for this person and the page is of the same build.
   * @param {Cache} cache
   * @param {string} page
   * @param {string[]} addresses
   */
  async cachePage(cache, page, addresses) {
    const response = await fetch(page, {
      credentials: "same-origin",
      headers: { "X-Diptych-Ahead": "1", "X-Diptych-User": this.person },
    });
    if (!response.ok || response.redirected || response.headers.get(OWNER_HEADER) !== this.person) return;
    const text = await response.text();
    const scripts = addresses
      .filter((one) => /\/main(\.[0-9a-f]+)?\.js$/.test(one))
      .map((one) => new URL(one).pathname);
    if (!scripts.every((one) => text.includes(one))) return;
    const headers = new Headers(response.headers);
    // The text is no longer compressed.
    for (const one of ["Content-Encoding", "Content-Length"]) headers.delete(one);
    headers.set(KEPT_AT_HEADER, String(Date.now()));
    await cache.put(page, new Response(stampKeptAt(text, Date.now()), { headers }));
  }

  /** @returns {Promise<Cache | null>} This person's. */
  async openCache() {
    if (!this.supported) return null;
    const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
    return names.length === 1 && names[0].startsWith(`${CACHE_PREFIX}${this.person}/`) ? caches.open(names[0]) : null;
  }

  /** The cached page of the next pair for which no verdict is waiting to be sent. @returns {Promise<string | null>} */
  async nextCachedPage() {
    const cache = await this.openCache().catch(() => null);
    const { at = 0, pages = [] } = JSON.parse(this.storage.getItem(this.key) ?? "{}");
    if (!cache || Date.now() - at > ORDER_VALID_FOR) return null;
    const done = new Set([
      this.assignment.urls.page,
      ...queuedVerdicts(this.storage, this.person).map(({ queued }) => queued.page),
    ]);
    for (const page of pages) if (!done.has(page) && (await cache.match(page, { ignoreVary: true }))) return page;
    return null;
  }

  /** This page's pair has been submitted, so its cached page is out of date. */
  async deleteOwnPage() {
    const cache = await this.openCache().catch(() => null);
    await cache?.delete(this.assignment.urls.page, { ignoreVary: true });
  }
}
