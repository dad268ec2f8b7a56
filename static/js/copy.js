// Buttons that copy the text of an element: data-copy is its selector. The button is shown as pressed once it has
// copied.

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
  if (!(button instanceof HTMLElement)) return;
  const source = document.querySelector(button.dataset.copy ?? "");
  if (!source) return;
  await navigator.clipboard.writeText((source.textContent ?? "").trim());
  button.setAttribute("aria-pressed", "true");
});
