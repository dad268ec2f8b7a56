/** Two versions of this pair: both are shown, span by span, and the annotator chooses. Nothing is overwritten unseen. */

import { chip, make, need, needDialog } from "./dom.js";
import { clockTime, t, tn } from "./messages.js";
import { docOf } from "./patches.js";
import { quote, SIDES } from "./spans.js";
import { differing, merge } from "./versions.js";

/** @typedef {import("./types.js").Doc} Doc */
/** @typedef {"mine" | "theirs" | "both"} Choice */

/**
 * Ask which version is to stand. Resolves with the document that was chosen.
 * @param {import("./store.js").Store} store
 * @param {Doc} base What both versions began from.
 * @param {import("./types.js").AnnotationData} annotation The other version.
 * @returns {Promise<{choice: Choice, doc: Doc}>}
 */
export function choose(store, base, annotation) {
  const dialog = needDialog("conflict");
  const theirs = docOf(annotation);
  const differences = differing(store.doc, theirs);
  const time = clockTime(annotation.saved);
  need("conflict-words").textContent = time ? t("conflict.at", { time }) : t("conflict.words");
  need("conflict-mine").textContent = tn("spans", store.doc.spans.size);
  need("conflict-theirs").textContent = tn("spans", theirs.spans.size);
  need("conflict-list").replaceChildren(
    ...differences.map((one) => make("tr", {}, [cell(store, one.mine), cell(store, one.theirs)])),
    ...others(store.doc, theirs),
  );
  const both = need("conflict-both");
  return new Promise((resolve) => {
    /** @param {Choice} choice */
    const done = (choice) => {
      dialog.close();
      const doc = choice === "mine" ? store.doc : choice === "theirs" ? theirs : merge(base, store.doc, theirs, store.scheme.overlap);
      resolve({ choice, doc });
    };
    need("conflict-keep").onclick = () => done("mine");
    need("conflict-take").onclick = () => done("theirs");
    both.onclick = () => done("both");
    // Work goes on only once this is settled: Escape must not leave two versions behind.
    dialog.oncancel = (event) => event.preventDefault();
    dialog.showModal();
    both.focus();
  });
}

/**
 * @param {import("./store.js").Store} store
 * @param {import("./types.js").Span | null} span
 */
function cell(store, span) {
  if (!span) return make("td", { class: "quiet", text: t("conflict.none") });
  const quotes = SIDES.map((side) => quote(span, side, store.grids[side])).filter(Boolean).join(" – ");
  return make("td", {}, [chip(store.label(span.label), span.label), " ", quotes, span.comment ? ` (“${span.comment}”)` : null]);
}

/**
 * What differs beside the spans: answers and the comment.
 * @param {Doc} mine
 * @param {Doc} theirs
 */
function others(mine, theirs) {
  const rows = [...new Set([...Object.keys(mine.answers), ...Object.keys(theirs.answers)])]
    .map((key) => [mine.answers[key] ?? "", theirs.answers[key] ?? ""])
    .concat([[mine.comment, theirs.comment]]);
  return rows
    .filter(([here, there]) => here !== there)
    .map((pair) => make("tr", {}, pair.map((words) => make("td", { text: words || t("conflict.none") }))));
}
