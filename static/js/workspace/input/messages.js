/** The panel of messages: write about the pair, the picked span or the selected words; read, answer and resolve. */

import { make, need } from "../view/dom.js";
import { quoted, threadElement } from "../view/threads.js";
import { aboutOf, quotes } from "../model/quoting.js";
import { covered, SIDES } from "../model/spans.js";
import { gettext } from "../../gettext.js";

/** @typedef {import("../model/types.js").Side} Side */

export class Messages {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/render.js").View} view
   * @param {import("../sync/threads.js").Threads} threads
   * @param {Storage} storage Keeps what is typed until it is sent.
   * @param {string} key
   * @param {{go: (side: Side, index: number) => void, both: (tokens: Record<Side, readonly number[]>) => void,
   *   close: () => void, say: (words: string) => void}} does
   */
  constructor(store, view, threads, storage, key, does) {
    this.store = store;
    this.view = view;
    this.threads = threads;
    this.storage = storage;
    this.key = key;
    this.does = does;
    this.panel = need("messages");
    this.list = need("threads");
    this.text = /** @type {HTMLTextAreaElement} */ (need("message-text"));
    this.problem = need("message-problem");
    /** @type {import("../model/quoting.js").About} */
    this.about = { span: "", words: [] };
    /** @type {number | null} The thread that is answered; null: a new one. */
    this.answering = null;
    this.sending = false;
    this.text.value = storage.getItem(key) ?? "";
    need("message-form").hidden = store.assignment.archived;
    this.news(store.assignment.messages?.new ?? 0);
    need("messages-close").addEventListener("click", () => does.close());
    need("message-new").addEventListener("click", () => this.write(null));
    need("message-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.text.addEventListener("input", () => this.keep());
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      // Elsewhere these keys submit the pair.
      event.preventDefault();
      event.stopPropagation();
      void this.send();
    });
    this.list.addEventListener("click", (event) => this.click(event));
    for (const name of /** @type {const} */ (["selection", "picked", "doc"])) store.on(name, () => this.look());
    document.addEventListener("selectionchange", () => this.look());
  }

  /** Open the panel, or close it. */
  async toggle() {
    if (!this.panel.hidden) return this.does.close();
    await this.open();
  }

  /** Open the panel, at a thread if one is named. @param {number} [id] */
  async open(id) {
    this.panel.hidden = false;
    this.write(null);
    const problem = await this.threads.load();
    this.tell(problem);
    this.draw();
    const thread = this.threads.list.find((one) => one.id === id);
    if (thread) {
      this.show(thread.words);
      need(`thread-${thread.id}`).focus();
    }
    await this.threads.read();
    this.news(this.threads.news);
  }

  /** The words that are chosen now, unless a message about others has been begun. */
  look() {
    if (this.panel.hidden || this.answering !== null || (this.text.value && this.about.words.length)) return;
    const about = aboutOf(this.store, this.marked());
    // What is typed is about what was chosen before, until other words are chosen.
    if (about.words.length || !this.text.value) this.about = about;
    this.name();
  }

  /** The words that the browser has selected: if a pair can't be changed, it does that instead of the workspace. */
  marked() {
    /** @type {Record<Side, number[]>} */
    const tokens = { a: [], b: [] };
    const selected = getSelection();
    if (!selected || selected.isCollapsed || !selected.rangeCount) return tokens;
    for (const side of SIDES)
      this.view.words[side].forEach((word, index) => {
        if (word && selected.getRangeAt(0).intersectsNode(word)) tokens[side].push(index);
      });
    return tokens;
  }

  /** Begin a message, or an answer. @param {number | null} thread */
  write(thread) {
    this.answering = thread;
    if (thread === null) this.about = aboutOf(this.store, this.marked());
    this.name();
    this.text.focus();
  }

  /** Say above the field what the message is about. */
  name() {
    const about = need("message-about");
    need("message-new").hidden = this.answering === null;
    const thread = this.threads.list.find(({ id }) => id === this.answering);
    const runs = thread ? thread.words.map(({ text }) => text) : quotes(this.about.words, this.store.grids);
    const start = thread ? gettext("Answer:") : gettext("New message:");
    about.replaceChildren(make("span", { text: `${start} ` }), ...(runs.length ? quoted(runs) : [gettext("about the pair")]));
  }

  async send() {
    const text = this.text.value.trim();
    if (this.sending || !text) return this.text.focus();
    this.sending = true;
    const { answering } = this;
    const problem = answering === null ? await this.threads.open(text, this.about) : await this.threads.answer(answering, text);
    this.sending = false;
    this.tell(problem);
    if (problem) return this.text.focus();
    this.text.value = "";
    this.keep();
    this.draw();
    this.news(this.threads.news);
    this.write(null);
    this.does.say(gettext("Message sent"));
  }

  /** @param {MouseEvent} event */
  async click(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
    const article = button?.closest("article");
    if (!(button instanceof HTMLElement) || !article) return;
    const thread = this.threads.list.find(({ id }) => id === Number(article.dataset.id));
    if (!thread) return;
    const what = button.dataset.do;
    if (what === "answer") return this.write(thread.id);
    if (what === "show") {
      if (matchMedia("(max-width: 1100px)").matches) this.does.close();
      return this.show(thread.words);
    }
    this.tell(await this.threads.resolve(thread.id, what === "resolve"));
    this.draw();
    this.news(this.threads.news);
    need(`thread-${thread.id}`).focus();
    this.does.say(what === "resolve" ? gettext("Resolved") : gettext("Open again"));
  }

  /** Go to words of the texts, and highlight them. @param {import("../model/types.js").Thread["words"]} words */
  show(words) {
    const { grids } = this.store;
    const tokens = { a: covered({ fragments: words }, "a", grids.a), b: covered({ fragments: words }, "b", grids.b) };
    const side = SIDES.find((one) => tokens[one].length);
    if (!side) return;
    this.does.go(side, tokens[side][0]);
    this.does.both(tokens);
    this.store.flash(tokens);
  }

  draw() {
    this.list.replaceChildren(...this.threads.list.map((one) => threadElement(one, this.store.assignment.archived, this.threads.mine)));
    need("no-threads").hidden = this.threads.list.length > 0;
    this.name();
  }

  /** What is typed survives the page. */
  keep() {
    if (this.text.value) this.storage.setItem(this.key, this.text.value);
    else this.storage.removeItem(this.key);
  }

  /** @param {string} problem */
  tell(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
  }

  /** @param {number} n */
  news(n) {
    const badge = need("messages-new");
    badge.textContent = n ? String(n) : "";
    badge.hidden = !n;
  }
}
