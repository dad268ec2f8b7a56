/** Helpers for elements, used by every part of the page. */

/**
 * Create an element with `class`, `text`, attributes by name, and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {(Node | string | null | undefined)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = String(value);
    else if (name === "class") element.className = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/**
 * An element that must exist in the template.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function requireElement(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element #${id}: templates/annotation/workspace.html must supply it.`);
  return element;
}

/** @param {string} id @returns {HTMLDialogElement} */
export function requireDialog(id) {
  return /** @type {HTMLDialogElement} */ (requireElement(id));
}

/** Whether the focused element takes typed text. @param {EventTarget | null} target */
export function acceptsText(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}

/** Where the focus is, for deciding what keys do. @param {Element | null} target @returns {import("../model/keyboard.js").Focus} */
export function focusOf(target) {
  if (acceptsText(target)) return "field";
  if (!target || target === document.body) return "page";
  if (target.closest(".label-bar")) return "bar";
  const control = target.closest("button, a, input") !== null;
  return target.closest(".texts") ? (control ? "tick" : "texts") : "control";
}

/** Whether panels are beside the texts rather than over them. */
export function isWide() {
  return !matchMedia("(max-width: 1100px)").matches;
}

/** Whether something is open that Escape closes; guidelines beside the texts stay open. */
export function isOverlayOpen() {
  const panel = document.querySelector(".guidelines:not([hidden])");
  return (
    !requireElement("find").hidden ||
    (panel !== null && (panel.id !== "guidelines" || !isWide())) ||
    document.body.classList.contains("span-list-open")
  );
}

/** Whether movement should be avoided. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A label's chip. @param {import("../model/types.js").Label | null} label @param {string} [key] */
export function labelChip(label, key = "") {
  return make("span", { class: `chip c-${label?.colour ?? ""}`, text: labelSign(label) || key, "aria-hidden": "true" });
}

/** A label in one or two characters: its hotkey, or its first letter. @param {import("../model/types.js").Label | null} label */
export function labelSign(label) {
  return label ? label.hotkey || [...label.name][0] || label.key : "";
}
