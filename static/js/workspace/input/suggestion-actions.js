/** Going through a model's suggestions: view one, accept it as a span, edit it first, or dismiss it. */

import { format, gettext, ngettext } from "../../gettext.js";
import * as selection from "../model/selection.js";
import { fragmentsOf, quote, SIDES } from "../model/spans.js";
import { isOpen } from "../model/suggestions.js";

/** @typedef {import("../model/types.js").Side} Side */

export class SuggestionActions {
  /**
   * @param {import("../model/store.js").Store} store
   * @param {import("./cursor.js").Cursor} cursor
   * @param {import("./actions.js").Actions} actions
   * @param {import("../view/paint.js").Painter} painter
   * @param {(words: string, refused?: boolean) => void} say
   */
  constructor(store, cursor, actions, painter, say) {
    this.store = store;
    this.cursor = cursor;
    this.actions = actions;
    this.painter = painter;
    this.say = say;
  }

  /** Go to the next (1) or previous (-1) open suggestion, from the current one or from the cursor. @param {number} step */
  step(step) {
    const { store } = this;
    if (!store.showSuggestions) this.toggleVisible();
    const all = store.suggestions;
    let at = all.findIndex((one) => one.key === store.suggestion);
    if (at < 0) {
      const { side, index } = store.cursor;
      const start = store.grids[side].tokens[index]?.[0] ?? 0;
      const row = store.rowAt(side, start);
      // In a row, side A comes before side B.
      const after = all.findIndex(({ fragments: [first] }) => {
        const otherRow = store.rowAt(first.side, first.start);
        return (
          otherRow > row || (otherRow === row && (first.side > side || (first.side === side && first.start >= start)))
        );
      });
      at = after < 0 ? (step > 0 ? -1 : all.length) : step > 0 ? after - 1 : after;
    }
    for (let n = 0; n < all.length; n += 1) {
      at = (at + step + all.length) % all.length;
      if (isOpen(all[at], store.doc.dismissed, store.cover)) return this.show(all[at].key);
    }
    this.say(gettext("No more suggestions"), true);
  }

  /**
   * View a suggestion: its words are selected, so that a label accepts it and Shift+arrows change it.
   * @param {string} key
   * @param {{side: Side, index: number} | null} [at] The word that was clicked, if any, which is already in view.
   */
  show(key, at = null) {
    const { store } = this;
    const one = store.suggestionsByKey.get(key);
    if (!one) return;
    this.actions.clear();
    const side = at?.side ?? /** @type {Side} */ (SIDES.find((candidate) => one.tokens[candidate].length));
    if (at) this.cursor.place(at.side, at.index, { reveal: false });
    else this.cursor.place(side, one.tokens[side][0]);
    store.suggest(key);
    if (!store.readOnly)
      store.select(selection.selectionOf(one.tokens, { side, index: one.tokens[side][one.tokens[side].length - 1] }));
    const fragments = fragmentsOf(one.tokens, store.grids);
    this.say(format(gettext("Suggested: {words}"), { words: quote({ fragments }, side, store.grids[side]) }));
  }

  /** Dismiss the suggestion (the current one, or the one at the cursor) and go to the next. */
  dismiss() {
    const { store } = this;
    const { side, index } = store.cursor;
    const one =
      store.suggestionsByKey.get(store.suggestion ?? "") ??
      store.openSuggestions().find(({ tokens }) => tokens[side].includes(index));
    if (!one || store.readOnly) return this.say(gettext("No more suggestions"), true);
    this.deselect();
    store.commit([{ kind: "dismissed", id: one.key, before: false, after: true }]);
    this.say(gettext("Dismissed"));
    this.step(1);
  }

  /** Restore dismissed suggestions, as one undo step. @param {readonly string[]} keys */
  restore(keys) {
    const { store } = this;
    const dismissed = keys.filter((key) => store.doc.dismissed.has(key));
    if (!store.commit(dismissed.map((id) => ({ kind: "dismissed", id, before: true, after: false })))) return;
    const n = dismissed.length;
    this.say(format(ngettext("{n} suggestion restored", "{n} suggestions restored", n), { n }));
  }

  /** Leave the current suggestion and deselect its words. */
  deselect() {
    if (!this.store.suggestion) return;
    this.store.suggest(null);
    this.store.select(selection.EMPTY);
  }

  /** Hide or show all of the model's highlights and suggestions. */
  toggleVisible() {
    const { store } = this;
    const open = store.openSuggestions().length;
    // Hidden suggestions can always be shown again; without any, there is nothing to hide.
    if (store.showSuggestions && !open && !this.painter.highlighted())
      return this.say(gettext("There are no open suggestions"), true);
    this.deselect();
    store.hoverWord(null);
    store.showSuggestions = !store.showSuggestions;
    this.painter.all();
    store.emit("view");
    this.say(store.showSuggestions ? gettext("Suggestions shown") : hiddenText(open));
  }
}

/** How many suggestions were hidden; without any, highlights were. @param {number} n */
function hiddenText(n) {
  if (!n) return gettext("Suggestions hidden. H shows them again.");
  return format(
    ngettext("{n} suggestion hidden. H shows it again.", "{n} suggestions hidden. H shows them again.", n),
    { n },
  );
}
