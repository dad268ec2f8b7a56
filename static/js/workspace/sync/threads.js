/** The messages about the pair, as the server has them. They are independent of the annotation and its revisions. */

import { request } from "./api.js";
import { gettext } from "../../gettext.js";

/** @typedef {import("../model/types.js").Thread} Thread */

export class Threads {
  /**
   * @param {string} url
   * @param {number} assignment
   * @param {boolean} mine Whether the pair is assigned to the user, who otherwise is a lead.
   */
  constructor(url, assignment, mine) {
    this.url = url;
    this.assignment = assignment;
    this.mine = mine;
    /** @type {Thread[]} Unread threads first, then open ones. */
    this.list = [];
  }

  /** @returns {Promise<string>} what went wrong; empty if nothing did */
  async load() {
    const response = await request("GET", `${this.url}?assignment=${this.assignment}&size=50`);
    // Sorting keeps the server's order among equals: what waits for a lead first.
    if (response.outcome === "ok")
      this.list = response.data.threads.sort((/** @type {Thread} */ x, /** @type {Thread} */ y) =>
        this.mine ? Number(y.new) - Number(x.new) : 0,
      );
    return problemText(response);
  }

  /**
   * Begin a thread. A span that the server doesn't have (yet) is not named: its words are there all the same.
   * @param {string} text
   * @param {import("../model/message-subject.js").About} about
   */
  async startThread(text, about) {
    const body = { assignment: this.assignment, text, ...about };
    const first = await request("POST", this.url, body);
    const unknown = about.span && first.outcome !== "ok" && first.data?.error?.where === "span";
    return this.updateList(unknown ? await request("POST", this.url, { ...body, span: "" }) : first);
  }

  /** @param {number} id @param {string} text */
  answer(id, text) {
    return this.send("POST", `${this.url}${id}/`, { text });
  }

  /** @param {number} id @param {boolean} resolved */
  resolve(id, resolved) {
    return this.send("PUT", `${this.url}${id}/resolved/`, { resolved });
  }

  /**
   * Tell the server that a thread has been read, up to the last message listed. If that fails, the thread stays unread.
   * @param {number} id
   */
  async read(id) {
    const thread = this.list.find((one) => one.id === id);
    if (thread?.new)
      await this.send("PUT", `${this.url}${id}/read/`, { last: thread.messages[thread.messages.length - 1].id });
  }

  /** How many threads the user has to read, or as a lead to answer. */
  get unreadCount() {
    return this.list.filter((one) => (this.mine ? one.new : !one.resolved && one.waiting_for === "lead")).length;
  }

  /**
   * @param {string} method
   * @param {string} url
   * @param {unknown} body
   */
  async send(method, url, body) {
    return this.updateList(await request(method, url, body));
  }

  /** Put the thread that the server responded with into the list. @param {import("./api.js").Answer} response */
  updateList(response) {
    if (response.outcome === "ok") {
      const at = this.list.findIndex(({ id }) => id === response.data.id);
      if (at < 0) this.list.unshift(response.data);
      else this.list[at] = response.data;
    }
    return problemText(response);
  }
}

/** Why a request failed, and what to do; empty if it succeeded. @param {import("./api.js").Answer} response */
function problemText({ outcome, data }) {
  if (outcome === "ok") return "";
  if (outcome === "login" || outcome === "other")
    return gettext("You are not logged in any more. Log in in another tab, and try again.");
  if (outcome === "offline") return gettext("The server can't be reached. Try again when you are online.");
  const { message, hint } = data?.error ?? {};
  return message
    ? [message, hint].filter(Boolean).join(" ")
    : gettext("The server can't do this now. Try again in a moment.");
}
