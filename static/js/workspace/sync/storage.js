/** The browser's storage, or, if it is blocked, a temporary replacement in memory: the page works, and says so. */

/** @returns {Storage | null} */
function open() {
  try {
    const probe = "diptych/probe";
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return null;
  }
}

/** @returns {Storage} */
function forgetful() {
  /** @type {Map<string, string>} */
  const items = new Map();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (n) => [...items.keys()][n] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}

/** A preview is not work: it begins again each time, and nothing of it is kept. */
const preview = document.documentElement.hasAttribute("data-preview");
const own = preview ? null : open();

/** Whether stored values outlast the page, as far as they should. */
export const lasting = own !== null || preview;

export const storage = own ?? forgetful();
