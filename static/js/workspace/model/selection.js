/** The selection: whole tokens of both sides. The active run, while it is drawn, can still be moved. Pure. */

/** @typedef {import("./types.js").Selection} Selection */
/** @typedef {import("./types.js").Side} Side */

/** @type {Selection} */
export const EMPTY = { fixed: { a: [], b: [] }, active: null };

/**
 * The selected tokens of a side, ascending.
 * @param {Selection} selection
 * @param {Side} side
 * @returns {number[]}
 */
export function tokensOn(selection, side) {
  const { fixed, active } = selection;
  if (!active || active.side !== side) return fixed[side];
  return union(fixed[side], tokenRange(active.anchor, active.head));
}

/** @param {Selection} selection */
export function isEmpty(selection) {
  return !selection.active && !selection.fixed.a.length && !selection.fixed.b.length;
}

/**
 * Start a run. It replaces the selection of its own side (the other side's is kept, so that a selection on each makes a
 * link); with `add` it is another fragment.
 * @param {Selection} selection
 * @param {Side} side
 * @param {number} anchor
 * @param {number} head
 * @param {boolean} add
 * @returns {Selection}
 */
export function beginRun(selection, side, anchor, head, add) {
  const finished = fixActiveRun(selection);
  const fixed = add ? finished.fixed : { ...finished.fixed, [side]: [] };
  return { fixed, active: { side, anchor, head } };
}

/**
 * Move the moving end of the run, extending or shrinking it.
 * @param {Selection} selection
 * @param {number} head
 * @returns {Selection}
 */
export function extendRun(selection, head) {
  return selection.active ? { ...selection, active: { ...selection.active, head } } : selection;
}

/**
 * A run that reaches words selected before is merged with them: its moving end is where they end. Otherwise words below
 * it would stay selected when that end moves back.
 * @param {Selection} selection
 * @returns {Selection}
 */
export function mergeTouchingRuns(selection) {
  const { active, fixed } = selection;
  if (!active) return selection;
  const { side, anchor, head } = active;
  const [low, high] = [Math.min(anchor, head), Math.max(anchor, head)];
  if (!fixed[side].some((token) => token >= low && token <= high)) return selection;
  const whole = selectionOf({ a: tokensOn(selection, "a"), b: tokensOn(selection, "b") }, { side, index: head });
  return whole.active && whole.active.head > whole.active.anchor !== head >= anchor ? swapEnds(whole) : whole;
}

/**
 * Toggle a token.
 * @param {Selection} selection
 * @param {Side} side
 * @param {number} index
 * @returns {Selection}
 */
export function toggleToken(selection, side, index) {
  const finished = fixActiveRun(selection);
  if (!finished.fixed[side].includes(index)) return beginRun(finished, side, index, index, true);
  return {
    fixed: { ...finished.fixed, [side]: finished.fixed[side].filter((token) => token !== index) },
    active: null,
  };
}

/**
 * Add the active run to the fixed tokens: nothing is being drawn any more.
 * @param {Selection} selection
 * @returns {Selection}
 */
export function fixActiveRun(selection) {
  if (!selection.active) return selection;
  return { fixed: { a: tokensOn(selection, "a"), b: tokensOn(selection, "b") }, active: null };
}

/**
 * A selection of given tokens; the run that contains `cursor`, if any, can be moved at the end nearer to it.
 * @param {Record<Side, readonly number[]>} tokens
 * @param {{side: Side, index: number} | null} [cursor]
 * @returns {Selection}
 */
export function selectionOf(tokens, cursor = null) {
  /** @type {Selection} */
  const all = { fixed: { a: [...tokens.a], b: [...tokens.b] }, active: null };
  if (!cursor || !tokens[cursor.side].includes(cursor.index)) return all;
  const has = new Set(tokens[cursor.side]);
  let [from, to] = [cursor.index, cursor.index];
  while (has.has(from - 1)) from -= 1;
  while (has.has(to + 1)) to += 1;
  const backwards = cursor.index - from < to - cursor.index;
  all.fixed[cursor.side] = all.fixed[cursor.side].filter((token) => token < from || token > to);
  all.active = { side: cursor.side, anchor: backwards ? to : from, head: backwards ? from : to };
  return all;
}

/**
 * The selection with the run at the cursor as the active one. The same selection if it is active already, or if the
 * cursor is not on a selected token.
 * @param {Selection} selection
 * @param {{side: Side, index: number}} cursor
 * @returns {Selection}
 */
export function activateRun(selection, cursor) {
  const { active } = selection;
  const [low, high] = active ? [Math.min(active.anchor, active.head), Math.max(active.anchor, active.head)] : [0, -1];
  if (active?.side === cursor.side && cursor.index >= low && cursor.index <= high) return selection;
  const tokens = { a: tokensOn(selection, "a"), b: tokensOn(selection, "b") };
  return tokens[cursor.side].includes(cursor.index) ? selectionOf(tokens, cursor) : selection;
}

/**
 * The selection with the other end of the run as the moving one.
 * @param {Selection} selection
 * @returns {Selection}
 */
export function swapEnds(selection) {
  const { active } = selection;
  return active ? { ...selection, active: { ...active, anchor: active.head, head: active.anchor } } : selection;
}

/**
 * The last run of a side, which gets the handles. Null if nothing is selected there.
 * @param {Selection} selection
 * @param {Side} side
 * @returns {import("./types.js").Range | null} first and last token
 */
export function lastRun(selection, side) {
  const { active } = selection;
  if (active?.side === side) return [Math.min(active.anchor, active.head), Math.max(active.anchor, active.head)];
  const tokens = selection.fixed[side];
  if (!tokens.length) return null;
  let at = tokens.length - 1;
  while (at > 0 && tokens[at - 1] === tokens[at] - 1) at -= 1;
  return [tokens[at], tokens[tokens.length - 1]];
}

/**
 * @param {number} anchor
 * @param {number} head
 */
function tokenRange(anchor, head) {
  const from = Math.min(anchor, head);
  return Array.from({ length: Math.abs(anchor - head) + 1 }, (_, n) => from + n);
}

/**
 * @param {readonly number[]} x
 * @param {readonly number[]} y
 */
function union(x, y) {
  return [...new Set([...x, ...y])].sort((one, two) => one - two);
}
