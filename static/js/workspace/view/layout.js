/** The layout of the two texts: in rows on one sheet, in separately scrolling columns, or above each other on a phone. */

import { requireElement } from "./dom.js";
import { LinkedScrolling, scrollIntoView } from "./scrolling.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */

const NARROW = matchMedia("(max-width: 640px)");

export class Layout {
  /**
   * @param {import("./render.js").View} view
   * @param {import("../input/preferences.js").Preferences} preferences
   * @param {() => void} moved Repositions what lies over the texts.
   */
  constructor(view, preferences, moved) {
    this.view = view;
    this.onMoved = moved;
    /** Whether the texts scroll separately only to show the current link. */
    this.separatedForLink = false;
    this.preferences = preferences;
    this.linkedScrolling = new LinkedScrolling(view);
    this.divider = requireElement("divider");
    requireElement("texts").addEventListener("scroll", moved, { passive: true, capture: true });
    // Anything that moves words: the window, the list next to the texts, a different size or typeface. Observed after
    // layout.
    const resized = new ResizeObserver(moved);
    for (const element of [requireElement("texts"), view.sheet, view.columns.a, view.columns.b])
      resized.observe(element);
    document.fonts.addEventListener("loadingdone", moved);
    addEventListener("resize", moved);
    NARROW.addEventListener("change", () => {
      this.apply();
      moved();
    });
    preferences.on(() => {
      this.apply();
      // Only after all other listeners have run.
      requestAnimationFrame(moved);
    });
    /** Where the bar was grabbed. */
    this.grabOffset = 0;
    this.divider.addEventListener("pointerdown", (event) => {
      this.divider.setPointerCapture(event.pointerId);
      this.grabOffset = event.clientY - this.divider.getBoundingClientRect().top;
    });
    this.divider.addEventListener("pointermove", (event) => this.drag(event));
    this.divider.addEventListener("pointerup", () => preferences.set("split", Math.round(this.share)));
    this.divider.addEventListener("keydown", (event) => this.onKey(event));
    this.share = preferences.values.split;
    view.store.on("picked", () => view.store.picked || this.realign());
  }

  apply() {
    const { together, split } = this.preferences.values;
    this.separatedForLink = false;
    this.view.sheet.classList.toggle("apart", NARROW.matches || !together);
    this.linkedScrolling.on = together;
    this.divider.setAttribute("aria-valuenow", String(Math.round(split)));
  }

  /**
   * Scroll both ends of a link into view. If they are too far apart for rows to show both, the texts scroll separately
   * until the span is left.
   * @param {Record<Side, readonly number[]>} tokens
   */
  showBothEnds(tokens) {
    const { view } = this;
    const [a, b] = SIDES.map((side) => view.word(side, tokens[side][0]));
    if (!a || !b) return;
    const rows = !view.sheet.classList.contains("apart");
    const apart = Math.abs(a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    if (rows && apart < view.scroller("a").clientHeight * 0.6) return;
    if (rows) {
      this.separatedForLink = true;
      view.sheet.classList.add("apart");
    }
    // Otherwise scrolling one side would move the other away from its end.
    this.linkedScrolling.on = false;
    // Content that was out of view gets its true height only once it is shown: the second pass is exact.
    for (const side of [...SIDES, ...SIDES]) scrollIntoView(view.word(side, tokens[side][0]), view.scroller(side));
    this.onMoved();
  }

  /** Nothing is picked any more: align the rows again, with the cursor at the same position in the window. */
  realign() {
    const { together } = this.preferences.values;
    const { separatedForLink, view } = this;
    this.linkedScrolling.on = together;
    if (!separatedForLink) return;
    const { side, index } = view.store.cursor;
    const word = view.word(side, index);
    const height = word?.getBoundingClientRect().top;
    this.apply();
    const scroller = view.scroller(side);
    for (let n = 0; n < 2; n += 1) if (word) scroller.scrollTop += word.getBoundingClientRect().top - height;
    this.onMoved();
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.divider.hasPointerCapture(event.pointerId)) return;
    const frame = this.view.sheet.getBoundingClientRect();
    this.share = Math.min(85, Math.max(15, ((event.clientY - this.grabOffset - frame.top) / frame.height) * 100));
    document.documentElement.style.setProperty("--split", `${this.share}%`);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = event.key === "ArrowUp" ? -5 : event.key === "ArrowDown" ? 5 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.share = Math.min(85, Math.max(15, this.preferences.values.split + step));
    this.preferences.set("split", this.share);
  }
}
