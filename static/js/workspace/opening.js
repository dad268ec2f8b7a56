/** Opening a pair again: what this browser kept of it, against what the server has now. Pure. */

import { apply, difference, docOf } from "./patches.js";

/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {import("./types.js").AnnotationData} AnnotationData */
/** @typedef {import("./journal.js").Base} Base */

/**
 * The document of a kept ground with the changes made upon it.
 * @param {AnnotationData} annotation
 * @param {Base} base
 * @param {Patch[]} pending
 */
export function kept(annotation, base, pending) {
  const doc = docOf({ ...annotation, ...base.doc });
  for (const patch of pending) apply(doc, patch);
  return doc;
}

/** Changes that make a new revision; ticks and dismissals do not. @param {Patch} patch */
function weighty(patch) {
  return patch.filter(({ kind }) => kind !== "read" && kind !== "dismissed");
}

/**
 * How to go on: `patches` turn the server's document into the one to work on, `revision` is what the next save names,
 * `owed` says whether the server lacks something, `steps` whether the undo steps still fit.
 * A revision older than the server's is named on purpose where both sides changed: the save will be refused, and the
 * annotator shown both.
 * @param {AnnotationData} annotation What the server has.
 * @param {Base | null} base What it had when this browser last heard of it.
 * @param {Patch[]} pending What was changed here since.
 * @returns {{patches: Patch[], revision: number, owed: boolean, steps: boolean}}
 */
export function takeUp(annotation, base, pending) {
  const { revision } = annotation;
  if (!base) return { patches: [], revision, owed: false, steps: false };
  const mine = kept(annotation, base, pending);
  const apart = difference(docOf(annotation), mine);
  const same = weighty(apart).length === 0;
  if (!pending.length) return { patches: [], revision, owed: false, steps: same };
  if (base.revision === revision) return { patches: pending, revision, owed: true, steps: true };
  // The last save arrived and only its answer was lost, or the pair was handed in and reopened.
  if (same) return { patches: pending.map((patch) => patch.filter((one) => !weighty([one]).length)), revision, owed: true, steps: true };
  return { patches: [apart], revision: base.revision, owed: true, steps: true };
}
