/** The names of keys in the user's language, as they are printed on keyboards there; on a Mac, Cmd instead of Ctrl. */

import { gettext } from "../../gettext.js";

const MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
const CTRL = gettext("Ctrl");

/** @type {Record<string, string>} */
const NAMES = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
  " ": gettext("Space"),
  Escape: gettext("Esc"),
  Delete: gettext("Del"),
  Backspace: "⌫",
  Tab: "⇥",
  Shift: gettext("Shift"),
  Ctrl: MAC ? "⌘" : CTRL,
  Alt: MAC ? "⌥" : gettext("Alt"),
  Home: gettext("Home"),
  End: gettext("End"),
};

/** A chord in the notation of the table of shortcuts, as the user's keyboard names its keys. @param {string} pressed */
export function chordText(pressed) {
  return pressed
    .split("+")
    .map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}

/** A sentence that names Ctrl, for the user's keyboard. @param {string} text */
export function withKeyNames(text) {
  return MAC ? text.replaceAll(CTRL, "⌘") : text;
}

/** Name the keys of the page's buttons, which templates give as chords. @param {ParentNode} root */
export function nameKeys(root) {
  for (const element of root.querySelectorAll("[data-keys]")) {
    if (!(element instanceof HTMLElement)) continue;
    const keys = chordText(element.dataset.keys ?? "");
    if (element.tagName === "KBD") element.textContent = keys;
    else element.title = `${element.title} (${keys})`;
  }
}
