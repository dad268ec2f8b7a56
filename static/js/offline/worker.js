/**
 * The service worker of a project's pairs: while the server can't be reached, it answers with the pages and scripts that
 * `workspace/sync/ahead.js` has kept. Whatever the server answers comes first, so nothing is ever older than it has to be.
 * Saves and every other request are left alone.
 */

const worker = /** @type {any} */ (globalThis);
const KEPT = "diptych/kept/";
const PARTS = new Set(["script", "style", "image", "font"]);
/** What a proxy answers for a server that is down or restarting. */
const DOWN = new Set([502, 503, 504]);

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (/** @type {any} */ event) => {
  // The browser asks for a page while the worker is still starting.
  event.waitUntil(Promise.all([worker.clients.claim(), worker.registration.navigationPreload?.enable()]));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== worker.location.origin) return;
  const page = request.mode === "navigate";
  if (page || PARTS.has(request.destination)) event.respondWith(answer(event, page));
});

/** @param {any} event @param {boolean} page */
async function answer({ request, preloadResponse }, page) {
  try {
    const response = (page && (await preloadResponse)) || (await worker.fetch(request));
    return DOWN.has(response.status) ? (await kept(request.url)) ?? response : response;
  } catch {
    return (await kept(request.url)) ?? Response.error();
  }
}

/** What is kept for an address. Nothing if two people's pages are kept: whose are asked for is unknown. @param {string} url */
async function kept(url) {
  const names = (await worker.caches.keys()).filter((/** @type {string} */ name) => name.startsWith(KEPT));
  if (names.length !== 1) return undefined;
  return (await worker.caches.open(names[0])).match(url, { ignoreVary: true });
}
