// Moving through disagreements by key: J and K move, Enter opens the focused link. Copying the methods paragraph.

const list = document.querySelector("[data-walk]");
if (list) {
  /** @type {HTMLAnchorElement[]} */
  const links = [...list.querySelectorAll("a.open")].filter((link) => link instanceof HTMLAnchorElement);
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const writing = target instanceof HTMLElement && target.matches("input, select, textarea");
    if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (!step) return;
    const at = links.findIndex((link) => link === document.activeElement);
    const next = links[Math.min(Math.max(at + step, 0), links.length - 1)];
    next?.focus();
    event.preventDefault();
  });
}

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
  if (!(button instanceof HTMLElement)) return;
  const source = document.querySelector(button.dataset.copy ?? "");
  if (!source) return;
  await navigator.clipboard.writeText(source.textContent ?? "");
  button.setAttribute("aria-pressed", "true");
});
