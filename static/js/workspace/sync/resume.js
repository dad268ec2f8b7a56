/** Reopening a pair: this browser's unsaved changes compared with the server's current state. Pure. */

import { applyPatch, contentChanges, diffDocs, docOf, joinPatches } from "../model/patches.js";
import { mergeVersions } from "../model/versions.js";

/** @typedef {import("../model/types.js").Patch} Patch */
/** @typedef {import("../model/types.js").AnnotationData} AnnotationData */
/** @typedef {import("./journal.js").Base} Base */
/** @typedef {readonly import("../model/types.js").DisputedRegion[]} Regions */

/**
 * The document of a recorded base with the changes made to it.
 * @param {AnnotationData} annotation
 * @param {Base} base
 * @param {Patch[]} pending
 */
export function withPending(annotation, base, pending) {
  const doc = docOf({ ...annotation, ...base.doc });
  for (const patch of pending) applyPatch(doc, patch);
  return doc;
}

/**
 * What is unsaved, as an annotator counts it: the spans, answers and comments that differ, however many steps that
 * took; and whether there are unsaved read ticks.
 * @param {Patch[]} pending
 * @returns {{changes: number, ticks: boolean}}
 */
export function countUnsaved(pending) {
  const all = pending.reduce(joinPatches, []);
  return { changes: contentChanges(all).length, ticks: all.some(({ kind }) => kind === "read") };
}

/**
 * How to resume: `patches` turn the server's document into the one to work on, `revision` is that of the next save,
 * `unsaved` says whether the server lacks something, `steps` whether the undo steps still fit. If both sides changed, a
 * revision older than the server's is used on purpose: the save will be refused, and the annotator shown both. A newer
 * revision with the same content (the pair was submitted and reopened) does not count as such a change, and ticks and
 * dismissals alone are added to the server's state.
 * @param {AnnotationData} annotation What the server has.
 * @param {Base | null} base Its last state known to this browser.
 * @param {Patch[]} pending The changes made here since.
 * @param {Regions} [regions]
 * @returns {{patches: Patch[], revision: number, unsaved: boolean, steps: boolean}}
 */
export function resume(annotation, base, pending, regions = []) {
  const { revision } = annotation;
  if (!base) return { patches: [], revision, unsaved: false, steps: false };
  const mine = withPending(annotation, base, pending);
  const apart = diffDocs(docOf(annotation), mine);
  const same = contentChanges(apart).length === 0;
  if (!pending.length) return { patches: [], revision, unsaved: false, steps: same };
  const from = withPending(annotation, base, []);
  const moved = contentChanges(diffDocs(from, docOf(annotation))).length > 0;
  if (base.revision === revision || !moved) return { patches: pending, revision, unsaved: true, steps: true };
  // The last save arrived, and only its response was lost.
  if (same)
    return {
      patches: pending.map((patch) => patch.filter((one) => !contentChanges([one]).length)),
      revision,
      unsaved: true,
      steps: true,
    };
  if (!contentChanges(diffDocs(from, mine)).length) {
    const server = docOf(annotation);
    return {
      patches: [diffDocs(server, mergeVersions(from, mine, server, true, regions).doc)],
      revision,
      unsaved: true,
      steps: false,
    };
  }
  return { patches: [apart], revision: base.revision, unsaved: true, steps: true };
}
