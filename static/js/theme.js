/*
 * The theme before the first paint, and the switch in the bar: as the system has it, light, dark. Runs in the head. The
 * server says what the person chose, on whichever machine. This browser keeps a copy for each person, and the last choice
 * of anybody for pages without a log-in.
 */
(() => {
  const root = document.documentElement;
  const LAST = "diptych/theme";
  const key = root.dataset.user ? `${LAST}/${root.dataset.user}` : LAST;
  const themes = ["system", "light", "dark"];
  let own = root.dataset.ownTheme;

  /** @returns {string} */
  const current = () => {
    if (own) return own;
    try {
      return localStorage.getItem(key) ?? root.dataset.theme ?? "system";
    } catch {
      return root.dataset.theme ?? "system";
    }
  };
  /** @param {string} theme */
  const show = (theme) => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  /** @param {string} theme */
  const keep = (theme) => {
    try {
      for (const one of [key, LAST]) localStorage.setItem(one, theme);
    } catch {
      // A browser that keeps nothing still shows the choice until the page closes.
    }
    const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
    if (!root.dataset.preferences) return;
    own = theme;
    void fetch(root.dataset.preferences, {
      method: "PUT",
      body: JSON.stringify({ theme }),
      keepalive: true,
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    }).catch(() => {}); // Without a network the choice holds here, and is made again where it does not.
  };
  show(current());

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-theme-switch]") : null;
    if (!(button instanceof HTMLElement)) return;
    const next = themes[(themes.indexOf(current()) + 1) % themes.length];
    keep(next);
    show(next);
    for (const one of document.querySelectorAll("[data-theme-switch]"))
      if (one instanceof HTMLElement) one.textContent = one.dataset[next] ?? next;
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-switch]"))
      if (button instanceof HTMLElement) button.textContent = button.dataset[current()] ?? current();
  });
})();
