// How files are read was changed, but they were not read again: nothing is imported until they are.

document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest(".reading-form") : null;
  const said = form?.querySelector("[data-changed]");
  if (!(said instanceof HTMLElement)) return;
  said.hidden = false;
  for (const button of document.querySelectorAll(".start-form button")) {
    /** @type {HTMLButtonElement} */ (button).disabled = true;
  }
});
