/**
 * A narrow map of both texts beside their scroll bar: what is marked, suggested and unread, and the part in view. For
 * the mouse and for fingers; everything on it is also in the list and in the texts, so it is hidden from other readers.
 */

import { make, requireElement } from "./dom.js";
import { mapMarks, scrollFor, viewFrame } from "../model/map.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */

/** ms after a change before the map is drawn again: keys do not wait for it. */
const DRAW_DELAY = 120;

export class DocumentMap {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./reading.js").Reading} reading
   */
  constructor(store, view, reading) {
    this.store = store;
    this.view = view;
    this.reading = reading;
    this.element = requireElement("map");
    this.canvas = /** @type {HTMLCanvasElement} */ (make("canvas"));
    /** What is in view, on each side's half. @type {Record<Side, HTMLElement>} */
    this.frames = { a: make("i", { class: "frame a" }), b: make("i", { class: "frame b" }) };
    this.colourProbe = make("i", { class: "colour-probe" });
    this.element.append(this.canvas, this.frames.a, this.frames.b, this.colourProbe);
    /** @type {import("../model/map.js").Bands} */
    this.bands = { a: [], b: [] };
    /** The heights for which the rows were measured. */
    this.measured = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.framing = false;
    /** @type {Record<Side, HTMLElement[]>} */
    this.cells = { a: [], b: [] };
    /** @type {{side: Side, hold: number} | null} Where the frame was grabbed, from its middle. */
    this.drag = null;
  }

