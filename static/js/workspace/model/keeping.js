/** Which addresses a page needs to be opened without a network, and how a kept page is marked. Pure. */

/**
 * The scripts, styles and images of the page: those that its elements name and those that were loaded. Nothing of other
 * sites, no pages, and nothing of the API.
 * @param {ParentNode} page
 * @param {string[]} loaded
 * @param {string} here The page's own address.
 * @returns {string[]}
 */
export function addressesIn(page, loaded, here) {
  const named = [...page.querySelectorAll("script[src], link[rel=stylesheet], link[rel=icon], link[rel=modulepreload]")].map(
    (element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "",
  );
  const { origin } = new URL(here);
  const all = [...named, ...loaded].map((address) => new URL(address, here)).filter((url) => url.origin === origin);
  return [...new Set(all.filter(({ pathname }) => isPart(pathname)).map(({ href }) => href))].sort();
}

/** Whether a path is that of a script, a style, an image or a typeface; the service worker is none. @param {string} path */
function isPart(path) {
  return /\.(?:js|css|svg|png|woff2?)$/.test(path) && !path.endsWith("/worker.js") && !path.startsWith("/api/");
}

/** Whether an address has its content's hash in its name: it never changes. @param {string} address */
export function isHashed(address) {
  return /\.[0-9a-f]{12}\.\w+$/.test(new URL(address).pathname);
}

/** A short name for a set of addresses: another one after a deployment. @param {string[]} addresses */
export function buildOf(addresses) {
  // Only what can't change under its name: other names say nothing.
  let hash = 5381;
  for (const character of addresses.filter(isHashed).join("\n")) hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
}

/** A page that says of itself when it was kept. @param {string} html @param {number} at */
export function marked(html, at) {
  return html.replace(/<html\b/, `<html data-kept="${at}"`);
}

/**
 * What a kept page knows of the annotation, brought up to what this browser knows: the page was kept before the last saves.
 * @param {import("./types.js").AnnotationData} annotation
 * @param {readonly ({revision: number, doc: any} | null)[]} bases The server's states that this browser has seen.
 * @returns {import("./types.js").AnnotationData}
 */
export function newest(annotation, bases) {
  return bases.reduce(
    (best, base) => (base && base.revision > best.revision ? { ...best, ...base.doc, revision: base.revision } : best),
    annotation,
  );
}
