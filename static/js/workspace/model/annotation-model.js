/**
 * The annotator's document and its two texts: every change is applied here, recorded in the journal, put on the undo
 * stack, and announced to listeners with the tokens it affects. Without DOM access.
 */

import { Counterparts, rowIndex, rowsOf } from "./alignment.js";
import { Cover } from "./cover.js";
import { Grid } from "./grid.js";
import { History } from "./history.js";
import { applyPatch, docOf, serializeDoc } from "./patches.js";
import { SIDES, textOrder } from "./spans.js";
import { isOpen, suggestionsOf } from "./suggestions.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {"doc" | "selection" | "cursor" | "picked" | "hover" | "suggestion" | "view" | "controls" | "pointed" | "touched"} Topic */

export class AnnotationModel {
  /** @param {import("./types.js").Assignment} assignment */
  constructor(assignment) {
    const { pair, annotation, highlights } = assignment;
    this.assignment = assignment;
    this.scheme = assignment.project.scheme;
    /** @type {Record<Side, Grid>} */
    this.grids = { a: new Grid(pair.a), b: new Grid(pair.b) };
    this.rows = rowsOf(assignment.paragraph_alignment, this.grids.a.paragraphs.length, this.grids.b.paragraphs.length);
    this.rowOf = { a: rowIndex(this.rows, "a"), b: rowIndex(this.rows, "b") };
    this.order = textOrder((side, start) => this.rowAt(side, start));
    /** @type {import("./types.js").DisputedRegion[]} In adjudication: leaving one of them unmarked is a decision. */
    this.regions = (assignment.adjudication?.regions ?? []).map(({ key, versions, proposed }) => ({
      key,
      spans: [...versions.flatMap(({ spans }) => spans), ...proposed],
    }));
    this.doc = docOf(annotation);
    this.cover = new Cover(this.grids);
    for (const span of this.doc.spans.values()) this.cover.set(span.id, span);
    this.history = new History();
    this.counterparts = new Counterparts(highlights?.edges ?? []);
    /** @type {import("./suggestions.js").Suggestion[] | null} */
    this.cachedSuggestions = null;
    /** @type {Map<string, import("./suggestions.js").Suggestion> | null} */
    this.cachedByKey = null;
    /** @type {Record<Side, Map<number, number>> | null} */
    this.cachedLevels = null;
    /** @type {Record<Side, Set<number>>} Tokens of dismissed suggestions. */
    this.dismissedTokens = { a: new Set(), b: new Set() };
    for (const key of this.doc.dismissed) this.setDismissed(this.suggestionsByKey.get(key), true);
    this.readOnly = false;
    /** @type {import("../sync/journal.js").Journal | null} */
    this.journal = null;
    /** @type {Map<Topic, ((detail: any) => void)[]>} */
    this.listeners = new Map();
  }

  /** The suggestions, computed on first use. */
  get suggestions() {
    const { highlights } = this.assignment;
    this.cachedSuggestions ??= highlights
      ? suggestionsOf(highlights, this.grids, this.scheme.sides, (side, start) => this.rowAt(side, start))
      : [];
    return this.cachedSuggestions;
  }

  /** The suggestions by their keys. */
  get suggestionsByKey() {
    this.cachedByKey ??= new Map(this.suggestions.map((one) => [one.key, one]));
    return this.cachedByKey;
  }

  /** The level of each suggested token, from 1 to 3: how heavily it is underlined. */
  get levels() {
    if (!this.cachedLevels) {
      this.cachedLevels = { a: new Map(), b: new Map() };
      for (const { tokens, level } of this.suggestions)
        for (const side of SIDES) for (const index of tokens[side]) this.cachedLevels[side].set(index, level);
    }
    return this.cachedLevels;
  }

  /** @param {Topic} topic @param {(detail: any) => void} listener */
  on(topic, listener) {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /** @param {Topic} topic @param {unknown} [detail] */
  emit(topic, detail) {
    for (const listener of this.listeners.get(topic) ?? []) listener(detail);
  }

  /**
   * The row at a code point offset.
   * @param {Side} side
   * @param {number} start
   */
  rowAt(side, start) {
    const grid = this.grids[side];
    return this.rowOf[side][grid.paragraphOf(grid.touched([start, start + 1])[0])] ?? 0;
  }

  /** Whether a side may be marked. @param {Side} side */
  canMark(side) {
    return this.scheme.sides.includes(side) && this.scheme.labels.length > 0;
  }

  /** @param {string} id */
  span(id) {
    return this.doc.spans.get(id) ?? null;
  }

  /** @param {string} key */
  label(key) {
    return this.scheme.labels.find((label) => label.key === key) ?? null;
  }

  /** The label of a span, if its key is one of the scheme's. @param {string} id */
  labelOf(id) {
    return this.label(this.span(id)?.label ?? "");
  }

  /** The document as it is sent. */
  serialize() {
    return serializeDoc(this.doc, this.order);
  }

  openSuggestions() {
    return this.suggestions.filter((one) => isOpen(one, this.doc.dismissed, this.cover));
  }

  /** The dismissed suggestions that this run still has. */
  dismissedSuggestions() {
    return this.suggestions.filter((one) => this.doc.dismissed.has(one.key));
  }

  /**
   * Make a change. `group` joins close steps into one undo step; a `silent` change is recorded and saved, but is not an
   * undo step.
   * @param {Patch} patch
   * @param {{group?: string, silent?: boolean}} [how]
   */
  commit(patch, { group = "", silent = false } = {}) {
    if (!patch.length || this.readOnly) return false;
    if (!silent) this.history.push(patch, group);
    this.applyPatch(patch, true);
    return true;
  }

  /** @returns {Patch | null} the patch that undid the last step */
  undo() {
    return this.applyStep(this.readOnly ? null : this.history.undo());
  }

  /** @returns {Patch | null} the patch that redid it */
  redo() {
    return this.applyStep(this.readOnly ? null : this.history.redo());
  }

  /** @param {Patch | null} patch */
  applyStep(patch) {
    if (patch) this.applyPatch(patch, true);
    return patch;
  }

  /**
   * @param {Patch} patch
   * @param {boolean} record Whether to record it in the journal: not if it comes from there.
   */
  applyPatch(patch, record) {
    applyPatch(this.doc, patch);
    if (record) this.journal?.append(patch);
    /** @type {Record<Side, Set<number>>} */
    const touched = { a: new Set(), b: new Set() };
    for (const change of patch) {
      if (change.kind === "dismissed") {
        const suggestion = this.suggestionsByKey.get(change.id);
        this.setDismissed(suggestion, change.after);
        for (const side of SIDES) for (const index of suggestion?.tokens[side] ?? []) touched[side].add(index);
      } else if (change.kind === "span") {
        const tokens = this.cover.set(change.id, change.after);
        for (const side of SIDES) for (const index of tokens[side]) touched[side].add(index);
      }
    }
    this.emit("touched", touched);
    this.emit("doc", patch);
  }

  /**
   * @param {import("./suggestions.js").Suggestion | undefined} suggestion
   * @param {boolean} aside
   */
  setDismissed(suggestion, aside) {
    for (const side of SIDES)
      for (const index of suggestion?.tokens[side] ?? [])
        if (aside) this.dismissedTokens[side].add(index);
        else this.dismissedTokens[side].delete(index);
  }
}
