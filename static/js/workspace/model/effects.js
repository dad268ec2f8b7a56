/**
 * What every command would do now, decided by one pure function: commands act on its result and the footer shows it, so
 * the two cannot differ. An effect that begins with "no." changes nothing and names the reason.
 */

import { allowedShapes, spanWithTokens, splitSpan } from "./span-edits.js";
import { otherSide, SIDES } from "./spans.js";
import { removesTick } from "./ticks.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {Record<Side, boolean>} Sides */

/**
 * @typedef {object} Situation Everything that determines what a command does.
 * @property {boolean} over Whether a panel lies over the texts.
 * @property {boolean} readOnly
 * @property {boolean} labels Whether the scheme has labels.
 * @property {boolean} links Whether a span may have words on both sides.
 * @property {boolean} discontinuous Whether a span may have several fragments on a side.
 * @property {Sides} marks The sides that may be marked.
 * @property {Side} side The side of the cursor.
 * @property {boolean} within Whether the cursor is on a selected word.
 * @property {Sides | null} picked The sides on which the picked span has words; null: nothing is picked.
 * @property {boolean} single Whether the picked span has only one word.
 * @property {Sides} selected The sides on which words are selected.
 * @property {boolean} several Whether a label would turn the selection into several spans.
 * @property {boolean} existing Whether a span with exactly these words exists.
 * @property {"whole" | "changed" | null} suggestion Whether the selection is a suggestion's words, or some of them.
 * @property {boolean} predicted Whether a label is predicted for the suggestion.
 * @property {boolean} adding Whether the next words become a further fragment.
 * @property {boolean} awaiting Whether that was just requested, and nothing has been added since.
 * @property {boolean} onSpan Whether the cursor is on a span.
 * @property {boolean} spans Whether there are spans at all.
 * @property {boolean} splits Whether the span here can be split at the cursor.
 * @property {boolean} dismissible Whether there is a suggestion here to dismiss.
 * @property {boolean} open Whether a suggestion remains.
 * @property {boolean} shown Whether suggestions are shown.
 * @property {boolean} ticked Whether the cursor's row is ticked as read, so that the key unticks it.
 * @property {boolean} undo
 * @property {boolean} redo
 */

/**
 * The situation of a page. Expensive properties are computed on demand.
 * @param {import("./store.js").Store} store
 * @param {boolean} [over]
 * @returns {Situation}
 */
export function currentSituation(store, over = false) {
  const { scheme, selected, cursor, cover, history } = store;
  const { side, index } = cursor;
  const covering = cover.at(side, index);
  const span = store.picked ? cover.of(store.picked) : null;
  const at = store.picked ?? covering[covering.length - 1];
  const tokens = store.targetTokens();
  return {
    over,
    readOnly: store.readOnly,
    labels: scheme.labels.length > 0,
    links: scheme.links,
    discontinuous: scheme.discontinuous,
    marks: { a: store.canMark("a"), b: store.canMark("b") },
    side,
    within: selected[side].has(index),
    picked: span && { a: span.a.length > 0, b: span.b.length > 0 },
    single: span !== null && span.a.length + span.b.length === 1,
    selected: { a: selected.a.size > 0, b: selected.b.size > 0 },
    adding: store.adding,
    awaiting: store.awaiting,
    onSpan: covering.length > 0,
    spans: store.doc.spans.size > 0,
    shown: store.showSuggestions,
    undo: history.canUndo,
    redo: history.canRedo,
    get several() {
      return allowedShapes(tokens, scheme).length > 1;
    },
    get existing() {
      const all = allowedShapes(tokens, scheme);
      return all.length === 1 && spanWithTokens(store, all[0]) !== null;
    },
    get suggestion() {
      const suggested = store.suggestion ? store.suggestionsByKey.get(store.suggestion) : null;
      if (!suggested) return null;
      return SIDES.every((one) => String(suggested.tokens[one]) === String(tokens[one])) ? "whole" : "changed";
    },
    get predicted() {
      return Boolean(store.suggestionsByKey.get(store.suggestion ?? "")?.predicted);
    },
    get splits() {
      return at !== undefined && splitSpan(store, at, side, index).length > 0;
    },
    get dismissible() {
      return store.suggestion !== null || store.openSuggestions().some((one) => one.tokens[side].includes(index));
    },
    get ticked() {
      return removesTick(store);
    },
    get open() {
      return store.openSuggestions().length > 0;
    },
  };
}

/**
 * The rule for selecting words, the same for every device: what a drag, a double click, a tap or Shift+arrow does on a
 * side. Words on the side where the picked span has none are linked to it; otherwise they replace the selection on that
 * side, unless a fragment is being added.
 * @param {Situation} situation
 * @param {Side} side
 * @param {boolean} add Whether a fragment is being added: Ctrl is held, or the command was given.
 */
