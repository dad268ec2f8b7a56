/** The state of the page: the annotation, and what is selected, picked and hovered. Without DOM access. */

import { activateRun, EMPTY, isEmpty, tokensOn } from "./selection.js";
import { SIDES } from "./spans.js";
import { AnnotationModel } from "./annotation-model.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {{side: Side, index: number}} Position */
/** @typedef {"mouse" | "keyboard" | "touch"} Device */

export class Store extends AnnotationModel {
  /** @param {import("./types.js").Assignment} assignment */
  constructor(assignment) {
    super(assignment);
    /** @type {import("./types.js").Selection} */
    this.selection = EMPTY;
    /** @type {Record<Side, Set<number>>} The selected tokens. */
    this.selected = { a: new Set(), b: new Set() };
    /** @type {Record<Side, Set<number>>} The counterparts of the hovered word. */
    this.highlighted = { a: new Set(), b: new Set() };
    /** @type {Record<Side, Set<number>>} What the message that is written is about. */
    this.quoted = { a: new Set(), b: new Set() };
    /** @type {Position} */
    this.cursor = { side: this.scheme.sides[0] ?? "a", index: 0 };
    /** @type {string | null} The span that is being edited. */
    this.picked = null;
    /** @type {string | null} The span that was just marked: until the cursor moves, a label changes its label. */
    this.lastMarked = null;
    /** @type {Set<number>} The rows that the user, not time in view, has ticked as read. */
    this.tickedByUser = new Set();
    /** @type {string | null} The span that is hovered, in the texts or in the list. */
    this.hovered = null;
    /** @type {Position | null} */
    this.hoveredWord = null;
    /** @type {string | null} The key of the current suggestion. */
    this.suggestion = null;
    this.showSuggestions = true;
    /** Whether the next run adds a fragment without Ctrl being held (touch, keyboard). */
    this.adding = false;
    /** Whether that was just requested, and nothing has been added since. */
    this.awaiting = false;
    /** Whether a drag is under way. */
    this.dragging = false;
    /** What the dragged words will become: an effect of `effects.js`. */
    this.gesture = "";
    /** @type {Device} The input device in use: hints are given for it. */
    this.device = "mouse";
    this.on("doc", () => {
      if (this.picked && !this.doc.spans.has(this.picked)) this.pick(null);
      if (this.hovered && !this.doc.spans.has(this.hovered)) this.hover(null);
    });
  }

  /** @param {import("./types.js").Selection} selection */
  select(selection) {
    this.selection = selection;
    for (const side of SIDES) {
      const [was, is] = [this.selected[side], new Set(tokensOn(selection, side))];
      this.selected[side] = is;
      const touched = new Set([...was].filter((one) => !is.has(one)).concat([...is].filter((one) => !was.has(one))));
      if (touched.size) this.emit("touched", { [side]: touched });
    }
    // A suggestion stays current only while some of its words are selected.
    const suggested = this.suggestion ? this.suggestionsByKey.get(this.suggestion)?.tokens : null;
    if (suggested && !SIDES.some((side) => suggested[side].some((index) => this.selected[side].has(index))))
      this.suggest(null);
    this.emit("selection");
  }

  /**
   * The words that a label applies to if no span is picked: those selected, else the span just marked, else the word at
   * the cursor.
   * @returns {Record<Side, number[]>}
   */
  targetTokens() {
    const { cursor, cover, lastMarked, selection } = this;
    if (!isEmpty(selection)) return { a: tokensOn(selection, "a"), b: tokensOn(selection, "b") };
    if (lastMarked && this.doc.spans.has(lastMarked))
      return { a: [...cover.of(lastMarked).a], b: [...cover.of(lastMarked).b] };
    return { a: cursor.side === "a" ? [cursor.index] : [], b: cursor.side === "b" ? [cursor.index] : [] };
  }

  /** Whether the next words become a further fragment. @param {boolean} adding @param {boolean} [awaiting] */
  setAdding(adding, awaiting = false) {
    if (this.adding === adding && this.awaiting === awaiting) return;
    this.adding = adding;
    this.awaiting = awaiting;
    this.emit("selection");
  }

  /** @param {Device} device */
  setDevice(device) {
    if (this.device === device) return;
    this.device = device;
    this.emit("controls");
  }

  /** The effect of the current drag. @param {boolean} dragging @param {string} [gesture] */
  setDragging(dragging, gesture = "") {
    this.dragging = dragging;
    this.gesture = gesture;
    this.emit("controls");
  }

  /** @param {Side} side @param {number} index */
  moveTo(side, index) {
    const before = this.cursor;
    this.cursor = { side, index: Math.max(0, Math.min(this.grids[side].count - 1, index)) };
    if (before.side !== side || before.index !== this.cursor.index) this.lastMarked = null;
    const selection = activateRun(this.selection, this.cursor);
    if (selection !== this.selection) this.select(selection);
    this.emit("cursor", before);
  }

  /** @param {string | null} id */
  pick(id) {
    if (this.picked === id) return;
    const before = this.picked;
    this.picked = id;
    for (const one of [before, id]) if (one) this.emit("touched", this.cover.of(one));
    this.emit("picked", before);
  }

  /** @param {string | null} id */
  hover(id) {
    if (this.hovered === id) return;
    const before = this.hovered;
    this.hovered = id;
    for (const one of [before, id]) if (one) this.emit("touched", this.cover.of(one));
    this.emit("hover", before);
  }

  /**
   * Hover a word (or none): its counterparts on the other side and its span are highlighted.
   * @param {Position | null} position
   */
  hoverWord(position) {
    if (position?.side === this.hoveredWord?.side && position?.index === this.hoveredWord?.index) return;
    this.hoveredWord = position;
    const opposite = position && this.showSuggestions ? this.counterparts.get(position.side, position.index) : [];
    this.highlight({ a: position?.side === "b" ? opposite : [], b: position?.side === "a" ? opposite : [] });
    const ids = position ? this.cover.at(position.side, position.index) : [];
    this.hover(ids[ids.length - 1] ?? null);
    this.emit("pointed");
  }

  /** Highlight some words, and no others. @param {Record<Side, readonly number[]>} tokens */
  highlight(tokens) {
    this.updateTokens(this.highlighted, tokens);
  }

  /** Show what a message is about; it stays, whatever is selected. @param {Record<Side, readonly number[]>} tokens */
  quote(tokens) {
    this.updateTokens(this.quoted, tokens);
  }

  /** @param {Record<Side, Set<number>>} shown @param {Record<Side, readonly number[]>} tokens */
  updateTokens(shown, tokens) {
    for (const side of SIDES) {
      const [was, is] = [shown[side], new Set(tokens[side])];
      shown[side] = is;
      if (was.size || is.size) this.emit("touched", { [side]: new Set([...was, ...is]) });
    }
  }

  /** @param {string | null} key */
  suggest(key) {
    if (this.suggestion === key) return;
    const before = this.suggestion;
    this.suggestion = key;
    for (const one of [before, key]) if (one) this.emit("touched", this.suggestionsByKey.get(one)?.tokens ?? {});
    this.emit("suggestion");
  }
}