  /** Draw the map, and keep it up to date. */
  start() {
    const { store, view, element } = this;
    if (!store.scheme.labels.length) return;
    for (const side of SIDES)
      this.cells[side] = [...view.columns[side].querySelectorAll(".cell")].map(
        (cell) => /** @type {HTMLElement} */ (cell),
      );
    for (const topic of /** @type {const} */ (["doc", "view"])) store.on(topic, () => this.scheduleDraw());
    const resized = new ResizeObserver(() => this.scheduleDraw());
    for (const one of [element, view.sheet, requireElement("texts")]) resized.observe(one);
    requireElement("texts").addEventListener("scroll", () => this.onScroll(), { passive: true, capture: true });
    new MutationObserver(() => this.scheduleDraw()).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-theme"],
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.scheduleDraw());
    // The texts keep the focus and the selection.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => this.startDrag(event));
    element.addEventListener(
      "pointermove",
      (event) => this.drag && element.hasPointerCapture(event.pointerId) && this.scrollToPointer(event),
    );
    for (const type of ["pointerup", "pointercancel"]) element.addEventListener(type, () => (this.drag = null));
    element.addEventListener("wheel", (event) => view.scroller(this.sideAt(event)).scrollBy({ top: event.deltaY }), {
      passive: true,
    });
    this.scheduleDraw();
  }

  get apart() {
    return this.view.sheet.classList.contains("apart");
  }

  /** Draw once after a pause, however much changes until then. */
  scheduleDraw() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, DRAW_DELAY);
  }

  /** @param {Side} side */
  sizeOf(side) {
    const scroller = this.view.scroller(side);
    return { top: scroller.scrollTop, room: scroller.clientHeight, whole: scroller.scrollHeight };
  }

  /** Rows out of view have an estimated height until they are shown. */
  measure() {
    const { view } = this;
    for (const side of SIDES) {
      const scroller = view.scroller(side);
      const above = scroller.getBoundingClientRect().top - scroller.scrollTop;
      const { paragraphs } = view.store.grids[side];
      this.bands[side] = this.cells[side].map((cell) => {
        const row = Number(cell.dataset.row);
        const own = view.partsOf(row, side)[0];
        const box = cell.getBoundingClientRect();
        return {
          row,
          start: paragraphs[own[0]][0],
          end: paragraphs[own[own.length - 1]][1],
          top: box.top - above,
          height: box.height,
        };
      });
    }
  }

  /** The heights that determine where the rows are. */
  heights() {
    return `${this.apart} ${SIDES.map((side) => this.view.scroller(side).scrollHeight).join(" ")}`;
  }

  draw() {
    const { canvas, element, store } = this;
    const [width, height] = [element.clientWidth, element.clientHeight];
    if (!width || !height) return;
    const heights = this.heights();
    if (heights !== this.measured) this.measure();
    this.measured = heights;
    const ratio = globalThis.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    const scale = { a: height / Math.max(1, this.sizeOf("a").whole), b: height / Math.max(1, this.sizeOf("b").whole) };
    const suggestions = store.showSuggestions ? store.openSuggestions() : [];
    const content = {
      unread: store.readOnly ? new Set() : this.reading.unreadRows,
      suggestions,
      spans: store.doc.spans.values(),
    };
    /** @type {Map<string, string>} */
    const inks = new Map();
    const half = width / 2;
    const swapped = this.swapped;
    for (const mark of mapMarks(this.bands, scale, content, (label) => store.label(label)?.colour ?? "")) {
      if (!inks.has(mark.colour)) inks.set(mark.colour, this.cssColour(mark.colour));
      context.fillStyle = inks.get(mark.colour) ?? "";
      const left = (mark.side === "b") !== swapped ? half : 0;
      // Suggestions are narrower than spans, so that the two differ without colours.
      const inset = mark.colour === "suggestion" ? half / 2 - 1.5 : 1;
      context.fillRect(left + inset, mark.top, half - 2 * inset, mark.height);
    }
    this.placeFrames();
  }

  /** Whether side A is on the right. */
  get swapped() {
    const [a, b] = SIDES.map((side) => this.cells[side][0]?.getBoundingClientRect().left ?? 0);
    return a > b;
  }

  /** @param {string} name Of a kind of mark, or a label's colour. */
  cssColour(name) {
    this.colourProbe.className = `colour-probe ${name === "unread" || name === "suggestion" ? name : `c-${name}`}`;
    return getComputedStyle(this.colourProbe).color;
  }

  /**
   * Move the frames once before the next frame. Rows that have been shown for the first time have another height now.
   */
  onScroll() {
    if (this.framing) return;
    this.framing = true;
    requestAnimationFrame(() => {
      this.framing = false;
      this.placeFrames();
      if (this.measured && this.heights() !== this.measured) this.scheduleDraw();
    });
  }

  placeFrames() {
    const height = this.element.clientHeight;
    const swapped = this.swapped;
    for (const side of SIDES) {
      const frame = viewFrame(this.sizeOf(side), height);
      const { style, classList } = this.frames[side];
      classList.toggle("second", (side === "b") !== swapped);
      style.transform = `translateY(${frame.top.toFixed(1)}px)`;
      style.height = `${frame.height.toFixed(1)}px`;
    }
  }

  /** @param {MouseEvent} event @returns {Side} */
  sideAt(event) {
    const box = this.element.getBoundingClientRect();
    return event.clientX - box.left > box.width / 2 !== this.swapped ? "b" : "a";
  }

  /** @param {PointerEvent} event */
  startDrag(event) {
    if (event.button !== 0) return;
    const side = this.sideAt(event);
    this.element.setPointerCapture(event.pointerId);
    const y = event.clientY - this.element.getBoundingClientRect().top;
    const frame = viewFrame(this.sizeOf(side), this.element.clientHeight);
    const inside = y >= frame.top && y <= frame.top + frame.height;
    this.drag = { side, hold: inside ? y - frame.top - frame.height / 2 : 0 };
    // The other column follows, as if this one were scrolled by hand.
    if (this.apart) this.view.columns[side].dispatchEvent(new Event("pointerdown"));
    if (!inside) this.scrollToPointer(event);
  }

  /** @param {PointerEvent} event */
  scrollToPointer(event) {
    if (!this.drag) return;
    const { side, hold } = this.drag;
    const y = event.clientY - this.element.getBoundingClientRect().top - hold;
    const scroller = this.view.scroller(side);
    scroller.scrollTop = scrollFor(y, this.sizeOf(side), this.element.clientHeight);
  }
}
