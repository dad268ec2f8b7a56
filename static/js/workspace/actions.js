/** What a person does to spans, said back in words. Every action ends with the focus where the next one begins. */

import { annotate, create, relabel, remove, reshape, split, strongest } from "./marking.js";
import { kindWords, t, tn } from "./messages.js";
import * as selection from "./selection.js";
import { quote, SIDES, sizeOf } from "./spans.js";

/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {import("./store.js").Store} Store */

export class Actions {
  /**
   * @param {Store} store
   * @param {(words: string) => void} say Announces to screen readers.
   */
  constructor(store, say) {
    this.store = store;
    this.say = say;
  }

  /** What a label key would act on now. @returns {"picked" | "selection" | "word" | null} */
  target() {
    const { store } = this;
    if (store.readOnly) return null;
    if (store.picked) return "picked";
    if (!selection.isEmpty(store.selection)) return "selection";
    return store.marks(store.cursor.side) ? "word" : null;
  }

  /** Give a label: to the picked span, to what is selected, or to the word at the cursor. @param {string} key */
  label(key) {
    const { store } = this;
    const target = this.target();
    if (target === "picked" && store.picked) {
      if (store.commit(relabel(store, store.picked, key))) this.tell("said.relabelled", store.picked);
    } else if (target) {
      this.mark(key);
    }
  }

  /** @param {string} key */
  mark(key) {
    const { store } = this;
    const { cursor } = store;
    const chosen = { a: selection.tokensOn(store.selection, "a"), b: selection.tokensOn(store.selection, "b") };
    if (selection.isEmpty(store.selection)) chosen[cursor.side] = [cursor.index];
    const patch = create(store, chosen, key, this.origin(chosen));
    store.suggest(null);
    this.clear();
    if (!store.commit(patch)) return;
    const made = patch.find((change) => change.kind === "span" && change.after);
    if (made) this.tell("said.marked", made.id);
  }

  /**
   * Where a span comes from: a suggestion taken as it was, one changed on the way, or the annotator alone.
   * @param {Record<Side, number[]>} chosen
   */
  origin(chosen) {
    const suggestion = this.store.suggestionOf.get(this.store.suggestion ?? "");
    if (!suggestion) return "manual";
    if (SIDES.every((side) => String(suggestion.tokens[side]) === String(chosen[side]))) return "accepted";
    return SIDES.some((side) => suggestion.tokens[side].some((index) => chosen[side].includes(index))) ? "edited" : "manual";
  }

  /** The selection changed by hand: the picked span follows it. @param {boolean} [gesture] Whether steps may be joined. */
  follow(gesture = false) {
    const { store } = this;
    const id = store.picked;
    if (!id || store.readOnly) return;
    const tokens = { a: selection.tokensOn(store.selection, "a"), b: selection.tokensOn(store.selection, "b") };
    if (!store.commit(reshape(store, id, tokens), { group: gesture ? `reshape ${id}` : "" })) return;
    if (!store.span(id)) this.clear();
    this.say(store.span(id) ? tn("said.words", sizeOf(store.cover.of(id))) : t("said.deleted"));
  }

  /** Pick a span to work on: its words become the selection. @param {string | null} id */
  pick(id) {
    const { store } = this;
    store.adding = false;
    store.suggest(null);
    if (!id) {
      if (store.picked) this.clear();
      return;
    }
    store.pick(id);
    const tokens = store.cover.of(id);
    store.select(selection.of(tokens, store.cursor));
    this.tell("said.picked", id);
  }

  /** Pick the span at the cursor; again, the one below it. */
  pickHere() {
    const { side, index } = this.store.cursor;
    const ids = [...this.store.cover.at(side, index)].reverse();
    if (!ids.length) return false;
    this.pick(ids[(ids.indexOf(this.store.picked ?? "") + 1) % ids.length]);
    return true;
  }

  /** Nothing selected, nothing picked. */
  clear() {
    const { store } = this;
    store.adding = false;
    store.pick(null);
    store.select(selection.EMPTY);
  }

  remove() {
    const { store } = this;
    const ids = store.cover.at(store.cursor.side, store.cursor.index);
    const id = store.picked ?? ids[ids.length - 1];
    if (!id || !store.commit(remove(store, id))) return;
    this.clear();
    this.say(t("said.deleted"));
  }

  /** @param {string} words */
  comment(words) {
    const { store } = this;
    if (store.picked && store.commit(annotate(store, store.picked, words.trim()), { group: `comment ${store.picked}` }))
      this.say(t("said.commented"));
  }

  split() {
    const { store } = this;
    const { side, index } = store.cursor;
    const id = store.picked ?? store.cover.at(side, index).slice(-1)[0];
    if (!id) return;
    if (store.commit(split(store, id, side, index))) {
      this.clear();
      this.say(t("said.split"));
    } else this.say(t("said.nosplit"));
  }

  /** Give or take the word at the cursor: to the picked span, or to a selection that now stays while the cursor moves. */
  toggle() {
    const { store } = this;
    const { side, index } = store.cursor;
    if (store.readOnly || !store.marks(side)) return this.say(t("said.readonly"));
    store.adding = true;
    store.select(selection.toggle(store.selection, side, index));
    if (selection.isEmpty(store.selection)) store.adding = false;
    if (store.picked) this.follow();
    else this.say(t(store.selected[side].has(index) ? "said.added" : "said.taken", { word: store.grids[side].word(index) }));
  }

  /** The whole paragraph at the cursor has no counterpart: one key marks it with the strongest label. */
  paragraph() {
    const { store } = this;
    const { side, index } = store.cursor;
    const label = strongest(store.scheme);
    if (!label || !store.marks(side)) return this.say(t("said.readonly"));
    const [from, to] = store.grids[side].paragraphTokens[store.grids[side].paragraphOf(index)];
    const tokens = Array.from({ length: to - from }, (_, n) => from + n);
    const patch = create(store, side === "a" ? { a: tokens, b: [] } : { a: [], b: tokens }, label.key);
    this.clear();
    if (store.commit(patch)) this.say(t("said.paragraph", { label: label.name }));
  }

  /** @param {"undo" | "redo"} which @returns {Patch | null} */
  history(which) {
    const { store } = this;
    this.clear();
    const patch = store[which]();
    this.say(t(patch ? `said.${which}` : `said.no${which}`));
    return patch;
  }

  /** @param {string} key @param {string} id */
  tell(key, id) {
    const { store } = this;
    const span = store.span(id);
    if (!span) return;
    const words = SIDES.map((side) => quote(span, side, store.grids[side])).filter(Boolean).join(" – ");
    this.say(t(key, { label: store.label(span.label)?.name ?? span.label, words, kind: kindWords(store, span) }));
  }
}
