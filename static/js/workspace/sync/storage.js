/** The browser's storage, or, if it is blocked, a temporary replacement in memory: the page works, and says so. */

/** @param {"localStorage" | "sessionStorage"} name @returns {Storage | null} */
function openStorage(name) {
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
function memoryStorage() {
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

/** A preview starts afresh each time: nothing in it is stored. */
const preview = document.documentElement.hasAttribute("data-preview");
const own = preview ? null : openStorage("localStorage");

/** Whether stored values survive the page. In a preview they need not. */
export const isPersistent = own !== null || preview;

export const storage = own ?? memoryStorage();

/** Storage of this tab alone, from one page to the next. */
export const tabStorage = (preview ? null : openStorage("sessionStorage")) ?? memoryStorage();
