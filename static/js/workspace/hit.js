/** From a point on the page to a word. */

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./render.js").View} View */

/**
 * The word at a point, or the nearest one where the point lies beside or between words.
 * @param {View} view
 * @param {number} x
 * @param {number} y
 * @param {Side | null} [side] Only words of this side, however far away.
 * @returns {{side: Side, index: number} | null}
 */
export function wordAt(view, x, y, side = null) {
  let element = document.elementFromPoint(x, y);
  if (element && view.spell(element)) element = document.elementFromPoint(x, y);
  const hit = view.placeOf(element);
  if (hit && (!side || hit.side === side)) return hit;
  const paragraph = side ? paragraphAt(view, side, y) : element?.closest(".para");
  if (paragraph) view.spell(paragraph);
  let best = null;
  let near = Infinity;
  for (const word of paragraph?.getElementsByClassName("t") ?? []) {
    const place = view.places.get(word);
    if (!place) continue;
    for (const box of word.getClientRects()) {
      const away = Math.max(box.left - x, x - box.right, 0);
      const off = Math.max(box.top - y, y - box.bottom, 0);
      // Lines count before columns: a point right of a line's end means its last word.
      const distance = off * 1000 + away;
      if (distance < near) [best, near] = [place, distance];
    }
  }
  return best;
}

/**
 * The side that a point lies on or nearest to: in rows the columns have no box of their own, but their headings do.
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
 * The paragraph of a side that is at a height, or the nearest one. Cells are measured first: what is in those out of view
 * is not laid out, and must not be for this.
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
