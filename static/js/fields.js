/** Marks fields as invalid when their errors are loaded beside them; disables the buttons of an outdated preview. */

document.addEventListener("htmx:afterSettle", () => {
  for (const beside of document.querySelectorAll("[data-errors-of]")) {
    const field = document.getElementById(/** @type {HTMLElement} */ (beside).dataset.errorsOf ?? "");
    if (!field?.matches("input, select, textarea")) continue;
    const wrong = Boolean(beside.textContent?.trim());
    const describing = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== beside.id);
    if (wrong) describing.push(beside.id);
    if (wrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (describing.length) field.setAttribute("aria-describedby", describing.join(" "));
    else field.removeAttribute("aria-describedby");
  }
});

// A preview's buttons apply to the form as it was: disable them until the new preview is here.
document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form[hx-target]") : null;
  const preview = document.querySelector(form?.getAttribute("hx-target") || "#none");
  for (const button of preview?.querySelectorAll("button") ?? []) button.disabled = true;
});

for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    const { target } = /** @type {CustomEvent} */ (event).detail ?? {};
    if (target instanceof HTMLElement && target.dataset.failed) target.textContent = target.dataset.failed;
  });
}
