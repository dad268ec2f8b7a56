/** From a point on the page to a word. */

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../view/render.js").View} View */

/**
 * The word at a point, or the nearest one if the point is next to or between words.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @param {Side | null} [side] Only words of this side, however far away.
 * @returns {{side: Side, index: number} | null}
 */
export function wordAt(view, x, y, side = null) {
  let element = document.elementFromPoint(x, y);
  if (element && view.renderWords(element)) element = document.elementFromPoint(x, y);
  const hit = view.positionOf(element);
  if (hit && (!side || hit.side === side)) return hit;
  const paragraph = side ? paragraphAt(view, side, y) : element?.closest(".para");
  if (paragraph) view.renderWords(paragraph);
  let best = null;
  let near = Infinity;
  for (const word of paragraph?.getElementsByClassName("token") ?? []) {
    const position = view.positions.get(word);
    if (!position) continue;
    for (const box of word.getClientRects()) {
      const away = Math.max(box.left - x, x - box.right, 0);
      const off = Math.max(box.top - y, y - box.bottom, 0);
      // Lines take precedence: a point right of a line's end means its last word.
      const distance = off * 1000 + away;
      if (distance < near) [best, near] = [position, distance];
    }
  }
  return best;
}

/** Pixels before the middle of a word at which a dragged end includes it: less than the precision of a finger. */
const SLACK = 2;

/**
 * The word at which a selection ends if its start or end is dragged to a point: the last (for a start: the first) word
 * of that line whose middle is passed, so that small movements at the edge of a word change nothing.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @param {Side} side
 * @param {"start" | "end"} which
 * @returns {number | null}
 */
export function endAt(view, x, y, side, which) {
  const hit = wordAt(view, x, y, side);
  if (!hit) return null;
  const grid = view.store.grids[side];
  // Right of the middle is further along in a left-to-right text, and the reverse in a right-to-left one.
  const sign = (grid.direction === "rtl" ? -1 : 1) * (which === "end" ? 1 : -1);
  const step = which === "end" ? -1 : 1;
  const box = rectAt(view.word(side, hit.index), y);
  const passed = sign * (x - (box.left + box.right) / 2) >= -SLACK;
  const next = hit.index + step;
  if (passed || next < 0 || next >= grid.count) return hit.index;
  const beside = rectAt(view.word(side, next), y);
  // The first word of a line (for a start: the last) has no previous one to fall back to, and among words of the
  // opposite direction the previous one in the text may be the next on the page.
  const before = sign * (box.left + box.right - beside.left - beside.right) > 0;
  return before && Math.abs(beside.top - box.top) < box.height / 2 ? next : hit.index;
}

/** A word's box on the line nearest to a height. @param {HTMLElement} word @param {number} y */
function rectAt(word, y) {
  const boxes = [...word.getClientRects()];
  const off = (/** @type {DOMRect} */ box) => Math.max(box.top - y, y - box.bottom, 0);
  return boxes.reduce((best, box) => (off(box) < off(best) ? box : best));
}

/**
 * The side at or nearest to a point: in rows the columns have no boxes, but their headings do.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @returns {Side}
 */
export function sideAt(view, x, y) {
  const apart = view.sheet.classList.contains("apart");
  /** @param {Side} side */
  const away = (side) => {
    const box = (apart ? view.columns[side] : view.columns[side].children[0]).getBoundingClientRect();
    return Math.max(box.left - x, x - box.right, 0) + (apart ? Math.max(box.top - y, y - box.bottom, 0) : 0);
  };
  return away("a") <= away("b") ? "a" : "b";
}

/**
 * The paragraph of a side at a height, or the nearest one. Cells are measured first, because the content of those out
 * of view is not laid out, and need not be for this.
 * @param {View} view
 * @param {Side} side
 * @param {number} y
 */
function paragraphAt(view, side, y) {
  const cell = nearest(view.columns[side].getElementsByClassName("cell"), y);
  return cell && nearest(cell.getElementsByClassName("para"), y);
}

/**
 * @param {Iterable<Element>} elements
 * @param {number} y
 * @returns {Element | null}
 */
function nearest(elements, y) {
  let best = null;
  let near = Infinity;
  for (const element of elements) {
    const box = element.getBoundingClientRect();
    const distance = Math.max(box.top - y, y - box.bottom, 0);
    if (distance < near) [best, near] = [element, distance];
  }
  return best;
}
