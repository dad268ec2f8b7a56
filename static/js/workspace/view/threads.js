/** A thread of messages as elements: the words it is about, what was said, and what can be done. */

import { make, requireElement } from "./dom.js";
import { formatDateTime } from "./phrases.js";
import { format, gettext } from "../../gettext.js";

/** @typedef {import("../model/types.js").Thread} Thread */

/**
 * @param {Thread} thread
 * @param {boolean} fixed Whether nothing can be written, because the project is archived.
 * @param {boolean} mine Whether the pair is assigned to the user.
 * @returns {HTMLElement} Its buttons have `data-do`: 'show', 'answer', 'resolve' or 'reopen'.
 */
export function threadElement(thread, fixed, mine) {
  const { id, words, messages } = thread;
  /** @param {string} what @param {string} text */
  const button = (what, text) => make("button", { type: "button", "data-do": what, text });
  return make(
    "article",
    { class: thread.resolved ? "thread resolved" : "thread", id: `thread-${id}`, "data-id": id, tabindex: -1 },
    [
      make("p", { class: "about" }, [
        words.length
          ? make(
              "button",
              { type: "button", class: "plain", "data-do": "show", title: gettext("Show in the texts") },
              quoteElements(words.map(({ text }) => text)),
            )
          : make("span", { text: gettext("About the pair") }),
        make("small", { class: "quiet", text: ` ${statusOf(thread, mine)}` }),
        thread.new ? make("b", { class: "new", text: ` ${gettext("new")}` }) : null,
      ]),
      make(
        "ol",
        { class: "thread-messages" },
        messages.map((one) =>
          make("li", { class: one.by }, [
            make("p", { class: "quiet" }, [
              nameOf(one),
              " · ",
              make("time", { datetime: one.made, text: formatDateTime(one.made) }),
            ]),
            make("p", { class: "message-text", dir: "auto", text: one.text }),
          ]),
        ),
      ),
      fixed
        ? null
        : make("p", { class: "actions" }, [
            button("answer", gettext("Reply")),
            thread.resolved ? button("reopen", gettext("Reopen")) : button("resolve", gettext("Resolve")),
          ]),
    ],
  );
}

/** @param {Thread} thread @param {boolean} mine */
function statusOf({ resolved, waiting_for: waiting, unread, read_by: readers }, mine) {
  if (resolved) return gettext("resolved");
  if (waiting === "lead" && readers.length)
    return format(gettext("waiting for a lead; read by {names}"), { names: readers.join(", ") });
  if (waiting === "lead") return gettext("waiting for a lead");
  if (mine) return gettext("answered");
  return unread
    ? gettext("waiting for the annotator, who has not read it")
    : gettext("waiting for the annotator, who has read it");
}

/**
 * What is written: a new message or a reply, and about which words (none: about the pair).
 * @param {boolean} answers
 * @param {string[]} runs
 */
export function aboutElements(answers, runs) {
  const start = answers ? gettext("Reply:") : gettext("New message:");
  return [make("span", { text: `${start} ` }), ...(runs.length ? quoteElements(runs) : [gettext("about the pair")])];
}

/** Quoted words, each run in its own writing direction. @param {string[]} runs */
export function quoteElements(runs) {
  return runs.map((text) => make("q", { dir: "auto", text }));
}

/** @param {Thread["messages"][number]} message */
function nameOf({ mine, name }) {
  if (mine) return gettext("You");
  return name || gettext("Lead");
}

/** Say what went wrong under the field, or nothing. @param {string} problem */
export function showProblem(problem) {
  const element = requireElement("message-problem");
  element.textContent = problem;
  element.hidden = !problem;
}

/** The number beside the button that opens the panel. @param {number} n */
export function showUnreadCount(n) {
  const badge = requireElement("messages-new");
  badge.textContent = n ? String(n) : "";
  badge.hidden = !n;
}
