/*
 * Sets the theme before the first paint, and handles the switch in the bar: system, light, dark. Runs in the head. The
 * server knows the user's choice on every device. This browser keeps a copy for each user, and the last choice of any
 * user for pages without a log-in.
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
      // Without storage, the choice still applies until the page closes.
    }
    const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
    if (!root.dataset.preferences) return;
    own = theme;
    void fetch(root.dataset.preferences, {
      method: "PUT",
      body: JSON.stringify({ theme }),
      keepalive: true,
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    }).catch(() => {}); // Without a network the choice applies on this device only.
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
