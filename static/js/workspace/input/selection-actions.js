/** The selection and the picked span, and how they change: by one rule for every input device. */

import { currentSituation, effectOf, keepsSelection, selectionEffect } from "../model/effects.js";
import { reshapeSpan } from "../model/span-edits.js";
import { kindText } from "../view/phrases.js";
import { format, gettext, ngettext } from "../../gettext.js";
import * as selection from "../model/selection.js";
import { quote, SIDES, wordCount } from "../model/spans.js";

/** @typedef {import("../model/types.js").Side} Side */
/** @typedef {import("../model/store.js").Store} Store */

/** Why a command does nothing now, by its effect. @type {Record<string, string>} */
export const REFUSALS = {
  "no.change": gettext("This pair can't be changed now"),
  "no.side": gettext("This side can't be marked"),
  "no.fragment": gettext("In this scheme, a span is a single sequence of words"),
  "no.words": gettext("Nothing is selected at the cursor"),
  "no.selection": gettext("Nothing is selected"),
  "no.span": gettext("No span here"),
  "no.split": gettext("Put the cursor on a later word of the span to split it there"),
  "no.suggestion": gettext("No more suggestions"),
  "no.undo": gettext("Nothing to undo"),
  "no.redo": gettext("Nothing to redo"),
};

export class SelectionActions {
  /**
   * @param {Store} store
   * @param {(words: string, refused?: boolean) => void} say Announces to screen readers; refusals are also shown.
   */
  constructor(store, say) {
    this.store = store;
    this.say = say;
  }

  /** The effect of a command now; if there is none, the reason is announced. @param {string} command @returns {string | null} */
  effect(command) {
    const effect = effectOf(command, currentSituation(this.store));
    if (!effect.startsWith("no.")) return effect;
    this.say(REFUSALS[effect], true);
    return null;
  }

  /**
   * Start selecting words on a side, by the rule for every device.
   * @param {Side} side
   * @param {number} anchor
   * @param {number} head
   * @param {boolean} add Whether a fragment is being added.
   * @returns {string} its effect
   */
  beginSelection(side, anchor, head, add) {
    const { store } = this;
    const effect = selectionEffect(currentSituation(store), side, add);
    if (effect.startsWith("no.")) return effect;
    if (effect === "span.leave") this.clear();
    store.select(selection.beginRun(store.selection, side, anchor, head, keepsSelection(effect)));
    if (store.adding) store.setAdding(true);
    return effect;
  }

  /**
   * Extend the selection from the cursor to a word, as Shift with an arrow or a click does.
   * @param {number} index
   * @param {boolean} [gesture] Whether steps may be joined.
   * @returns {boolean} whether words can be selected here
   */
  extendTo(index, gesture = false) {
    const { store } = this;
    const { side, index: from } = store.cursor;
    const effect = effectOf("extend", currentSituation(store));
    if (effect === "move") return false;
    if (effect.startsWith("adjust"))
      store.select(
        selection.mergeTouchingRuns(selection.extendRun(selection.mergeTouchingRuns(store.selection), index)),
      );
    else if (!this.beginSelection(side, from, index, store.adding).startsWith("no."))
      store.select(selection.mergeTouchingRuns(store.selection));
    if (store.picked) this.updatePicked(gesture);
    return true;
  }

  /** The user changed the selection: update the picked span. @param {boolean} [gesture] Whether steps may be joined. */
  updatePicked(gesture = false) {
    const { store } = this;
    const id = store.picked;
    if (!id || store.readOnly) return;
    const tokens = { a: selection.tokensOn(store.selection, "a"), b: selection.tokensOn(store.selection, "b") };
    const was = store.cover.of(id);
    if (!store.commit(reshapeSpan(store, id, tokens), { group: gesture ? `reshape ${id}` : "" })) return;
    if (!store.span(id)) this.clear();
    if (!store.span(id)) return this.say(gettext("Deleted"));
    const is = store.cover.of(id);
    // If the scheme makes several spans of the words, the picked one keeps only some of them.
    if (SIDES.some((side) => String(is[side]) !== String(tokens[side])))
      store.select(selection.selectionOf(is, store.cursor));
    if (SIDES.some((side) => is[side].length && !was[side].length))
      this.announceSpan(gettext("Linked, {label}: {words}"), id);
    else {
      const n = wordCount(is);
      this.say(format(ngettext("{n} word", "{n} words", n), { n }));
    }
  }

  /** Pick a span to edit: its words become the selection. @param {string | null} id */
  pick(id) {
    const { store } = this;
    store.setAdding(false);
    store.suggest(null);
    if (!id) {
      if (store.picked) this.clear();
      return;
    }
    store.pick(id);
    const tokens = store.cover.of(id);
    store.select(selection.selectionOf(tokens, store.cursor));
    this.announceSpan(gettext("Picked {label}, {kind}: {words}"), id);
  }

  /** Pick the span at the cursor; if repeated, the one below it. */
  pickHere() {
    const { side, index } = this.store.cursor;
    const ids = [...this.store.cover.at(side, index)].reverse();
    if (!ids.length) return false;
    this.pick(ids[(ids.indexOf(this.store.picked ?? "") + 1) % ids.length]);
    return true;
  }

  /** Clear the selection, the picked span and the current suggestion. */
  clear() {
    const { store } = this;
    store.setAdding(false);
    store.lastMarked = null;
    store.pick(null);
    store.suggest(null);
    store.select(selection.EMPTY);
  }

  /** Toggle the word at the cursor in the picked span, or in a selection that stays while the cursor moves. */
  toggle() {
    const { store } = this;
    const { side, index } = store.cursor;
    const effect = this.effect("toggle");
    if (!effect) return;
    if (effect === "span.leave" || effect === "select.replace") this.beginSelection(side, index, index, false);
    else store.select(selection.toggleToken(store.selection, side, index));
    store.setAdding(store.scheme.discontinuous && !selection.isEmpty(store.selection));
    if (store.picked) this.updatePicked();
    else {
      const text = store.selected[side].has(index) ? gettext("{word} added") : gettext("{word} removed");
      this.say(format(text, { word: store.grids[side].word(index) }));
    }
  }

  /** The next words become another fragment; given twice in a row, this is cancelled. */
  toggleAdding() {
    const effect = this.effect("fragment");
    if (!effect) return;
    this.store.setAdding(effect === "fragment.on", effect === "fragment.on");
    this.say(
      effect === "fragment.on"
        ? gettext("The next words are added as a fragment")
        : gettext("Fragments are no longer added"),
    );
  }

  /** Make the other end of the run the moving one. @returns {number | null} its word */
  otherEnd() {
    const { store } = this;
    if (!this.effect("end.other")) return null;
    store.select(selection.swapEnds(selection.mergeTouchingRuns(store.selection)));
    return store.selection.active?.head ?? null;
  }

  /** Announce a span. @param {string} text With placeholders for its label, its words and its kind. @param {string} id
   */
  announceSpan(text, id) {
    const { store } = this;
    const span = store.span(id);
    if (!span) return;
    const words = SIDES.map((side) => quote(span, side, store.grids[side]))
      .filter(Boolean)
      .join(" – ");
    this.say(format(text, { label: store.label(span.label)?.name ?? span.label, words, kind: kindText(store, span) }));
  }
}
