/**
 * Refused parts of a page, and forms after a new log-in. If an htmx request is refused because the log-in has expired
 * or the database is busy, the page stays as it is and shows a notice at the top; polling stops until the user has
 * logged in. Logging in creates a new CSRF token: forms of pages opened before get it when they are submitted.
 */

const FIELD = "csrfmiddlewaretoken";
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
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1];

document.addEventListener("submit", ({ target }) => {
  const [field, fresh] = [/** @type {Element} */ (target).querySelector(`input[name=${FIELD}]`), token()];
  if (field instanceof HTMLInputElement && fresh) field.value = fresh;
}, true);

document.addEventListener("htmx:configRequest", (event) => {
  const { elt, formData } = /** @type {CustomEvent<{ elt: Element, formData: FormData }>} */ (event).detail;
  const fresh = token();
  if (fresh && formData.has(FIELD)) formData.set(FIELD, fresh);
  if (stopped && elt.getAttribute("hx-trigger")?.startsWith("every")) event.preventDefault();
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = /** @type {CustomEvent<{ xhr: XMLHttpRequest }>} */ (event).detail;
  if (xhr.getResponseHeader("X-Diptych-Notice")) show(xhr.responseText.trim(), xhr.status < 500);
  else if (xhr.status < 400) show("", false);
});

new BroadcastChannel("diptych/login").addEventListener("message", () => show("", false));
