/** The two handles of a selection: dragged by finger or mouse, they move its ends, word by word. */

import { make, need } from "./dom.js";
import { wordAt } from "./hit.js";
import * as selection from "./selection.js";
import { SIDES } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */

/** How far above the finger the word is that it means, in pixels: the handle hangs below its line. */
const REACH = 22;

export class Handles {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./render.js").View} view
   * @param {import("./actions.js").Actions} actions
   */
  constructor(store, view, actions) {
    this.store = store;
    this.view = view;
    this.actions = actions;
    this.frame = need("main");
    this.ends = [this.handle("start"), this.handle("end")];
    this.frame.append(...this.ends);
    for (const topic of /** @type {const} */ (["selection", "picked", "doc"])) store.on(topic, () => this.place());
  }

  /** @param {"start" | "end"} which */
  handle(which) {
    const element = make("div", { class: `handle ${which}`, "aria-hidden": "true", hidden: true });
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const run = this.run();
      if (!run) return;
      const { side, first, last } = run;
      element.setPointerCapture(event.pointerId);
      this.store.dragging = true;
      const kept = { a: [...this.store.selected.a], b: [...this.store.selected.b] };
      kept[side] = kept[side].filter((token) => token < first || token > last);
      this.base = { fixed: kept, anchor: which === "start" ? last : first, side };
    });
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) element.addEventListener(type, () => this.done());
    return element;
  }

  /** The run that the handles belong to: the one last drawn. @returns {{side: Side, first: number, last: number} | null} */
  run() {
    const { store } = this;
    const side = store.selection.active?.side ?? [store.cursor.side, ...SIDES].find((one) => store.selected[one].size);
    const run = side ? selection.lastRun(store.selection, side) : null;
    return side && run ? { side, first: run[0], last: run[1] } : null;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { base, store } = this;
    if (!base) return;
    const place = wordAt(this.view, event.clientX, event.clientY - REACH, base.side);
    if (!place || store.selection.active?.head === place.index) return;
    store.select({ fixed: base.fixed, active: { side: base.side, anchor: base.anchor, head: place.index } });
    this.place();
  }

  done() {
    if (!this.base) return;
    this.base = null;
    this.store.dragging = false;
    if (this.store.picked) this.actions.follow();
    this.store.emit("selection");
  }

  /** @type {{fixed: Record<Side, number[]>, anchor: number, side: Side} | null} */
  base = null;

  place() {
    const run = this.store.readOnly || (this.store.dragging && !this.base) ? null : this.run();
    for (const end of this.ends) end.hidden = !run;
    if (!run) return;
    const frame = this.frame.getBoundingClientRect();
    const window = this.view.scroller(run.side).getBoundingClientRect();
    const backwards = this.store.grids[run.side].direction === "rtl";
    [run.first, run.last].forEach((token, n) => {
      const boxes = this.view.word(run.side, token).getClientRects();
      const box = boxes[n ? boxes.length - 1 : 0];
      const x = (n === 1) !== backwards ? box.right : box.left;
      this.ends[n].style.left = `${x - frame.left}px`;
      this.ends[n].style.top = `${box.top - frame.top}px`;
      this.ends[n].style.height = `${box.height}px`;
      this.ends[n].hidden = box.bottom < window.top || box.top > window.bottom;
    });
  }
}
