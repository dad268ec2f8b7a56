/**
 * The scheme editor: its buttons change the form without a new page, and the preview follows what is typed. Without
 * this script each button sends the form, and the server shows it again.
 */

/** How long typing must pause before the preview follows, in ms. */
const PREVIEW_DELAY = 600;

/** @returns {HTMLFormElement | null} */
const editor = () => document.querySelector("form[data-scheme]");

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** The workspace takes the focus when it opens: return it to the field that had it. @param {Element} frame */
function keepFocus(frame) {
  const focus = document.activeElement;
  frame.addEventListener("load", () => {
    if (document.activeElement === frame && focus instanceof HTMLElement && focus.isConnected)
      focus.focus({ preventScroll: true });
  });
}

/** The first invalid field, or else the message above the form. @param {Element} form @returns {HTMLElement | null} */
function firstError(form) {
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

function schedulePreview() {
  clearTimeout(timer);
  timer = setTimeout(preview, PREVIEW_DELAY);
}

/**
 * Send the form for one of its buttons, and replace it with the form in the response.
 * @param {HTMLFormElement} form
 * @param {string} action
 */
async function runAction(form, action) {
  const body = new FormData(form);
  const sent = values(form);
  // Moving and removing rows renames the fields: block typing until the new form is here.
  const moves = !/^(refresh|add-)/.test(action);
  form.inert = moves;
  body.set("action", action);
  const response = await fetch(location.href, { method: "POST", body, credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const newForm = page.querySelector("form[data-scheme]");
  // A log-in that has expired, or a server that fails, is shown by sending the form as without this script.
  if (!(newForm instanceof HTMLFormElement)) return submitWithoutScript(form, action);
  document.adoptNode(newForm);
  if (!moves) keepTyped(sent, form, newForm);
  const typing =
    !moves && form.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement
      ? document.activeElement.id
      : "";
  form.replaceWith(newForm);
  const open = document.getElementById(newForm.dataset.focus || typing);
  const target = open || firstError(newForm) || newForm.querySelector(`[value="${CSS.escape(action)}"]`);
  const beside =
    target instanceof HTMLButtonElement && target.disabled
      ? target.parentElement?.querySelector("button:enabled")
      : null;
  const next = beside ?? target;
  if (next instanceof HTMLElement) next.focus();
  schedulePreview();
}

/** The texts of a form's fields, by name. @param {HTMLFormElement} form @returns {Map<string, HTMLInputElement>} */
function textInputs(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([
    ...form.querySelectorAll("input[id]:not([type]), input[type=text]"),
  ]);
  return new Map(inputs.map((input) => [input.name, input]));
}

/** @param {HTMLFormElement} form */
function values(form) {
  return new Map([...textInputs(form)].map(([name, { value }]) => [name, value]));
}

/**
 * Copy what was typed while waiting for the server.
 * @param {Map<string, string>} sent
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} newForm
 */
function keepTyped(sent, form, newForm) {
  const inputs = textInputs(newForm);
  for (const [name, value] of values(form)) {
    const field = inputs.get(name);
    if (field && value !== sent.get(name)) field.value = value;
  }
}

/** Update the heading of a row to its name and colour. @param {Element} field */
function updateHeading(field) {
  const legend = field.closest(".scheme-row")?.querySelector("legend");
  const name = legend?.querySelector("[data-name]");
  if (!(name instanceof HTMLElement) || !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement))
    return;
  if (/^(labels|questions)-\d+-name$/.test(field.name)) name.textContent = field.value || name.dataset.name || "";
  const chip = legend?.querySelector(".chip");
  if (chip instanceof HTMLElement && field.name.endsWith("-colour"))
    chip.className = `chip c-${field.value || chip.dataset.automatic || "none"}`;
}

/** @param {HTMLFormElement} form @param {string} action */
function submitWithoutScript(form, action) {
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
  runAction(form, button.value).catch(() => submitWithoutScript(form, button.value));
});
document.addEventListener("input", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("form[data-scheme]")) return;
  updateHeading(event.target);
  schedulePreview();
});
document.addEventListener("change", (event) => {
  const form = editor();
  if (form && event.target instanceof HTMLSelectElement && event.target.matches("[data-refresh]"))
    void runAction(form, "refresh");
});
document.documentElement.classList.add("scripted");
// On the page shown after a refused save.
const [shown, first] = [editor(), document.querySelector("iframe[name=scheme-preview]")];
if (shown) firstError(shown)?.focus();
if (first) keepFocus(first);
