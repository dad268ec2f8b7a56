/** Placement of the label bar: near the selection, without covering what the annotator needs to see. Pure. */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{box: Box, weight: number}} Obstacle A box that should not be covered, and the weight of each pixel. */

/** The cost of a covered pixel: of the span's words on both sides, of the next words, of the aligned text. */
export const WEIGHTS = { selected: 10000, counterpart: 1000, next: 100, opposite: 10 };
/** The cost of a pixel of distance from the selection. */
const DISTANCE_COST = 40;
/** Pixels between the bar and its neighbours. */
const GAP = 8;

/**
 * The best place for a bar within a frame: first by what it covers, then by the distance from `near`.
 * @param {{width: number, height: number}} size
 * @param {Box} frame
 * @param {Box} near The word in focus.
 * @param {readonly Obstacle[]} obstacles
 * @param {{lefts: number[], tops?: number[]}} choice The candidates; without `tops`, next to every obstacle.
 * @returns {{left: number, top: number}}
 */
export function bestPosition({ width, height }, frame, near, obstacles, { lefts, tops }) {
  const down =
    tops ??
    [near, ...obstacles.map(({ box }) => box)]
      .flatMap((box) => [box.top - height - GAP, box.bottom + GAP])
      .concat(frame.top, frame.bottom - height);
  let best = { left: frame.left, top: frame.top };
  let least = Infinity;
  for (const top of clampAll(down, frame.top, frame.bottom - height))
    for (const left of clampAll(lefts, frame.left, frame.right - width)) {
      const box = { left, top, right: left + width, bottom: top + height };
      const cost = obstacles.reduce(
        (sum, one) => sum + one.weight * overlapArea(box, one.box),
        DISTANCE_COST * distance(box, near),
      );
      if (cost < least) [best, least] = [{ left, top }, cost];
    }
  return best;
}

/**
 * Distinct numbers clamped between two bounds; the lower bound if there is no room.
 * @param {number[]} numbers
 * @param {number} low
 * @param {number} high
 */
function clampAll(numbers, low, high) {
  return new Set(numbers.map((one) => Math.round(Math.max(low, Math.min(one, high)))));
}

/** The area that two boxes share. @param {Box} x @param {Box} y */
export function overlapArea(x, y) {
  const width = Math.min(x.right, y.right) - Math.max(x.left, y.left);
  const height = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The distance between two boxes. @param {Box} x @param {Box} y */
function distance(x, y) {
  return Math.hypot(Math.max(x.left - y.right, y.left - x.right, 0), Math.max(x.top - y.bottom, y.top - x.bottom, 0));
}

/**
 * Boxes of words merged into boxes of lines: fewer to examine, and including the spaces between words.
 * @param {Iterable<Box>} boxes In the order of the text.
 * @returns {Box[]}
 */
export function mergeIntoLines(boxes) {
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
