/**
 * Requests to the server: JSON in, JSON out, with the outcome in one word. No DOM access except for cookie and meta
 * elements.
 */

/**
 * @typedef {"ok" | "conflict" | "login" | "other" | "refused" | "gone" | "busy" | "storage" | "broken" | "offline"} Outcome
 * `login`: not logged in (any more); `other`: someone else is now logged in in this browser; `refused`: the server
 * refused the request; `gone`: not this user's, or no longer there; `busy`: the server can't respond now (503) or takes
 * too long, and the same request may succeed later; `storage`: it has no room or can't write (507); `broken`: it
 * failed;
 * `offline`: it was not reached.
 * @typedef {{outcome: Outcome, data: any}} Answer
 */

/** Called after each successful request. @type {Set<() => void>} */
export const successListeners = new Set();

/** @param {string} name */
function cookie(name) {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return cookie ? decodeURIComponent(cookie.slice(name.length + 1)) : "";
}

/**
 * The CSRF token for writes: from the cookie, because a new log-in changes it, or else from the page.
 */
function csrfToken() {
  const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-token]"));
  return cookie("csrftoken") || meta?.content || "";
}

/** The user for whom the page was rendered: the server refuses its requests in another user's session. */
function pageUser() {
  const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=user]"));
  return meta?.content ?? document.documentElement?.dataset?.user ?? "";
}

/** @type {Record<number, Outcome>} */
const OUTCOMES = { 401: "login", 404: "gone", 409: "conflict", 410: "gone" };

/** Codes of a 403 that mean that nobody is logged in, or that the token belongs to another log-in. */
const LOGIN_CODES = new Set(["not_authenticated", "authentication_failed", "permission_denied"]);

/**
 * @param {string} method
 * @param {string} url
 * @param {unknown} [body]
 * @param {boolean} [last] The page may be closing: the request should outlive it.
 * @returns {Promise<Answer>}
 */
export async function request(method, url, body, last = false) {
  // A preview has no server behind it: it behaves as one that saves everything.
  if (url.startsWith("#")) {
    /** @type {import("../../api-types.js").Submitted} */
    const submitted = { status: "done", next: null };
    return { outcome: "ok", data: { revision: /** @type {any} */ (body)?.revision ?? 0, ...submitted } };
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    const response = await fetch(url, {
      method,
      body: text,
      // Browsers limit requests that outlive a page to 64 KiB; a larger document stays in this browser until the next
      // visit.
      keepalive: last && (text?.length ?? 0) < 30000,
      credentials: "same-origin",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": csrfToken(),
        "X-Diptych-User": pageUser(),
      },
      signal: AbortSignal.timeout(20000),
    });
    const json = response.headers.get("content-type")?.includes("json") ?? false;
    const data = json ? await response.json() : null;
    if (response.ok && json) for (const hear of successListeners) hear();
    if (response.ok) return json ? { outcome: "ok", data } : { outcome: "login", data: null };
    if (response.status === 503) return { outcome: "busy", data };
    if (response.status === 507 && data?.error) return { outcome: "storage", data };
    if (response.status >= 500) return { outcome: "broken", data };
    // A domain rule (a closed phase, say) also leads to 403; only a missing log-in or an outdated token can be fixed by
    // logging in.
    if (data?.error?.code === "other-user") return { outcome: "other", data };
    if (response.status === 403)
      return { outcome: !data?.error || LOGIN_CODES.has(data.error.code) ? "login" : "refused", data };
    return { outcome: OUTCOMES[response.status] ?? "refused", data };
  } catch (error) {
    // The server was reached but did not respond in time: its database is busy, the network works.
    if (error instanceof DOMException && error.name === "TimeoutError") return { outcome: "busy", data: null };
    return { outcome: "offline", data: null };
  }
}
