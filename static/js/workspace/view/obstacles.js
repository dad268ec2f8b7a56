/** What the label bar should not cover, measured on the page: the span, its counterpart, the next words. */

import { mergeIntoLines, WEIGHTS } from "../model/placement.js";
import { lastRun } from "../model/selection.js";
import { otherSide, SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/placement.js").Obstacle} Obstacle */

/** How many words of a side are measured: a span of a whole page fills the window anyway. */
const MAX_WORDS = 400;
/** How far a handle extends from its line on touch screens, and half its width, in pixels. */
const HANDLE = { reach: 36, half: 18 };
const COARSE = matchMedia("(pointer: coarse)");

/**
 * @param {import("../model/store.js").Store} store
 * @param {import("./render.js").View} view
 * @param {Side} at The side that is being edited.
 * @returns {Obstacle[]}
 */
export function obstacles(store, view, at) {
  /** @type {Obstacle[]} */
  const obstacles = [];
  /** @param {Side} side @param {Iterable<number>} tokens @param {number} weight */
  const add = (side, tokens, weight) => {
    const boxes = [...tokens].slice(0, MAX_WORDS).flatMap((token) => [...view.word(side, token).getClientRects()]);
    obstacles.push(...mergeIntoLines(boxes).map((box) => ({ box, weight })));
  };
  for (const side of SIDES) {
    add(side, store.selected[side], WEIGHTS.selected);
    const run = lastRun(store.selection, side);
    if (run) add(side, followingWords(view, side, run[1]), WEIGHTS.next);
    if (run && side === at && COARSE.matches) obstacles.push(...handleBoxes(view, side, run));
  }
  const there = otherSide(at);
  if (!store.selected[there].size) {
    const counterparts = store.showSuggestions
      ? [...store.selected[at]].flatMap((token) => [...store.counterparts.get(at, token)])
      : [];
    add(there, new Set(counterparts), WEIGHTS.counterpart);
  }
  return obstacles.concat(alignedParagraphs(store, view, at, there));
}

/**
 * The words after one, to the end of the next line.
 * @param {import("./render.js").View} view
 * @param {Side} side
 * @param {number} last
 */
function followingWords(view, side, last) {
  /** @type {number[]} */
  const tokens = [];
  let line = bottomOf(view, side, last);
  let broken = 0;
  for (let token = last + 1; token < Math.min(last + 80, view.store.grids[side].count); token += 1) {
    const bottom = bottomOf(view, side, token);
    if (Math.abs(bottom - line) > 6) broken += 1;
    if (broken > 1) break;
    line = bottom;
    tokens.push(token);
  }
  return tokens;
}

/** The bottom of a word's last line. @param {import("./render.js").View} view @param {Side} side @param {number} token */
function bottomOf(view, side, token) {
  const boxes = view.word(side, token).getClientRects();
  return boxes[boxes.length - 1].bottom;
}

/**
 * The handles: above the first line of the run and below its last.
 * @param {import("./render.js").View} view
 * @param {Side} side
 * @param {import("../model/types.js").Range} run
 * @returns {Obstacle[]}
 */
function handleBoxes(view, side, [first, last]) {
  const [start] = view.word(side, first).getClientRects();
  const ends = view.word(side, last).getClientRects();
  const end = ends[ends.length - 1];
  const backwards = view.store.grids[side].direction === "rtl";
  const from = backwards ? start.right : start.left;
  const to = backwards ? end.left : end.right;
  return [
    {
      weight: WEIGHTS.counterpart,
      box: { left: from - HANDLE.half, right: from + HANDLE.half, top: start.top - HANDLE.reach, bottom: start.top },
    },
    {
      weight: WEIGHTS.counterpart,
      box: { left: to - HANDLE.half, right: to + HANDLE.half, top: end.bottom, bottom: end.bottom + HANDLE.reach },
    },
  ];
}

/**
 * The paragraphs aligned with the selected ones, which the annotator compares with them.
 * @param {import("../model/store.js").Store} store
 * @param {import("./render.js").View} view
 * @param {Side} at
 * @param {Side} there
 * @returns {Obstacle[]}
 */
function alignedParagraphs(store, view, at, there) {
  const rows = new Set([...store.selected[at]].map((token) => store.rowOf[at][store.grids[at].paragraphOf(token)]));
  return [...rows].flatMap((row) =>
    (store.rows[row]?.[there === "a" ? 0 : 1] ?? []).map((paragraph) => ({
      box: view.paragraphs[there][paragraph].getBoundingClientRect(),
      weight: WEIGHTS.opposite,
    })),
  );
}
