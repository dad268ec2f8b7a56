/**
 * The scheme editor: its buttons change the form without a new page, and the preview follows what is typed. Without this
 * script each button sends the form, and the server shows it again.
 */

/** How long typing must pause before the preview follows, in ms. */
const PAUSE = 600;

/** @returns {HTMLFormElement | null} */
const editor = () => document.querySelector("form[data-scheme]");

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** The workspace takes the focus when it opens: it is given back to whoever is typing. @param {Element} frame */
function keepFocus(frame) {
  const focus = document.activeElement;
  frame.addEventListener("load", () => {
    if (document.activeElement === frame && focus instanceof HTMLElement && focus.isConnected) focus.focus({ preventScroll: true });
  });
}

/** The first field that is refused, or else what is said above the form. @param {Element} form @returns {HTMLElement | null} */
function refused(form) {
  return form.querySelector("[aria-invalid], .errorlist[tabindex]") ?? form.querySelector("[role=alert][tabindex]");
}

/** Show the form as it is now. A new frame has no history: going back leaves the page, not the last preview. */
function preview() {
  clearTimeout(timer);
  const form = editor();
  const button = form?.querySelector("[data-preview-button]");
  const frame = document.querySelector("iframe[name=scheme-preview]");
  if (!form || !(button instanceof HTMLElement) || !(frame instanceof HTMLIFrameElement)) return;
  const fresh = /** @type {HTMLIFrameElement} */ (frame.cloneNode());
  fresh.removeAttribute("src");
  keepFocus(fresh);
  frame.replaceWith(fresh);
  form.requestSubmit(button);
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE);
}

/**
 * Send the form for one of its buttons, and put what comes back in its place.
 * @param {HTMLFormElement} form
 * @param {string} action
 */
async function act(form, action) {
  const body = new FormData(form);
  const sent = values(form);
  // What moves or removes rows gives the fields other names: nothing can be typed until they have them.
  const moves = !/^(refresh|add-)/.test(action);
  form.inert = moves;
  body.set("action", action);
  const response = await fetch(location.href, { method: "POST", body, credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const made = page.querySelector("form[data-scheme]");
  // A log-in that has expired, or a server that fails, is shown by sending the form as without this script.
  if (!(made instanceof HTMLFormElement)) return plain(form, action);
  document.adoptNode(made);
  if (!moves) carry(sent, form, made);
  const typing = !moves && form.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement ? document.activeElement.id : "";
  form.replaceWith(made);
  const open = document.getElementById(made.dataset.focus || typing);
  const target = open || refused(made) || made.querySelector(`[value="${CSS.escape(action)}"]`);
  const beside = target instanceof HTMLButtonElement && target.disabled ? target.parentElement?.querySelector("button:enabled") : null;
  const place = beside ?? target;
  if (place instanceof HTMLElement) place.focus();
  soon();
}

/** The texts of a form's fields, by name. @param {HTMLFormElement} form @returns {Map<string, HTMLInputElement>} */
function texts(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[id]:not([type]), input[type=text]")]);
  return new Map(inputs.map((input) => [input.name, input]));
}

/** @param {HTMLFormElement} form */
function values(form) {
  return new Map([...texts(form)].map(([name, { value }]) => [name, value]));
}

/**
 * Keep what was typed while the server was answering.
 * @param {Map<string, string>} sent
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} made
 */
function carry(sent, form, made) {
  const to = texts(made);
  for (const [name, value] of values(form)) {
    const field = to.get(name);
    if (field && value !== sent.get(name)) field.value = value;
  }
}

/** The heading of a row follows its name and colour. @param {Element} field */
function head(field) {
  const legend = field.closest(".scheme-row")?.querySelector("legend");
  const name = legend?.querySelector("[data-name]");
  if (!(name instanceof HTMLElement) || !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  if (/^(labels|questions)-\d+-name$/.test(field.name)) name.textContent = field.value || name.dataset.name || "";
  const chip = legend?.querySelector(".chip");
  if (chip && field.name.endsWith("-colour")) chip.className = `chip c-${field.value || "none"}`;
}

/** @param {HTMLFormElement} form @param {string} action */
function plain(form, action) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "action", value: action });
  form.append(field);
  form.submit();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form !== editor()) return;
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || button.name !== "action") return;
  // Saving leads to a page of its own, with what was refused.
  if (button.value === "save" || button.value === "confirm") return;
  event.preventDefault();
  act(form, button.value).catch(() => plain(form, button.value));
});
document.addEventListener("input", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("form[data-scheme]")) return;
  head(event.target);
  soon();
});
document.addEventListener("change", (event) => {
  const form = editor();
  if (form && event.target instanceof HTMLSelectElement && event.target.matches("[data-refresh]")) void act(form, "refresh");
});
document.documentElement.classList.add("scripted");
// The page that answers a save which was refused.
const [shown, first] = [editor(), document.querySelector("iframe[name=scheme-preview]")];
if (shown) refused(shown)?.focus();
if (first) keepFocus(first);
