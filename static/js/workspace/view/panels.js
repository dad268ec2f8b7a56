/** The panels next to or over the texts: help, guidelines, preferences, the list of spans. */

import { chip, make, need, needDialog } from "./dom.js";
import { GESTURES, GROUPS, SHORTCUTS } from "../model/keyboard.js";
import { gettext } from "../../gettext.js";

/** How keys are displayed. @type {Record<string, string>} */
const SIGNS = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
  " ": gettext("Space"),
  Escape: "Esc",
  Delete: gettext("Del"),
  Backspace: "⌫",
  Tab: "⇥",
  Shift: "⇧",
  Ctrl: gettext("Ctrl"),
  Home: gettext("Home"),
  End: gettext("End"),
};

/** @param {string} pressed */
export function written(pressed) {
  return pressed
    .split("+")
    .map((part) => SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}

export class Panels {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../input/preferences.js").Preferences} preferences
   * @param {(need: import("../model/keyboard.js").Need) => boolean} met
   */
  constructor(store, preferences, met) {
    this.store = store;
    this.preferencesOf = preferences;
    this.met = met;
    this.drawer = need("guidelines");
    /** Those that lie over the texts; a page may lack messages. @type {HTMLElement[]} */
    this.drawers = [...document.querySelectorAll(".guidelines")].filter((one) => one instanceof HTMLElement);
    need("guidelines-close").addEventListener("click", () => this.close());
    const { guideline } = store.assignment;
    // Rendered and sanitized by the server from the lead's Markdown.
    need("guidelines-text").innerHTML = guideline?.html ?? "";
    need("guidelines-labels").append(...store.scheme.labels.map((label) =>
      make("li", {}, [chip(label), make("div", {}, [make("b", { text: label.name }), make("span", { class: "quiet", text: label.description })])]),
    ));
    for (const dialog of document.querySelectorAll("dialog"))
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog || (event.target instanceof Element && event.target.closest("[data-close]"))) dialog.close();
      });
    // The source page of a text opens in a new tab, so that the workspace stays open.
    for (const link of document.querySelectorAll(".about a, .prose a")) {
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", "noopener noreferrer");
    }
    preferences.on(() => this.show());
    this.show();
  }

  show() {
    document.body.classList.toggle("no-ledger", !this.preferencesOf.values.ledger);
  }

  /** Next to wide texts the list collapses; over narrow ones it is a drawer. */
  ledger() {
    if (matchMedia("(max-width: 1100px)").matches) {
      const open = document.body.classList.toggle("drawer");
      if (open) need("ledger").querySelector("button")?.focus();
    } else this.preferencesOf.toggle("ledger");
  }

  guidelines() {
    const open = this.drawer.hidden;
    this.close();
    this.drawer.hidden = !open;
    if (!this.drawer.hidden) need("guidelines-title").focus();
  }

  /** Close overlays. @returns {boolean} whether there were any */
  close() {
    const open = this.drawers.some((one) => !one.hidden) || document.body.classList.contains("drawer");
    for (const one of this.drawers) one.hidden = true;
    document.body.classList.remove("drawer");
    return open;
  }

  preferences() {
    needDialog("preferences").showModal();
  }

  help() {
    const dialog = needDialog("help");
    const list = need("help-list");
    if (!list.childElementCount)
      for (const { group, title } of GROUPS) {
        const shortcuts = SHORTCUTS.filter((one) => one.group === group && this.met(one.needs ?? "always"));
        if (!shortcuts.length) continue;
        list.append(make("section", {}, [
          make("h3", { text: title }),
          make("dl", {}, shortcuts.flatMap((one) => [
            make("dt", {}, this.keys(one).flatMap((key, n) => [n ? " " : null, make("kbd", { text: key })])),
            make("dd", { text: (this.met("highlights") && one.suggesting) || one.does }),
          ])),
        ]));
      }
    if (!list.querySelector(".gestures")) list.append(this.gestures());
    dialog.showModal();
  }

  /** The list of mouse and touch gestures. */
  gestures() {
    const gestures = GESTURES.filter(({ needs }) => this.met(needs));
    return make("section", { class: "gestures", hidden: !gestures.length }, [
      make("h3", { text: gettext("Mouse and touch") }),
      make("dl", {}, gestures.flatMap(({ gesture, does }) => [
        make("dt", { text: gesture }),
        make("dd", { text: does }),
      ])),
    ]);
  }

  /** @param {import("../model/keyboard.js").Shortcut} shortcut */
  keys({ command, keys }) {
    if (command === "label") return this.store.scheme.labels.map(({ hotkey }) => hotkey);
    if (command === "answer") return [...new Set(this.store.scheme.questions.flatMap(({ choices }) => choices.map(({ hotkey }) => hotkey)))];
    return keys.map(written);
  }
}
