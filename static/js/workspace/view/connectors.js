/** Lines between the fragments of the picked or hovered span: only in the gutter, never across a text. */

import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */

const SVG = "http://www.w3.org/2000/svg";

export class Connectors {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {SVGElement} svg Covers the visible part of the texts.
   */
  constructor(store, view, svg) {
    this.store = store;
    this.view = view;
    this.svg = svg;
    this.path = document.createElementNS(SVG, "path");
    svg.append(this.path);
    this.scheduled = false;
    for (const topic of /** @type {const} */ (["picked", "hover", "doc", "selection"]))
      store.on(topic, () => this.scheduleDraw());
  }

  /** Draw once before the next frame, however much happens until then. */
  scheduleDraw() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  draw() {
    const { store } = this;
    const ids = [store.picked, store.hovered === store.picked ? null : store.hovered];
    // Words dragged over while a span is picked are shown as they will be: joined to it.
    const chosen = store.picked || !store.hovered ? this.selected() : null;
    const shown = ids.flatMap((id) => (id && !(chosen && id === store.picked) ? [store.cover.of(id)] : []));
    if (chosen) shown.unshift(chosen);
    const linked = this.svg.clientWidth ? shown.filter((tokens) => tokens.a.length && tokens.b.length) : [];
    this.path.setAttribute("d", linked.map((tokens) => this.lines(tokens)).join(""));
  }

  /** @param {Record<Side, number[]>} tokens Of a link. @returns {string} */
  lines(tokens) {
    const { view } = this;
    const frame = this.svg.getBoundingClientRect();
    const [left, right] = [view.columns.a, view.columns.b].map((column) => column.children[0]);
    // The gutter is the padding of the left column next to its text.
    const room = parseFloat(getComputedStyle(left).paddingRight);
    const edge = {
      a: left.getBoundingClientRect().right - room - frame.left + 6,
      b: right.getBoundingClientRect().left - frame.left - 6,
    };
    let d = "";
    /** @type {Record<Side, number[]>} */
    const heights = { a: [], b: [] };
    for (const side of SIDES)
      for (const [top, bottom] of this.rows(side, tokens[side])) {
        d += `M${edge[side]} ${top - frame.top + 3}V${bottom - frame.top - 3}`;
        heights[side].push((top + bottom) / 2 - frame.top);
      }
    const middle = (edge.a + edge.b) / 2;
    // Each line of the side with more lines is connected to the other's first: every fragment is joined, and nothing is
    // drawn twice.
    const joins =
      heights.a.length >= heights.b.length
        ? heights.a.map((y) => [y, heights.b[0]])
        : heights.b.map((y) => [heights.a[0], y]);
    for (const [from, to] of joins) d += `M${edge.a} ${from}C${middle} ${from} ${middle} ${to} ${edge.b} ${to}`;
    return d;
  }

  /** The words that are one span, or would become one if labelled now. @returns {Record<Side, number[]> | null} */
  selected() {
    const { selected, scheme } = this.store;
    return scheme.links ? { a: [...selected.a], b: [...selected.b] } : null;
  }

  /**
   * The lines of text that contain given words: top and bottom of each.
   * @param {Side} side
   * @param {number[]} tokens
   * @returns {number[][]}
   */
  rows(side, tokens) {
    /** @type {number[][]} */
    const lines = [];
    // For a span of a whole page, measuring its first words is enough: the lines to the others lead out of the window.
    for (const token of tokens.slice(0, 200)) {
      const box = this.view.word(side, token).getBoundingClientRect();
      const last = lines[lines.length - 1];
      if (!last || Math.abs(last[0] - box.top) > box.height / 2) lines.push([box.top, box.bottom]);
    }
    return lines;
  }
}
