/** The panels next to or over the texts: help, guidelines, preferences, the list of spans. */

import { isWide, labelChip, make, requireElement, requireDialog } from "./dom.js";
import { chordText, withKeyNames } from "./key-names.js";
import { answerKeys, groupQuestions } from "../model/displayed-questions.js";
import { GESTURES, GROUPS, SHORTCUTS } from "../model/keyboard.js";
import { gettext } from "../../gettext.js";

export class Panels {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../input/preferences.js").Preferences} preferences
   * @param {(need: import("../model/keyboard.js").Need) => boolean} isAvailable
   * @param {Storage} storage What is kept for this tab: guidelines beside the texts are also there on the next pair.
   * @param {string} person
   */
  constructor(store, preferences, isAvailable, storage, person) {
    this.store = store;
    this.preferences = preferences;
    this.isAvailable = isAvailable;
    this.drawer = requireElement("guidelines");
    /** Those that lie over the texts; a page may lack messages. @type {HTMLElement[]} */
    this.drawers = [...document.querySelectorAll(".guidelines")].filter((one) => one instanceof HTMLElement);
    this.storage = storage;
    this.key = `diptych/guidelines/${person}/${store.assignment.project.slug}`;
    requireElement("guidelines-close").addEventListener("click", () => this.close());
    requireElement("guidelines-labels").append(
      ...store.scheme.labels.map((label) =>
        make("li", {}, [
          labelChip(label),
          make("div", {}, [make("b", { text: label.name }), make("span", { class: "quiet", text: label.description })]),
        ]),
      ),
    );
    // Which of two versions to keep must be answered: `conflict.js` closes its dialog.
    for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (
      document.querySelectorAll("dialog:not(#conflict)")
    ))
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog || (event.target instanceof Element && event.target.closest("[data-close]")))
          dialog.close();
      });
    this.showGuidelines(store.assignment.guideline);
    preferences.on(() => this.updateSpanList());
    this.updateSpanList();
    this.drawer.addEventListener("scroll", () => this.rememberGuidelines(), { passive: true });
    this.restoreGuidelines();
  }

  /** Show the guidelines, which may be newer than the page. @param {{html: string} | null} guideline */
  showGuidelines(guideline) {
    const text = requireElement("guidelines-text");
    // Rendered and sanitized by the server from the lead's Markdown.
    if (guideline) text.innerHTML = guideline.html;
    else text.replaceChildren(make("p", { class: "quiet", text: gettext("There are no guidelines yet.") }));
    // The source page of a text opens in a new tab, so that the workspace stays open.
    for (const link of document.querySelectorAll(".about a, .prose a")) {
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", "noopener noreferrer");
    }
  }

  /** Reopen the guidelines if they were open beside the previous pair, at the same scroll position. */
  restoreGuidelines() {
    const top = this.storage.getItem(this.key);
    if (top === null || !isWide()) return;
    this.drawer.hidden = false;
    // Once they are laid out.
    requestAnimationFrame(() => (this.drawer.scrollTop = Number(top)));
  }

  /** Remember for the next pair whether the guidelines are open beside the texts, and their scroll position. */
  rememberGuidelines() {
    try {
      if (this.drawer.hidden) this.storage.removeItem(this.key);
      else if (isWide()) this.storage.setItem(this.key, String(Math.round(this.drawer.scrollTop)));
    } catch {
      // Without storage they are closed on the next pair.
    }
  }

  updateSpanList() {
    document.body.classList.toggle("no-span-list", !this.preferences.values.ledger);
  }

  /** Next to wide texts the list collapses; over narrow ones it is a drawer. */
  toggleSpanList() {
    if (matchMedia("(max-width: 1100px)").matches) {
      const open = document.body.classList.toggle("span-list-open");
      if (open) requireElement("span-list").querySelector("button")?.focus();
    } else this.preferences.toggle("ledger");
  }

  /** Open the guidelines, or close them. @returns {boolean} Whether they are open now. */
  toggleGuidelines() {
    const open = this.drawer.hidden;
    this.close();
    this.drawer.hidden = !open;
    this.rememberGuidelines();
    if (open) requireElement("guidelines-title").focus();
    return open;
  }

  /**
   * Close what is open.
   * @param {boolean} [over] Only what lies over the texts; guidelines beside them stay, and are only left.
   * @returns {boolean} Whether anything was closed or is to be left.
   */
  close(over = false) {
    const closing = this.drawers.filter((one) => !one.hidden && !(over && one === this.drawer && isWide()));
    const inside = over && this.drawer.contains(document.activeElement);
    const open = inside || closing.length > 0 || document.body.classList.contains("span-list-open");
    for (const one of closing) one.hidden = true;
    if (closing.includes(this.drawer)) this.rememberGuidelines();
    document.body.classList.remove("span-list-open");
    return open;
  }

  showPreferences() {
    requireDialog("preferences").showModal();
  }

  showHelp() {
    const dialog = requireDialog("help");
    const list = requireElement("help-list");
    if (!list.childElementCount)
      for (const { group, title } of GROUPS) {
        const shortcuts = SHORTCUTS.filter((one) => one.group === group && this.isAvailable(one.needs ?? "always"));
        if (!shortcuts.length) continue;
        list.append(
          make("section", {}, [
            make("h3", { text: title }),
            make(
              "dl",
              {},
              shortcuts.flatMap((one) => [
                make(
                  "dt",
                  {},
                  this.keys(one).flatMap((key, n) => [n ? " " : null, make("kbd", { text: key })]),
                ),
                make("dd", { text: (this.isAvailable("highlights") && one.suggesting) || one.does }),
              ]),
            ),
          ]),
        );
      }
    if (!list.querySelector(".gestures")) list.append(this.gestures());
    dialog.showModal();
  }

  /** The list of mouse and touch gestures. */
  gestures() {
    const gestures = GESTURES.filter(({ needs }) => this.isAvailable(needs));
    return make("section", { class: "gestures", hidden: !gestures.length }, [
      make("h3", { text: gettext("Mouse and touch") }),
      make(
        "dl",
        {},
        gestures.flatMap(({ gesture, does }) => [
          make("dt", { text: withKeyNames(gesture) }),
          make("dd", { text: does }),
        ]),
      ),
    ]);
  }

  /** @param {import("../model/keyboard.js").Shortcut} shortcut */
  keys({ command, keys }) {
    if (command === "label") return this.store.scheme.labels.map(({ hotkey }) => hotkey);
    if (command === "answer")
      return [
        ...new Set(groupQuestions(this.store.scheme.questions).flatMap((displayed) => answerKeys(displayed))),
      ].filter(Boolean);
    return keys.map(chordText);
  }
}
