/** The user's actions on spans, announced in words. Every action leaves the focus where the next one starts. */

import { commentOnSpan, markTokens, relabelSpan, removeSpan, splitSpan, strongestLabel } from "../model/span-edits.js";
import { format, gettext } from "../../gettext.js";
import { SelectionActions } from "./selection-actions.js";
import * as selection from "../model/selection.js";
import { SIDES } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/types.js").Patch} Patch */

export class Actions extends SelectionActions {
  /**
   * Label the picked span, the selection, the span just marked, or the word at the cursor.
   * @param {string} key
   * @param {boolean} [pick] Whether an accepted suggestion is picked then: so that the next key, too, is about it. Not
   * after a click, since a drag in the other text would then link words to it.
   */
  label(key, pick = false) {
    const { store } = this;
    const effect = this.effect("label");
    if (!effect) return;
    if (effect !== "relabel" || !store.picked) {
      const id = this.mark(key);
      if (id && pick && effect.startsWith("accept")) this.pickSilently(id);
    } else if (store.commit(relabelSpan(store, store.picked, key)))
      this.announceSpan(gettext("Now {label}: {words}"), store.picked);
  }

  /** Mark the selection, or the word at the cursor. @param {string} key @returns {string | null} The id of the span. */
  mark(key) {
    const { store } = this;
    const chosen = store.targetTokens();
    const origin = this.origin(chosen);
    const predicted = origin === "manual" ? "" : store.suggestionsByKey.get(store.suggestion ?? "")?.predicted;
    const patch = markTokens(store, chosen, key, origin, predicted);
    this.clear();
    if (!store.commit(patch)) return null;
    store.lastMarked = markedSpan(patch);
    // Announce first what other spans lost.
    const last = patch.findLast((change) => change.kind === "span" && change.after);
    if (last)
      this.announceSpan(
        last.kind === "span" && last.before
          ? gettext("Now {label}: {words}")
          : gettext("Marked {label}, {kind}: {words}"),
        last.id,
      );
    return last?.id ?? null;
  }

  /** Accept the current suggestion with the label predicted for it. The span is picked: a label's key changes the label. */
  accept() {
    const { store } = this;
    const predicted = store.suggestionsByKey.get(store.suggestion ?? "")?.predicted;
    const id = predicted ? this.mark(predicted) : null;
    if (id) this.pickSilently(id);
  }

  /** Pick a span that was just made, which has been announced. @param {string} id */
  pickSilently(id) {
    const { store } = this;
    store.pick(id);
    store.select(selection.selectionOf(store.cover.of(id), store.cursor));
  }

  /**
   * The origin of a span: a suggestion accepted unchanged, an edited one, or none.
   * @param {Record<Side, number[]>} chosen
   */
  origin(chosen) {
    const suggestion = this.store.suggestionsByKey.get(this.store.suggestion ?? "");
    if (!suggestion) return "manual";
    if (SIDES.every((side) => String(suggestion.tokens[side]) === String(chosen[side]))) return "accepted";
    return SIDES.some((side) => suggestion.tokens[side].some((index) => chosen[side].includes(index)))
      ? "edited"
      : "manual";
  }

  /** The span that a command applies to: the picked one, else the topmost at the cursor. */
  targetSpan() {
    const { picked, cover, cursor } = this.store;
    return picked ?? cover.at(cursor.side, cursor.index).slice(-1)[0] ?? "";
  }

  remove() {
    const { store } = this;
    if (!this.effect("remove") || !store.commit(removeSpan(store, this.targetSpan()))) return;
    this.clear();
    this.say(gettext("Deleted"));
  }

  /** Save the comment on the picked span while it is typed. @param {string} words */
  comment(words) {
    const { store } = this;
    if (store.picked)
      store.commit(commentOnSpan(store, store.picked, words.trim()), { group: `comment ${store.picked}` });
  }

  /** A finished comment is announced, not every letter of it. */
  announceComment() {
    this.say(gettext("Comment saved"));
  }

  split() {
    const { store } = this;
    const { side, index } = store.cursor;
    if (!this.effect("split") || !store.commit(splitSpan(store, this.targetSpan(), side, index))) return;
    this.clear();
    this.say(gettext("Split in two"));
  }

  /** Mark the whole paragraph at the cursor, which has no counterpart, with the strongest label. */
  paragraph() {
    const { store } = this;
    const { side, index } = store.cursor;
    const label = strongestLabel(store.scheme);
    if (!this.effect("paragraph") || !label) return;
    const [from, to] = store.grids[side].paragraphTokens[store.grids[side].paragraphOf(index)];
    const tokens = Array.from({ length: to - from }, (_, n) => from + n);
    const patch = markTokens(store, side === "a" ? { a: tokens, b: [] } : { a: [], b: tokens }, label.key);
    this.clear();
    if (!store.commit(patch)) return;
    store.lastMarked = markedSpan(patch);
    this.say(format(gettext("Whole paragraph marked {label}"), { label: label.name }));
  }

  /** @param {"undo" | "redo"} which @returns {Patch | null} */
  history(which) {
    if (!this.effect(which)) return null;
    this.clear();
    this.say(which === "undo" ? gettext("Undone") : gettext("Redone"));
    return this.store[which]();
  }
}

/** The span that a patch of marks is about; null if it is about several: what others lost comes first. @param {Patch} patch */
function markedSpan(patch) {
  const news = patch.filter((change) => change.kind === "span" && change.after && !change.before);
  const [only, ...others] = news.length ? news : patch;
  return only?.kind === "span" && !others.length ? only.id : null;
}
