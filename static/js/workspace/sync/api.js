/** Requests to the server: JSON in, JSON out, and in one word what became of each. No DOM but the cookie. */

/**
 * @typedef {"ok" | "conflict" | "login" | "other" | "refused" | "gone" | "busy" | "broken" | "offline"} Outcome
 * `login`: not logged in (any more); `other`: somebody else is logged in in this browser now; `refused`: the server understood and said no; `gone`: not this person's, or no
 * longer there; `busy`: the server cannot answer now (503) or takes too long, and the same request will do later;
 * `broken`: the server failed; `offline`: the server was not reached.
 * @typedef {{outcome: Outcome, data: any}} Answer
 */

/** @param {string} name */
function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/**
 * The token that the server wants back with every write: from the cookie, because a new log-in changes it, or else as
 * the page was given it.
 */
function token() {
  const given = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-token]"));
  return cookie("csrftoken") || given?.content || "";
}

/** The person for whom the page was made: the server refuses what it sends in the session of anybody else. */
function person() {
  const given = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=user]"));
  return given?.content ?? "";
}

/** @type {Record<number, Outcome>} */
const OUTCOMES = { 401: "login", 404: "gone", 409: "conflict", 410: "gone" };

/** How the server says in a 403 that nobody is logged in, or that the token belongs to another log-in. */
const LOGIN = new Set(["not_authenticated", "authentication_failed", "permission_denied"]);

/**
 * @param {string} method
 * @param {string} url
 * @param {unknown} [body]
 * @param {boolean} [last] The page may be closing: the request should outlive it.
 * @returns {Promise<Answer>}
 */
export async function request(method, url, body, last = false) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    const response = await fetch(url, {
      method,
      body: text,
      // Browsers limit what may outlive a page to 64 KiB; a larger document stays in this browser until the next visit.
      keepalive: last && (text?.length ?? 0) < 30000,
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token(), "X-Diptych-User": person() },
      signal: AbortSignal.timeout(20000),
    });
    const json = response.headers.get("content-type")?.includes("json") ?? false;
    const data = json ? await response.json() : null;
    if (response.ok) return json ? { outcome: "ok", data } : { outcome: "login", data: null };
    if (response.status === 503) return { outcome: "busy", data };
    if (response.status >= 500) return { outcome: "broken", data };
    // A domain rule (a closed phase, say) answers 403 too; only a missing log-in or a stale token can be mended by a log-in.
    if (data?.error?.code === "other-user") return { outcome: "other", data };
    if (response.status === 403) return { outcome: !data?.error || LOGIN.has(data.error.code) ? "login" : "refused", data };
    return { outcome: OUTCOMES[response.status] ?? "refused", data };
  } catch (error) {
    // The server was reached and did not answer in time: its database is busy, the network is not cut.
    if (error instanceof DOMException && error.name === "TimeoutError") return { outcome: "busy", data: null };
    return { outcome: "offline", data: null };
  }
}
