/** The panel of messages: write about the pair, the picked span or the selected words; read, answer and resolve. */

import { browserWords } from "./browser-selection.js";
import { requireElement } from "../view/dom.js";
import { aboutElements, showProblem, showUnreadCount, threadElement } from "../view/threads.js";
import { parseUnsent, serializeUnsent, unsentText } from "../model/unsent-messages.js";
import { aboutOf, quoteRuns, tokensIn } from "../model/message-subject.js";
import { SIDES } from "../model/spans.js";
import { gettext } from "../../gettext.js";

/** @typedef {import("../model/types.js").Side} Side */

/** How much of a message has to be in view to count as seen: about a line. */
const SEEN_MARGIN = "0px 0px -24px 0px";

/** @type {Record<Side, number[]>} */
const NO_TOKENS = { a: [], b: [] };

export class Messages {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/render.js").View} view
   * @param {import("../sync/threads.js").Threads} threads
   * @param {Storage} storage Holds what is typed until it is sent.
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
    this.callbacks = does;
    this.panel = requireElement("messages");
    this.list = requireElement("threads");
    this.text = /** @type {HTMLTextAreaElement} */ (requireElement("message-text"));
    const unsent = parseUnsent(storage.getItem(key));
    this.text.value = unsent.text;
    /** What a new message is about. */
    this.about = unsent.about;
    /** Whether that stays, whatever is selected: something has been typed about it. */
    this.subjectFixed = unsent.about.words.length > 0;
    /** The thread that is answered; null: a new one. */
    this.answering = unsent.answering;
    this.sending = false;
    /** The words that the browser had selected when it last had any of the texts. */
    this.browserWords = NO_TOKENS;
    /** @type {Record<Side, number[]> | null} The same when the button was pressed, which may end the selection. */
    this.pressed = null;
    this.visibility = new IntersectionObserver((entries) => this.onVisible(entries), {
      root: this.panel,
      rootMargin: SEEN_MARGIN,
    });
    requireElement("message-form").hidden = store.assignment.archived;
    new MutationObserver(() => this.outline()).observe(this.panel, { attributeFilter: ["hidden"] });
    showUnreadCount(store.assignment.messages?.new ?? 0);
    requireElement("messages-close").addEventListener("click", () => does.close());
    requireElement("message-new").addEventListener("click", () => this.startWriting(null));
    requireElement("message-pair").addEventListener("click", () => this.clearSubject());
    for (const button of document.querySelectorAll("[data-command=messages]"))
      button.addEventListener("pointerdown", () => (this.pressed = browserWords(view)));
    requireElement("message-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.text.addEventListener("input", () => {
      if (this.answering === null || !this.text.value)
        this.subjectFixed = this.text.value !== "" && this.about.words.length > 0;
      this.storeDraft();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      // Elsewhere these keys submit the pair.
      event.preventDefault();
      event.stopPropagation();
      void this.send();
    });
    this.list.addEventListener("click", (event) => this.onClick(event));
    for (const name of /** @type {const} */ (["selection", "picked", "doc"]))
      store.on(name, () => this.updateSubject());
    document.addEventListener("selectionchange", () => {
      const marked = this.panel.hidden ? null : browserWords(view);
      if (!marked) return;
      this.browserWords = marked;
      this.updateSubject();
    });
  }

  /** Open the panel, or close it. */
  async toggle() {
    await (this.panel.hidden ? this.open() : this.callbacks.close());
  }

  /** Open the panel, at a thread if one is named. @param {number} [id] */
  async open(id) {
    this.browserWords = this.pressed ?? browserWords(this.view) ?? NO_TOKENS;
    this.pressed = null;
    this.callbacks.close();
    this.panel.hidden = false;
    // Continue with what was started.
    this.startWriting(this.text.value ? this.answering : null);
    const problem = await this.threads.load();
    showProblem(problem);
    if (!problem && !this.answeredThread) this.answering = null;
    this.draw();
    requireElement("no-threads").hidden = Boolean(problem) || this.threads.list.length > 0;
    const thread = this.threads.list.find((one) => one.id === id);
    if (thread) {
      this.goToWords(thread.words);
      requireElement(`thread-${thread.id}`).focus();
    }
    showUnreadCount(this.threads.unreadCount);
  }

  /** Messages of the list are in view. @param {IntersectionObserverEntry[]} entries */
  onVisible(entries) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.visibility.unobserve(target);
      const id = Number(/** @type {HTMLElement | null} */ (target.closest("article"))?.dataset.id);
      void this.threads.read(id).then(() => showUnreadCount(this.threads.unreadCount));
    }
  }

  /** The words that are chosen now, unless a message about others has been started. */
  updateSubject() {
    if (this.panel.hidden || this.answering !== null) return;
    this.chooseSubject();
    this.showSubject();
    this.storeDraft();
  }

  /** A new message is about the words that are chosen now, unless something was typed about others. */
  chooseSubject() {
    if (this.subjectFixed) return;
    const about = aboutOf(this.store, this.browserWords);
    // What is typed is about what was chosen before, until other words are chosen.
    if (about.words.length || !this.text.value) this.about = about;
  }

  /** What is typed is about no words. */
  clearSubject() {
    this.about = { span: "", words: [] };
    this.browserWords = NO_TOKENS;
    this.subjectFixed = false;
    this.showSubject();
    this.storeDraft();
    this.text.focus();
  }

  /** Begin a message, or an answer. @param {number | null} thread */
  startWriting(thread) {
    this.answering = thread;
    if (thread === null) this.chooseSubject();
    this.showSubject();
    this.storeDraft();
    this.text.focus();
  }

  /** The thread that is answered. */
  get answeredThread() {
    return this.threads.list.find(({ id }) => id === this.answering);
  }

  /** Show above the field what the message is about. */
  showSubject() {
    const answers = this.answering !== null;
    const runs = answers
      ? (this.answeredThread?.words ?? []).map(({ text }) => text)
      : quoteRuns(this.about.words, this.store.grids);
    requireElement("message-new").hidden = !answers;
    requireElement("message-pair").hidden = answers || !runs.length;
    requireElement("message-about").replaceChildren(...aboutElements(answers, runs));
    this.outline();
  }

  /** Outline the words that it is about, which the browser no longer shows as selected once the field has the focus. */
  outline() {
    this.store.quote(
      this.panel.hidden
        ? NO_TOKENS
        : tokensIn(this.answeredThread ? this.answeredThread.words : this.about.words, this.store.grids),
    );
  }

  async send() {
    const typed = this.text.value;
    const text = typed.trim();
    if (this.sending || !text) return this.text.focus();
    this.sending = true;
    const { answering, about } = this;
    const problem =
      answering === null ? await this.threads.startThread(text, about) : await this.threads.answer(answering, text);
    this.sending = false;
    showProblem(problem);
    if (problem) return this.text.focus();
    // What was typed meanwhile starts another message.
    this.text.value = unsentText(this.text.value, typed);
    if (!this.text.value) this.subjectFixed = false;
    this.draw();
    showUnreadCount(this.threads.unreadCount);
    if (this.text.value) this.storeDraft();
    else this.startWriting(null);
    this.callbacks.say(gettext("Message sent"));
  }

  /** @param {MouseEvent} event */
  async onClick(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
    const article = button?.closest("article");
    if (!(button instanceof HTMLElement) || !article) return;
    const thread = this.threads.list.find(({ id }) => id === Number(article.dataset.id));
    if (!thread) return;
    const what = button.dataset.do;
    if (what === "answer") return this.startWriting(thread.id);
    if (what === "show") {
      if (matchMedia("(max-width: 1100px)").matches) this.callbacks.close();
      return this.goToWords(thread.words);
    }
    showProblem(await this.threads.resolve(thread.id, what === "resolve"));
    this.draw();
    showUnreadCount(this.threads.unreadCount);
    requireElement(`thread-${thread.id}`).focus();
    this.callbacks.say(what === "resolve" ? gettext("Resolved") : gettext("Reopened"));
  }

  /** Go to words of the texts, and highlight them. @param {import("../model/types.js").Thread["words"]} words */
  goToWords(words) {
    const tokens = tokensIn(words, this.store.grids);
    const side = SIDES.find((one) => tokens[one].length);
    if (!side) return;
    this.callbacks.go(side, tokens[side][0]);
    this.callbacks.both(tokens);
    this.store.highlight(tokens);
  }

  draw() {
    this.list.replaceChildren(
      ...this.threads.list.map((one) => threadElement(one, this.store.assignment.archived, this.threads.mine)),
    );
    requireElement("no-threads").hidden = this.threads.list.length > 0;
    this.showSubject();
    this.visibility.disconnect();
    for (const { id } of this.threads.list.filter((one) => one.new)) {
      const last = requireElement(`thread-${id}`).querySelector("li:last-child .message-text");
      if (last) this.visibility.observe(last);
    }
  }

  /** Store what is typed, its subject and the thread that it answers, so that they survive the page. */
  storeDraft() {
    const unsent = serializeUnsent({ text: this.text.value, about: this.about, answering: this.answering });
    if (unsent) this.storage.setItem(this.key, unsent);
    else this.storage.removeItem(this.key);
  }
}
