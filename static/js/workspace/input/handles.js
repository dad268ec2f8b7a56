/** The two handles of a selection: dragging one by finger or mouse moves that end word by word. */

import { make, requireElement } from "../view/dom.js";
import { endAt } from "./hit-testing.js";
import { EdgeScroll } from "../view/scrolling.js";
import * as selection from "../model/selection.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {{side: Side, first: number, last: number}} Run */

const COARSE = matchMedia("(pointer: coarse)");

export class Handles {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("../view/render.js").View} view
   * @param {import("./actions.js").Actions} actions
   */
  constructor(store, view, actions) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.frame = requireElement("main");
    this.ends = [this.handle("start"), this.handle("end")];
    this.frame.append(...this.ends);
    this.edge = new EdgeScroll();
    /** The current drag. `grab`: how far the finger is from the end of the selection that it moves.
     * @type {{fixed: Record<Side, number[]>, anchor: number, side: Side, which: "start" | "end", pointer: number,
     *   from: {x: number, y: number}, grab: {x: number, y: number}, moved: boolean} | null} */
    this.drag = null;
    /** @type {PointerEvent | null} */
    this.last = null;
    for (const topic of /** @type {const} */ (["selection", "picked", "cursor", "doc"]))
      store.on(topic, () => this.place());
    // Handles extend beyond their line: at the edge of a text they would cover the footer, or the bar between the texts.
    for (const topic of /** @type {const} */ (["selection", "picked"]))
      store.on(topic, () => COARSE.matches && this.scrollHandlesIntoView());
  }

  /** @param {"start" | "end"} which */
  handle(which) {
    const element = make("div", { class: `handle ${which}`, "aria-hidden": "true", hidden: true });
    element.addEventListener("pointerdown", (event) => this.startDrag(element, which, event));
    element.addEventListener("pointermove", (event) => event.pointerId === this.drag?.pointer && this.move(event));
    element.addEventListener("pointercancel", (event) => event.pointerId === this.drag?.pointer && this.endDrag());
    element.addEventListener("pointerup", (event) => {
      if (event.pointerId !== this.drag?.pointer) return;
      const { moved } = this.drag;
      this.endDrag();
      if (!moved) this.passTapThrough(event);
    });
    return element;
  }

  /** @param {HTMLElement} element @param {"start" | "end"} which @param {PointerEvent} event */
  startDrag(element, which, event) {
    event.preventDefault();
    const run = this.run();
    if (!run || this.drag) return;
    const { side, first, last } = run;
    element.setPointerCapture(event.pointerId);
    this.store.dragging = true;
    const fixed = { a: [...this.store.selected.a], b: [...this.store.selected.b] };
    fixed[side] = fixed[side].filter((token) => token < first || token > last);
    const end = this.end(run, which);
    const grab = { x: event.clientX - end.x, y: event.clientY - (end.top + end.bottom) / 2 };
    const from = { x: event.clientX, y: event.clientY };
    const anchor = which === "start" ? last : first;
    this.drag = { fixed, anchor, side, which, pointer: event.pointerId, from, grab, moved: false };
    // The label bar makes room for the text under the finger.
    this.store.emit("selection");
  }

  /** A tap on a handle is meant for the word beneath it. @param {PointerEvent} event */
  passTapThrough({ clientX, clientY }) {
    for (const end of this.ends) end.hidden = true;
    const options = { bubbles: true, detail: 1, clientX, clientY };
    for (const type of ["mousedown", "mouseup"])
      document.elementFromPoint(clientX, clientY)?.dispatchEvent(new MouseEvent(type, options));
    this.place();
  }

  /** The run that the handles belong to: the one last drawn. @returns {Run | null} */
  run() {
    const { store } = this;
    const side = store.selection.active?.side ?? [store.cursor.side, ...SIDES].find((one) => store.selected[one].size);
    const run = side ? selection.lastRun(store.selection, side) : null;
    return side && run ? { side, first: run[0], last: run[1] } : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag, store, view } = this;
    if (!drag) return;
    // A shorter movement is a tap: a finger never lifts exactly where it touched down.
    if (Math.hypot(event.clientX - drag.from.x, event.clientY - drag.from.y) > 4) drag.moved = true;
    this.last = event;
    const y = event.clientY - drag.grab.y;
    const index = endAt(view, event.clientX - drag.grab.x, y, drag.side, drag.which);
    this.edge.at(view.scroller(drag.side), y, () => this.last && this.move(this.last));
    if (index === null || store.selection.active?.head === index) return;
    drag.moved = true;
    store.select({ fixed: drag.fixed, active: { side: drag.side, anchor: drag.anchor, head: index } });
    this.place();
  }

  endDrag() {
    if (!this.drag) return;
    this.drag = null;
    this.last = null;
    this.store.dragging = false;
    if (this.store.picked) this.actions.updatePicked();
    this.store.emit("selection");
  }

  /**
   * The position of an end of a run on the page: the edge of its word, in text direction.
   * @param {Run} run
   * @param {"start" | "end"} which
   */
  end(run, which) {
    const boxes = this.view.word(run.side, which === "start" ? run.first : run.last).getClientRects();
    const box = boxes[which === "start" ? 0 : boxes.length - 1];
    const right = (which === "end") !== (this.store.grids[run.side].direction === "rtl");
    return { x: right ? box.right : box.left, top: box.top, bottom: box.bottom };
  }

  /** Scroll the text until both handles are inside it; never during a drag. */
  scrollHandlesIntoView() {
    const run = this.store.readOnly || this.store.dragging ? null : this.run();
    if (!run) return;
    const scroller = this.view.scroller(run.side);
    const frame = scroller.getBoundingClientRect();
    const [start, end] = this.ends.map((one) => one.getBoundingClientRect());
    const below = Math.min(end.bottom - frame.bottom, start.top - frame.top);
    // What had been scrolled out of view before stays there.
    if (end.top - frame.bottom > end.height || start.bottom < frame.top) return;
    if (below > 0) scroller.scrollTop += Math.ceil(below);
    else if (start.top < frame.top) scroller.scrollTop -= Math.ceil(frame.top - start.top);
    this.place();
  }

  place() {
    const run = this.store.readOnly || (this.store.dragging && !this.drag) ? null : this.run();
    for (const end of this.ends) end.hidden = !run;
    if (!run) return;
    const frame = this.frame.getBoundingClientRect();
    const frames = [this.view.scroller(run.side), requireElement("texts")].map((one) => one.getBoundingClientRect());
    const [highest, lowest] = [Math.max(...frames.map((one) => one.top)), Math.min(...frames.map((one) => one.bottom))];
    const {
      cursor,
      selection: { active },
    } = this.store;
    const here = cursor.side === run.side && cursor.index >= run.first && cursor.index <= run.last;
    for (const [n, which] of /** @type {const} */ (["start", "end"]).entries()) {
      const { x, top, bottom } = this.end(run, which);
      const { style } = this.ends[n];
      style.left = `${x - frame.left}px`;
      style.top = `${top - frame.top}px`;
      style.setProperty("--line", `${bottom - top}px`);
      // The end that Shift+arrows move while the cursor is in the run; a single word grows at either end.
      this.ends[n].classList.toggle("moves", here && active?.head === (which === "start" ? run.first : run.last));
      // A hidden handle would lose the finger that drags it.
      this.ends[n].hidden = !this.drag && (bottom < highest || top > lowest);
    }
  }
}
