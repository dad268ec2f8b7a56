/** The browser's storage, or, if it is blocked, a temporary replacement in memory: the page works, and says so. */

/** @param {"localStorage" | "sessionStorage"} name @returns {Storage | null} */
function open(name) {
  try {
    const probe = "diptych/probe";
    globalThis[name].setItem(probe, "1");
    globalThis[name].removeItem(probe);
    return globalThis[name];
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
const own = preview ? null : open("localStorage");

/** Whether stored values outlast the page, as far as they should. */
export const lasting = own !== null || preview;

export const storage = own ?? forgetful();

/** What is kept for this tab alone, from one page to the next. */
export const passing = (preview ? null : open("sessionStorage")) ?? forgetful();
