/**
 * The narrow map of both texts: where a position in a text is on it, and what is drawn there. Pure: the page measures
 * the rows and paints the result.
 */

import { firstIndex } from "./grid.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Fragment} Fragment */
/**
 * @typedef {object} Band The part of a text that is in one row.
 * @property {number} row
 * @property {number} start In code points.
 * @property {number} end
 * @property {number} top In px from the beginning of what scrolls.
 * @property {number} height In px.
 */
/** @typedef {Record<Side, Band[]>} Bands In the order of the text. */
/** @typedef {{side: Side, top: number, height: number, colour: string}} Mark In px of the map; `colour`: "unread", "suggestion" or a label's colour. */

/** The minimum height of a mark, in px: a word of a long text would be less than one pixel high. */
export const MIN_MARK_HEIGHT = 2;

/**
 * The vertical position of a character, in px from the top of the scrolled content; within its row in proportion to the
 * characters before it.
 * @param {Band[]} bands
 * @param {number} point In code points.
 */
export function offsetOf(bands, point) {
  const at = Math.max(0, firstIndex(bands.length, (n) => bands[n].start > point) - 1);
  const band = bands[at];
  if (!band) return 0;
  const share = (point - band.start) / Math.max(1, band.end - band.start);
  return band.top + band.height * Math.min(1, Math.max(0, share));
}

/**
 * What is drawn, from the bottom layer to the top one: unread rows, suggestions, spans.
 * @param {Bands} bands
 * @param {{a: number, b: number}} scale px of the map for each px of what scrolls, by side.
 * @param {{unread: Set<number>, suggestions: readonly {fragments: readonly Fragment[]}[], spans: Iterable<{label: string, fragments: readonly Fragment[]}>}} content
 * @param {(label: string) => string} colourOf
 * @returns {Mark[]}
 */
export function mapMarks(bands, scale, { unread, suggestions, spans }, colourOf) {
  /** @type {Mark[]} */
  const marks = [];
  for (const side of SIDES)
    for (const { row, top, height } of bands[side])
      if (unread.has(row)) marks.push({ side, top: top * scale[side], height: height * scale[side], colour: "unread" });
  /** @param {Fragment} fragment @param {string} colour */
  const add = ({ side, start, end }, colour) => {
    const from = offsetOf(bands[side], start) * scale[side];
    // The last character, not the position after it, which may be in the next row.
    const to = offsetOf(bands[side], Math.max(start, end - 1)) * scale[side];
    const last = marks[marks.length - 1];
    const height = Math.max(MIN_MARK_HEIGHT, to - from);
    // Overlapping marks of one colour are drawn as one.
    if (last && last.side === side && last.colour === colour && from >= last.top && from <= last.top + last.height)
      last.height = Math.max(last.height, from + height - last.top);
    else marks.push({ side, top: from, height, colour });
  };
  for (const { fragments } of suggestions) for (const fragment of fragments) add(fragment, "suggestion");
  for (const { label, fragments } of spans) for (const fragment of fragments) add(fragment, colourOf(label));
  return marks;
}

/**
 * The part of the map that shows what is in view.
 * @param {{top: number, room: number, whole: number}} scrolled How far, the visible height, and that of everything, in px.
 * @param {number} height Of the map, in px.
 * @returns {{top: number, height: number}}
 */
export function viewFrame({ top, room, whole }, height) {
  const scale = height / Math.max(1, whole);
  const size = Math.min(height, Math.max(8, room * scale));
  // Even at its minimum height the frame reaches both ends.
  const most = Math.max(1, whole - room);
  return { top: Math.min(1, Math.max(0, top / most)) * (height - size), height: size };
}

/**
 * How far to scroll so that the frame's middle is at a position on the map.
 * @param {number} y In px of the map.
 * @param {{room: number, whole: number}} scrolled
 * @param {number} height Of the map.
 */
export function scrollFor(y, { room, whole }, height) {
  const { height: size } = viewFrame({ top: 0, room, whole }, height);
  const share = (y - size / 2) / Math.max(1, height - size);
  return Math.min(1, Math.max(0, share)) * Math.max(0, whole - room);
}