export function selectionEffect({ readOnly, marks, links, discontinuous, picked, selected }, side, add) {
  if (readOnly) return "no.change";
  if (!marks[side]) return "no.side";
  if (picked) {
    if (!picked[side] && (links || !picked[otherSide(side)])) return "span.join";
    return add && discontinuous && picked[side] ? "span.fragment" : "span.leave";
  }
  if (selected[side]) return add && discontinuous ? "select.fragment" : "select.replace";
  return selected[otherSide(side)] && links ? "select.link" : "select";
}

/** Whether selecting words keeps what was selected on the side. @param {string} effect */
export function keepsSelection(effect) {
  return effect === "span.join" || effect === "span.fragment" || effect === "select.fragment";
}

/** @typedef {(situation: Situation) => string} Rule */

/** Commands whose effect depends on the situation; all others always do what their name says. @type {Record<string, Rule>} */
const RULES = {
  label(now) {
    if (now.readOnly) return "no.change";
    if (now.picked) return "relabel";
    if (!now.selected.a && !now.selected.b && !now.marks[now.side]) return "no.side";
    if (now.existing) return "relabel.words";
    if (now.suggestion) return now.suggestion === "whole" ? "accept" : "accept.changed";
    if (now.several) return "mark.each";
    if (now.selected.a && now.selected.b) return "mark.link";
    return now.selected.a || now.selected.b ? "mark" : "mark.word";
  },
  extend(now) {
    const effect = selectionEffect(now, now.side, now.adding);
    if (effect.startsWith("no.")) return "move";
    if (!now.within) return effect;
    return now.picked ? "adjust.span" : now.suggestion ? "adjust.suggestion" : "adjust";
  },
  toggle(now) {
    const effect = selectionEffect(now, now.side, true);
    if (!now.within || effect.startsWith("no.")) return effect;
    if (now.picked) return now.single ? "remove" : "span.take";
    return "take";
  },
  fragment(now) {
    if (now.readOnly) return "no.change";
    if (!now.discontinuous) return "no.fragment";
    // Giving the command before every fragment keeps them all; only giving it twice in a row cancels it.
    if (now.adding && now.awaiting) return "fragment.off";
    return now.picked || now.selected.a || now.selected.b ? "fragment.on" : "no.words";
  },
  "end.other": (now) => (now.readOnly ? "no.change" : now.within ? "end.other" : "no.words"),
  paragraph: (now) => (now.readOnly ? "no.change" : now.marks[now.side] ? "paragraph" : "no.side"),
  escape(now) {
    if (now.over) return "close";
    if (now.picked) return "clear.span";
    return now.suggestion ? "clear.suggestion" : now.selected.a || now.selected.b ? "clear" : "no.selection";
  },
  open(now) {
    if (!now.readOnly && now.suggestion && now.predicted && !now.existing) return "accept.predicted";
    if (!now.readOnly && (now.picked || now.selected.a || now.selected.b)) return "bar";
    return now.onSpan ? "pick" : "no.span";
  },
  "span.next": (now) => (now.spans ? "span.next" : "no.span"),
  "span.previous": (now) => (now.spans ? "span.previous" : "no.span"),
  remove: (now) => (now.readOnly ? "no.change" : now.picked || now.onSpan ? "remove" : "no.span"),
  split(now) {
    if (now.readOnly) return "no.change";
    return now.picked || now.onSpan ? (now.splits ? "split" : "no.split") : "no.span";
  },
  comment: (now) => (now.readOnly ? "no.change" : now.picked || now.onSpan ? "comment" : "no.span"),
  undo: (now) => (!now.readOnly && now.undo ? "undo" : "no.undo"),
  redo: (now) => (!now.readOnly && now.redo ? "redo" : "no.redo"),
  "suggestion.next": (now) => (now.open ? "suggestion.next" : "no.suggestion"),
  "suggestion.previous": (now) => (now.open ? "suggestion.previous" : "no.suggestion"),
  "suggestion.dismiss"(now) {
    return now.readOnly ? "no.change" : now.dismissible ? "suggestion.dismiss" : "no.suggestion";
  },
  "read.tick": (now) => (now.ticked ? "read.untick" : "read.tick"),
  "suggestion.hide": (now) => (now.shown ? "suggestion.hide" : "suggestion.show"),
};

/**
 * What a command would do.
 * @param {string} command
 * @param {Situation} situation
 * @returns {string}
 */
export function effectOf(command, situation) {
  const name = command.startsWith("extend.") ? "extend" : command.startsWith("move.") ? "move" : command;
  return RULES[name]?.(situation) ?? name;
}
