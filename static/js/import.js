// Once the options for reading files are changed, disables the import until the files have been read again.

document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest(".reading-form") : null;
  const notice = form?.querySelector("[data-changed]");
  if (!(notice instanceof HTMLElement)) return;
  notice.hidden = false;
  for (const button of document.querySelectorAll(".start-form button")) {
    /** @type {HTMLButtonElement} */ (button).disabled = true;
  }
});
