/** A conflict between two versions of a pair: both are shown, span by span, and the annotator chooses. */

import { labelChip, make, requireElement, requireDialog } from "./dom.js";
import { formatTime } from "./phrases.js";
import { wording } from "../model/wording.js";
import { format, gettext, ngettext } from "../../gettext.js";
import { questionTitle } from "../model/displayed-questions.js";
import { contentChanges, diffDocs, docOf } from "../model/patches.js";
import { quote, SIDES } from "../model/spans.js";
import { differingSpans, mergeVersions } from "../model/versions.js";

/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {"mine" | "theirs" | "both"} Choice */
/** @typedef {{choice: Choice, doc: Doc, dropped: number}} Chosen `dropped`: how many spans of theirs could not be kept. */

/** The current question: there is only one dialog, so that a second question waits. @type {Promise<unknown>} */
let pendingQuestion = Promise.resolve();

/**
 * Ask which version to keep. Resolves with the chosen document.
 * @param {import("../model/store.js").Store} store
 * @param {Doc} base What both versions started from.
 * @param {import("../model/types.js").AnnotationData} annotation The other version.
 * @returns {Promise<Chosen>}
 */
export function chooseVersion(store, base, annotation) {
  const answer = pendingQuestion.then(() => ask(store, base, annotation));
  pendingQuestion = answer.catch(() => {});
  return answer;
}

/**
 * @param {import("../model/store.js").Store} store
 * @param {Doc} base
 * @param {import("../model/types.js").AnnotationData} annotation
 * @returns {Promise<Chosen>}
 */
function ask(store, base, annotation) {
  const dialog = requireDialog("conflict");
  const theirs = docOf(annotation);
  const merged = () => mergeVersions(base, store.doc, theirs, store.scheme.overlap, store.regions);
  const together = merged();
  // After an earlier answer, ours may contain all of theirs: then there is nothing to choose.
  const lost = together.dropped.length + together.overruled.length;
  if (!lost && !contentChanges(diffDocs(store.doc, together.doc)).length)
    return Promise.resolve(/** @type {Chosen} */ ({ choice: "both", doc: together.doc, dropped: 0 }));
  const differences = differingSpans(store.doc, theirs);
  const time = formatTime(annotation.saved);
  requireElement("conflict-words").textContent = time
    ? format(
        gettext(
          "While you worked here, this pair was saved from another tab or another machine at {time}. This is where the versions differ:",
        ),
        { time },
      )
    : gettext(
        "While you worked here, this pair was saved from another tab or another machine. This is where the versions differ:",
      );
  for (const [side, n] of /** @type {const} */ ([
    ["mine", store.doc.spans.size],
    ["theirs", theirs.spans.size],
  ]))
    requireElement(`conflict-${side}`).textContent = format(ngettext("{n} span", "{n} spans", n), { n });
  requireElement("conflict-list").replaceChildren(
    ...differences.map((one) => make("tr", {}, [cell(store, one.mine), cell(store, one.theirs)])),
    ...otherDifferences(store, theirs),
  );
  const both = requireElement("conflict-both");
  return new Promise((resolve) => {
    /** @param {Choice} choice */
    const done = (choice) => {
      dialog.close();
      const both = choice === "both" ? merged() : null;
      const doc = both?.doc ?? (choice === "mine" ? store.doc : theirs);
      resolve({ choice, doc, dropped: both?.dropped.length ?? 0 });
    };
    requireElement("conflict-keep").onclick = () => done("mine");
    requireElement("conflict-take").onclick = () => done("theirs");
    both.onclick = () => done("both");
    // The question must be answered: Escape must not leave two versions behind.
    dialog.oncancel = (event) => event.preventDefault();
    dialog.showModal();
    both.focus();
  });
}

/**
 * @param {import("../model/store.js").Store} store
 * @param {import("../model/types.js").Span | null} span
 */
function cell(store, span) {
  if (!span) return make("td", { class: "quiet", text: "–" });
  const quotes = SIDES.map((side) => quote(span, side, store.grids[side]))
    .filter(Boolean)
    .join(" – ");
  return make("td", {}, [
    labelChip(store.label(span.label), span.label),
    " ",
    quotes,
    span.comment ? ` (“${span.comment}”)` : null,
  ]);
}

/**
 * Differences other than spans: answers, regions left unmarked, and the comment.
 * @param {import("../model/store.js").Store} store
 * @param {Doc} theirs
 */
function otherDifferences({ doc: mine, scheme, regions, grids, order }, theirs) {
  const keys = [...new Set([...Object.keys(mine.answers), ...Object.keys(theirs.answers)])];
  const answers = keys.map((key) => {
    const question = scheme.questions.find((one) => one.key === key);
    const named = (/** @type {string} */ answer) => question?.choices.find((one) => one.key === answer)?.name ?? answer;
    const title = question ? questionTitle(question) : key;
    const said = (/** @type {string} */ answer) =>
      format(gettext("{question}: {answer}"), { question: title, answer: named(answer) });
    return { values: [mine.answers[key], theirs.answers[key]], said };
  });
  const unmarked = regions.map(({ key, spans }) => {
    const first = [...spans].sort(order)[0];
    const words = SIDES.map((side) => quote(first, side, grids[side]))
      .filter(Boolean)
      .join(" – ");
    return {
      values: [mine, theirs].map((doc) => (doc.unmarked.has(key) ? words : "")),
      said: () => format(gettext("Left unmarked: {words}"), { words }),
    };
  });
  const comment = {
    values: [mine.comment, theirs.comment],
    said: (/** @type {string} */ words) => format(wording.comment, { words }),
  };
  return [...answers, ...unmarked, comment]
    .filter(({ values: [here, there] }) => (here ?? "") !== (there ?? ""))
    .map(({ values, said }) =>
      make(
        "tr",
        {},
        values.map((one) => make("td", { text: one ? said(one) : "–" })),
      ),
    );
}
