/**
 * A user's reading preferences, applied before the texts are drawn. The server stores them for every device; this
 * browser keeps a copy, which takes precedence until the server has it.
 */

import { request } from "../sync/api.js";
import { requireElement } from "../view/dom.js";

/** Preferences from before they were stored per user: their owner is unknown. */
const BASE_KEY = "diptych/preferences";
/** ms without a change after which a choice is sent: a slider passes many values. */
const SEND_DELAY = 500;

/** @typedef {Required<Omit<import("../../api-types.js").Preferences, "theme">>} Values The theme is another module's. */

/** @type {Values} */
const DEFAULTS = {
  size: 17,
  line: 1.72,
  face: "serif",
  together: true,
  ledger: true,
  letters: true,
  whole: false,
  split: 50,
};

/**
 * The server's values override this browser's, unless these are newer.
 * @param {Partial<Values>} own
 * @param {Partial<Values> & {unsaved?: boolean}} stored
 * @returns {Values}
 */
export function mergePreferences(own, stored) {
  const all = stored.unsaved ? { ...own, ...stored } : { ...stored, ...own };
  /** @type {Record<string, unknown>} */
  const values = { ...DEFAULTS };
  for (const [name, value] of Object.entries(all)) if (typeof value === typeof values[name]) values[name] = value;
  return /** @type {Values} */ (values);
}

export class Preferences {
  /**
   * @param {Storage} storage
   * @param {string} person Their owner: several people may use one browser.
   * @param {Partial<Values>} own The server's values.
   * @param {string} url Where to save them; empty: in this browser only.
   */
  constructor(storage, person, own, url) {
    this.storage = storage;
    this.key = `${BASE_KEY}/${person}`;
    this.url = url;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Values} */
    this.values = { ...DEFAULTS };
    /** @type {((values: Values) => void)[]} */
    this.listeners = [];
    storage.removeItem(BASE_KEY);
    try {
      this.values = mergePreferences(own, JSON.parse(storage.getItem(this.key) ?? "{}"));
    } catch {
      // Invalid stored values must not break the page.
      this.values = mergePreferences(own, {});
    }
    this.apply();
  }

  /** @param {(values: Values) => void} listener */
  on(listener) {
    this.listeners.push(listener);
  }

  /**
   * @template {keyof Values} K
   * @param {K} name
   * @param {Values[K]} value
   */
  set(name, value) {
    this.values[name] = value;
    this.storeCopy(true);
    this.apply();
    for (const listener of this.listeners) listener(this.values);
    clearTimeout(this.timer);
    if (this.url) this.timer = setTimeout(() => void this.send(), SEND_DELAY);
  }

  /** @param {boolean} unsaved Whether the server does not have it yet. */
  storeCopy(unsaved) {
    try {
      this.storage.setItem(this.key, JSON.stringify({ ...this.values, unsaved: unsaved && Boolean(this.url) }));
    } catch {
      // Without storage, the choice applies until the page closes.
    }
  }

  /** Whatever is not accepted now stays unsaved and is sent with the next change. */
  async send() {
    const { outcome } = await request("PUT", this.url, this.values, true);
    if (outcome === "ok") this.storeCopy(false);
  }

  /** @param {"together" | "ledger" | "letters" | "whole"} name */
  toggle(name) {
    this.set(name, !this.values[name]);
  }

  apply() {
    const { style } = document.documentElement;
    style.setProperty("--text-size", `${this.values.size}px`);
    style.setProperty("--text-line", String(this.values.line));
    style.setProperty("--read", `var(--${this.values.face === "sans" ? "ui" : "serif"})`);
    style.setProperty("--split", `${this.values.split}%`);
  }

  /** Connect the page's form. */
  connect() {
    const form = /** @type {HTMLFormElement} */ (requireElement("preferences-form"));
    for (const field of form.elements) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const name = /** @type {keyof Values} */ (field.name);
      const value = this.values[name];
      const box = field instanceof HTMLInputElement && field.type === "checkbox";
      if (box) field.checked = Boolean(value);
      else field.value = String(value);
      field.addEventListener("input", () => {
        const now = box ? field.checked : typeof value === "number" ? Number(field.value) : field.value;
        this.set(name, /** @type {never} */ (now));
      });
      this.on((values) => {
        if (box) field.checked = Boolean(values[name]);
      });
    }
  }
}
