/** The files that a page needs offline, and how a cached page is marked. Pure. */

/**
 * The scripts, styles and images that the page's elements name or that were loaded: nothing from other sites, no pages,
 * and no responses of the API.
 * @param {ParentNode} page
 * @param {string[]} loaded
 * @param {string} here The page's own address.
 * @returns {string[]}
 */
export function assetUrls(page, loaded, here) {
  const named = [
    ...page.querySelectorAll("script[src], link[rel=stylesheet], link[rel=icon], link[rel=modulepreload]"),
  ].map((element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "");
  const { origin } = new URL(here);
  const all = [...named, ...loaded].map((address) => new URL(address, here)).filter((url) => url.origin === origin);
  return [...new Set(all.filter(({ pathname }) => isAsset(pathname)).map(({ href }) => href))].sort();
}

/** Whether a path is that of a script (other than the service worker), a style, an image or a typeface. @param {string} path */
function isAsset(path) {
  return /\.(?:js|css|svg|png|woff2?)$/.test(path) && !path.endsWith("/worker.js") && !path.startsWith("/api/");
}

/** Whether a file's name contains a hash of its content, so that the file never changes. @param {string} address */
export function isHashed(address) {
  return /\.[0-9a-f]{12}\.\w+$/.test(new URL(address).pathname);
}

/** A short id of a set of addresses; it differs after a deployment. @param {string[]} addresses */
export function buildId(addresses) {
  // Only hashed names: others stay the same when the content changes.
  let hash = 5381;
  for (const character of addresses.filter(isHashed).join("\n"))
    hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
}

/** A page's HTML with the time at which it was cached. @param {string} html @param {number} at */
export function stampKeptAt(html, at) {
  return html.replace(/<html\b/, `<html data-kept="${at}"`);
}

/**
 * The newest state of the annotation that this browser knows: a cached page may be older than the last saves.
 * @param {import("./types.js").AnnotationData} annotation
 * @param {readonly ({revision: number, doc: any} | null)[]} bases The server's states that this browser has seen.
 * @returns {import("./types.js").AnnotationData}
 */
export function newestAnnotation(annotation, bases) {
  return bases.reduce(
    (best, base) => (base && base.revision > best.revision ? { ...best, ...base.doc, revision: base.revision } : best),
    annotation,
  );
}
