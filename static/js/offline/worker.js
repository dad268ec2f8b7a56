/**
 * The service worker of a project's pairs: while the server can't be reached, it responds with the pages and scripts
 * that `workspace/sync/prefetch.js` has cached. A response of the server takes precedence, so nothing is older than
 * necessary.
 * Saves and every other request are left alone.
 */

const worker = /** @type {any} */ (globalThis);
const CACHE_PREFIX = "diptych/kept/";
const ASSET_DESTINATIONS = new Set(["script", "style", "image", "font"]);
/** Statuses with which a proxy reports that the server is down or restarting. */
const UNAVAILABLE = new Set([502, 503, 504]);

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (/** @type {any} */ event) => {
  // The browser asks for a page while the worker is still starting.
  event.waitUntil(Promise.all([worker.clients.claim(), worker.registration.navigationPreload?.enable()]));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== worker.location.origin) return;
  const page = request.mode === "navigate";
  if (page || ASSET_DESTINATIONS.has(request.destination)) event.respondWith(respond(event, page));
});

/** @param {any} event @param {boolean} page */
async function respond({ request, preloadResponse }, page) {
  try {
    const response = (page && (await preloadResponse)) || (await worker.fetch(request));
    return UNAVAILABLE.has(response.status) ? ((await cachedResponse(request.url)) ?? response) : response;
  } catch {
    return (await cachedResponse(request.url)) ?? Response.error();
  }
}

/** The cached response for an address; none if pages of two people are cached, since it is unknown whose is requested. @param {string} url */
async function cachedResponse(url) {
  const names = (await worker.caches.keys()).filter((/** @type {string} */ name) => name.startsWith(CACHE_PREFIX));
  if (names.length !== 1) return undefined;
  return (await worker.caches.open(names[0])).match(url, { ignoreVary: true });
}
