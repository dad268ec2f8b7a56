// Keyboard navigation of disagreements: J and K move, Enter opens the focused link.
// Opens collapsed groups for links into them and for printing, and keeps groups open when the report is replaced.

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

/** Opens everything that the page's address points into. */
function reveal() {
  const anchor = (location.hash ?? "").slice(1);
  const target = anchor ? document.getElementById(decodeURIComponent(anchor)) : null;
  if (!target) return;
  const folded = [...target.querySelectorAll(":scope > details")];
  for (let at = target.closest("details"); at; at = at.parentElement?.closest("details") ?? null) folded.push(at);
  const closed = folded.filter((each) => !each.hasAttribute("open"));
  for (const each of closed) each.setAttribute("open", "");
  if (closed.length) target.scrollIntoView();
}

addEventListener("hashchange", reveal);
reveal();

/** @type {Set<string>} The ids of the groups that the reader has opened. */
const opened = new Set();
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.isConnected && target.id) {
      if (target.open) opened.add(target.id);
      else opened.delete(target.id);
    }
  },
  true,
);
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});

/** @type {Element[]} The groups that were closed before printing. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("#report details:not([open])")];
  for (const each of unfolded) each.setAttribute("open", "");
});
addEventListener("afterprint", () => {
  for (const each of unfolded.splice(0)) each.removeAttribute("open");
});
