/** Changes to the annotator's document as data: applied, inverted, joined. Pure. */

/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {import("./types.js").Doc} Doc */

/**
 * The document of a saved annotation.
 * @param {import("./types.js").AnnotationData} annotation
 * @returns {Doc}
 */
export function docOf(annotation) {
  return {
    spans: new Map(annotation.spans.spans.map((span) => [span.id, span])),
    answers: { ...annotation.answers },
    comment: annotation.comment,
    read: { a: new Set(annotation.read.a ?? []), b: new Set(annotation.read.b ?? []) },
    dismissed: new Set(annotation.dismissed),
    unmarked: new Set(annotation.unmarked),
  };
}

/**
 * A document as plain JSON, for sending and storing.
 * @param {Doc} doc
 * @param {(x: import("./types.js").Span, y: import("./types.js").Span) => number} [order]
 */
export function serializeDoc(doc, order) {
  const spans = [...doc.spans.values()];
  if (order) spans.sort(order);
  /** @param {Set<number>} marks */
  const ascending = (marks) => [...marks].sort((x, y) => x - y);
  return {
    spans: { v: 1, spans },
    answers: { ...doc.answers },
    comment: doc.comment,
    read: { a: ascending(doc.read.a), b: ascending(doc.read.b) },
    dismissed: [...doc.dismissed].sort(),
    unmarked: [...doc.unmarked].sort(),
  };
}

/**
 * Apply a patch in place.
 * @param {Doc} doc
 * @param {Patch} patch
 */
export function applyPatch(doc, patch) {
  for (const change of patch) {
    if (change.kind === "span") {
      if (change.after) doc.spans.set(change.id, change.after);
      else doc.spans.delete(change.id);
    } else if (change.kind === "answer") {
      if (change.after) doc.answers[change.id] = change.after;
      else delete doc.answers[change.id];
    } else if (change.kind === "comment") {
      doc.comment = change.after;
    } else if (change.kind === "read") {
      const [side, index] = change.id.split(":");
      toggle(doc.read[side === "a" ? "a" : "b"], Number(index), change.after);
    } else if (change.kind === "dismissed" || change.kind === "unmarked") {
      toggle(doc[change.kind], change.id, change.after);
    }
  }
}

/**
 * @template T
 * @param {Set<T>} set
 * @param {T} item
 * @param {boolean} present
 */
function toggle(set, item, present) {
  if (present) set.add(item);
  else set.delete(item);
}

/**
 * The inverse of a patch.
 * @param {Patch} patch
 * @returns {Patch}
 */
export function invertPatch(patch) {
  return patch
    .map((change) => /** @type {Change} */ ({ ...change, before: change.after, after: change.before }))
    .reverse();
}

/**
 * Two successive patches as one; changes that cancel out are dropped.
 * @param {Patch} first
 * @param {Patch} second
 * @returns {Patch}
 */
export function joinPatches(first, second) {
  /** @type {Map<string, Change>} */
  const changes = new Map();
  for (const change of [...first, ...second]) {
    const key = `${change.kind} ${change.id}`;
    const earlier = changes.get(key);
    changes.set(key, earlier ? /** @type {Change} */ ({ ...change, before: earlier.before }) : change);
  }
  return [...changes.values()].filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/**
 * The patch from one document to another.
 * @param {Doc} from
 * @param {Doc} to
 * @returns {Patch}
 */
export function diffDocs(from, to) {
  /** @type {Patch} */
  const patch = [];
  for (const id of new Set([...from.spans.keys(), ...to.spans.keys()])) {
    const [before, after] = [from.spans.get(id) ?? null, to.spans.get(id) ?? null];
    if (JSON.stringify(before) !== JSON.stringify(after)) patch.push({ kind: "span", id, before, after });
  }
  for (const id of new Set([...Object.keys(from.answers), ...Object.keys(to.answers)])) {
    const [before, after] = [from.answers[id] ?? "", to.answers[id] ?? ""];
    if (before !== after) patch.push({ kind: "answer", id, before, after });
  }
  if (from.comment !== to.comment) patch.push({ kind: "comment", id: "", before: from.comment, after: to.comment });
  for (const side of /** @type {const} */ (["a", "b"]))
    diffSets("read", from.read[side], to.read[side], (index) => `${side}:${index}`, patch);
  for (const kind of /** @type {const} */ (["dismissed", "unmarked"]))
    diffSets(kind, from[kind], to[kind], String, patch);
  return patch;
}

/**
 * @template T
 * @param {"read" | "dismissed" | "unmarked"} kind
 * @param {Set<T>} from
 * @param {Set<T>} to
 * @param {(item: T) => string} name
 * @param {Patch} patch
 */
function diffSets(kind, from, to, name, patch) {
  for (const item of new Set([...from, ...to]))
    if (from.has(item) !== to.has(item))
      patch.push(/** @type {Change} */ ({ kind, id: name(item), before: from.has(item), after: to.has(item) }));
}

/**
 * Changes that create a new revision; ticks and dismissals do not.
 * @param {Patch} patch
 */
export function contentChanges(patch) {
  return patch.filter(({ kind }) => kind !== "read" && kind !== "dismissed");
}
