/** Where the label bar goes: near the selection, but on nothing that the annotator needs to see. Pure. */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{box: Box, weight: number}} Obstacle What is not to be covered, and how much a pixel of it counts. */

/** What a covered pixel costs: of the span's words on both sides, of the words that come next, of the text opposite. */
export const WEIGHTS = { selected: 10000, counterpart: 1000, next: 100, opposite: 10 };
/** What a pixel away from the selection costs. */
const AWAY = 40;
/** Room between the bar and what it stands beside, in pixels. */
const GAP = 8;

/**
 * The best place for a bar of a size within a frame: what it covers counts first, how far it is from `near` second.
 * @param {{width: number, height: number}} size
 * @param {Box} frame
 * @param {Box} near The word that the eye is on.
 * @param {readonly Obstacle[]} obstacles
 * @param {{lefts: number[], tops?: number[]}} choice The places in question; without `tops`, beside every obstacle.
 * @returns {{left: number, top: number}}
 */
export function bestPlace({ width, height }, frame, near, obstacles, { lefts, tops }) {
  const down = tops ?? [near, ...obstacles.map(({ box }) => box)].flatMap((box) => [box.top - height - GAP, box.bottom + GAP]).concat(frame.top, frame.bottom - height);
  let best = { left: frame.left, top: frame.top };
  let least = Infinity;
  for (const top of within(down, frame.top, frame.bottom - height))
    for (const left of within(lefts, frame.left, frame.right - width)) {
      const box = { left, top, right: left + width, bottom: top + height };
      const cost = obstacles.reduce((sum, one) => sum + one.weight * overlap(box, one.box), AWAY * distance(box, near));
      if (cost < least) [best, least] = [{ left, top }, cost];
    }
  return best;
}

/**
 * Numbers brought between two bounds, each once; the lower bound where there is no room.
 * @param {number[]} numbers
 * @param {number} low
 * @param {number} high
 */
function within(numbers, low, high) {
  return new Set(numbers.map((one) => Math.round(Math.max(low, Math.min(one, high)))));
}

/** The area that two boxes share. @param {Box} x @param {Box} y */
export function overlap(x, y) {
  const width = Math.min(x.right, y.right) - Math.max(x.left, y.left);
  const height = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** How far two boxes are apart. @param {Box} x @param {Box} y */
function distance(x, y) {
  return Math.hypot(Math.max(x.left - y.right, y.left - x.right, 0), Math.max(x.top - y.bottom, y.top - x.bottom, 0));
}

/**
 * Boxes of words as boxes of lines: fewer to look at, and the space between two words of a line belongs to it.
 * @param {Iterable<Box>} boxes In the order of the text.
 * @returns {Box[]}
 */
export function lines(boxes) {
  /** @type {Box[]} */
  const result = [];
  for (const { left, top, right, bottom } of boxes) {
    const last = result[result.length - 1];
    if (last && Math.abs(last.top - top) < (bottom - top) / 2) {
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
      last.top = Math.min(last.top, top);
      last.bottom = Math.max(last.bottom, bottom);
    } else result.push({ left, top, right, bottom });
  }
  return result;
}
