/**
 * The next pairs, fetched ahead while the page rests and kept in the browser with the scripts that they need, so that work
 * goes on without a network: `offline/worker.js` answers with them. They are of one person, and deleted at the log-out
 * (`forget.js`).
 */

import { request } from "./api.js";
import { heldBy } from "./outbox.js";
import { addressesIn, buildOf, isHashed, marked } from "../model/keeping.js";

export const KEPT = "diptych/kept/";
/** How long a kept page is not fetched again, and a kept order of pairs is used, in ms. */
const FRESH = 12 * 3600 * 1000;
const DAYS = 14 * 24 * 3600 * 1000;
/** The response header by which the server says whose a page is, and that it may be kept; and when this browser kept it. */
const MAY = "X-Diptych-Keep";
const SINCE = "X-Diptych-Kept";

export class Ahead {
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
  get possible() {
    return Boolean(globalThis.isSecureContext && globalThis.caches && navigator.serviceWorker);
  }

  /** Fetch what is missing. @returns {Promise<boolean>} Whether pages are kept. */
  async begin() {
    const { next_page: scope } = this.assignment.urls;
    if (!this.possible || /** @type {any} */ (navigator).connection?.saveData) return false;
    try {
      const registered = await navigator.serviceWorker.register(`${scope}worker.js`, { updateViaCache: "none" });
      if (!registered) return false;
      await this.fill();
      return true;
    } catch {
      // Blocked by the browser, or its storage is full: then work goes on online.
      return false;
    }
  }

  /** @param {number | string} id */
  pageOf(id) {
    const { urls, id: own } = this.assignment;
    return urls.page.replace(`/${own}/`, `/${id}/`);
  }

  async fill() {
    const { id, urls, editable } = this.assignment;
    const { outcome, data } = await request("GET", `${urls.next}?after=${id}`);
    if (outcome !== "ok") return;
    const upcoming = /** @type {number[]} */ (data.upcoming).map((one) => this.pageOf(one));
    const own = editable ? [urls.page] : [];
    const waiting = heldBy(this.storage, this.person).map(({ queued }) => queued.page);
    const addresses = addressesIn(document, performance.getEntriesByType("resource").map(({ name }) => name), location.href);
    const name = `${KEPT}${this.person}/${buildOf(addresses)}`;
    for (const other of await caches.keys()) if (other.startsWith(KEPT) && other !== name) await caches.delete(other);
    const cache = await caches.open(name);
    await this.clear(cache, new Set([...own, ...upcoming, ...waiting]), new Set(addresses));
    for (const address of addresses)
      if (!isHashed(address) || !(await cache.match(address))) await cache.add(address);
    this.storage.setItem(this.key, JSON.stringify({ at: Date.now(), pages: upcoming }));
    for (const page of [...own, ...upcoming]) {
      const there = await cache.match(page, { ignoreVary: true });
      if (!there || Date.now() - Number(there.headers.get(SINCE)) > FRESH) await this.keep(cache, page, addresses);
    }
  }

  /**
   * Delete the pages of pairs that are done, and what they alone needed.
   * @param {Cache} cache
   * @param {Set<string>} pages
   * @param {Set<string>} addresses
   */
  async clear(cache, pages, addresses) {
    for (const { url } of await cache.keys())
      if (!pages.has(new URL(url).pathname) && !addresses.has(url)) await cache.delete(url, { ignoreVary: true });
  }

  /**
   * Keep a page, if the server says that it may be kept for this person, and it is of the same build.
   * @param {Cache} cache
   * @param {string} page
   * @param {string[]} addresses
   */
  async keep(cache, page, addresses) {
    const response = await fetch(page, { credentials: "same-origin", headers: { "X-Diptych-Ahead": "1", "X-Diptych-User": this.person } });
    if (!response.ok || response.redirected || response.headers.get(MAY) !== this.person) return;
    const text = await response.text();
    const scripts = addresses.filter((one) => /\/main(\.[0-9a-f]+)?\.js$/.test(one)).map((one) => new URL(one).pathname);
    if (!scripts.every((one) => text.includes(one))) return;
    const headers = new Headers(response.headers);
    // The text is not compressed any more.
    for (const one of ["Content-Encoding", "Content-Length"]) headers.delete(one);
    headers.set(SINCE, String(Date.now()));
    await cache.put(page, new Response(marked(text, Date.now()), { headers }));
  }

  /** @returns {Promise<Cache | null>} This person's. */
  async cache() {
    if (!this.possible) return null;
    const names = (await caches.keys()).filter((name) => name.startsWith(KEPT));
    return names.length === 1 && names[0].startsWith(`${KEPT}${this.person}/`) ? caches.open(names[0]) : null;
  }

  /** The page of the next pair that is kept and for which no verdict is waiting. @returns {Promise<string | null>} */
  async next() {
    const cache = await this.cache().catch(() => null);
    const { at = 0, pages = [] } = JSON.parse(this.storage.getItem(this.key) ?? "{}");
    if (!cache || Date.now() - at > DAYS) return null;
    const done = new Set([this.assignment.urls.page, ...heldBy(this.storage, this.person).map(({ queued }) => queued.page)]);
    for (const page of pages) if (!done.has(page) && (await cache.match(page, { ignoreVary: true }))) return page;
    return null;
  }

  /** This page's pair is submitted: its page is not what the server would answer any more. */
  async drop() {
    const cache = await this.cache().catch(() => null);
    await cache?.delete(this.assignment.urls.page, { ignoreVary: true });
  }
}
