/**
 * Refused parts of a page, and forms after a new log-in. If an htmx request is refused because the log-in has expired
 * or the database is busy, the page stays as it is and shows a notice at the top; polling stops until the user has
 * logged in. Logging in creates a new CSRF token: forms of pages opened before get it when they are submitted. A form
 * that has just been submitted is not submitted again: a second click while the server is slow would do things twice.
 */

const TOKEN_FIELD = "csrfmiddlewaretoken";
/** How long a form waits for the next page before it can be submitted again, in ms. */
const RESUBMIT_AFTER = 5000;
/** When each form was submitted. @type {WeakMap<EventTarget, number>} */
let submitted = new WeakMap();
const notice = document.createElement("div");
notice.className = "notice refusal";
notice.setAttribute("role", "alert");
notice.hidden = true;
document.querySelector("main")?.before(notice);
let [said, stopped] = ["", false];

/** @param {string} html @param {boolean} stop */
function show(html, stop) {
  // Polling may be refused repeatedly: the notice is shown once.
  if (said !== html) notice.innerHTML = html;
  [said, stopped, notice.hidden] = [html, stop, !html];
}

/** @returns {string | undefined} */
const csrfToken = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1];

document.addEventListener(
  "submit",
  ({ target }) => {
    const [field, fresh] = [/** @type {Element} */ (target).querySelector(`input[name=${TOKEN_FIELD}]`), csrfToken()];
    if (field instanceof HTMLInputElement && fresh) field.value = fresh;
  },
  true,
);

// After all other handlers: forms that a script sends itself are left alone.
addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  // A preview in a frame leaves the page, and its form, as they are.
  if (event.submitter?.getAttribute("formtarget") ?? form.target) return;
  const now = performance.now();
  if (now - (submitted.get(form) ?? -RESUBMIT_AFTER) < RESUBMIT_AFTER) event.preventDefault();
  else submitted.set(form, now);
});
addEventListener("pageshow", () => (submitted = new WeakMap()));

document.addEventListener("htmx:configRequest", (event) => {
  const { elt, formData } = /** @type {CustomEvent<{ elt: Element, formData: FormData }>} */ (event).detail;
  const fresh = csrfToken();
  if (fresh && formData.has(TOKEN_FIELD)) formData.set(TOKEN_FIELD, fresh);
  if (stopped && elt.getAttribute("hx-trigger")?.startsWith("every")) event.preventDefault();
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = /** @type {CustomEvent<{ xhr: XMLHttpRequest }>} */ (event).detail;
  if (xhr.getResponseHeader("X-Diptych-Notice")) show(xhr.responseText.trim(), xhr.status < 500);
  else if (xhr.status < 400) show("", false);
});

new BroadcastChannel("diptych/login").addEventListener("message", () => show("", false));
