/** A thread of messages as elements: the words it is about, what was said, and what can be done. */

import { make } from "./dom.js";
import { dayTime } from "./phrases.js";
import { gettext } from "../../gettext.js";

/** @typedef {import("../model/types.js").Thread} Thread */

/**
 * @param {Thread} thread
 * @param {boolean} fixed Whether nothing can be written, because the project is archived.
 * @param {boolean} mine Whether the pair is assigned to the user.
 * @returns {HTMLElement} Its buttons have `data-do`: 'show', 'answer', 'resolve' or 'reopen'.
 */
export function threadElement(thread, fixed, mine) {
  const { id, words, messages, unread } = thread;
  /** @param {string} what @param {string} text */
  const button = (what, text) => make("button", { type: "button", "data-do": what, text });
  return make("article", { class: thread.resolved ? "thread resolved" : "thread", id: `thread-${id}`, "data-id": id, tabindex: -1 }, [
    make("p", { class: "about" }, [
      words.length
        ? make("button", { type: "button", class: "plain", "data-do": "show", title: gettext("Show in the texts") }, quoted(words.map(({ text }) => text)))
        : make("span", { text: gettext("About the pair") }),
      make("small", { class: "quiet", text: ` ${statusOf(thread, mine)}` }),
      mine && unread ? make("b", { class: "new", text: ` ${gettext("new")}` }) : null,
    ]),
    make("ol", { class: "thread-messages" }, messages.map((one) =>
      make("li", { class: one.by }, [
        make("p", { class: "quiet" }, [nameOf(one), " · ", make("time", { datetime: one.made, text: dayTime(one.made) })]),
        make("p", { class: "said", dir: "auto", text: one.text }),
      ]),
    )),
    fixed
      ? null
      : make("p", { class: "actions" }, [
        button("answer", gettext("Answer")),
        thread.resolved ? button("reopen", gettext("Open again")) : button("resolve", gettext("Resolve")),
      ]),
  ]);
}

/** @param {Thread} thread @param {boolean} mine */
function statusOf({ resolved, waiting_for: waiting }, mine) {
  if (resolved) return gettext("resolved");
  if (waiting === "lead") return gettext("waits for a lead");
  return mine ? gettext("answered") : gettext("waits for the annotator");
}

/** Quoted words, each run in its own writing direction. @param {string[]} runs */
export function quoted(runs) {
  return runs.map((text) => make("q", { dir: "auto", text }));
}

/** @param {Thread["messages"][number]} message */
function nameOf({ mine, name }) {
  if (mine) return gettext("You");
  return name || gettext("Lead");
}
