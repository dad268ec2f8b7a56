/** The commands by name, for shortcuts, buttons and menu entries. */

import { focusOf, requireElement, acceptsText } from "../view/dom.js";
import { chord, hotkeysOf, shortcutOf, tabSwitchesText, worksWithFocus } from "../model/keyboard.js";
import { wording } from "../model/wording.js";
import { gettext } from "../../gettext.js";

/** @typedef {import("../model/store.js").Store} Store */

/**
 * @typedef {object} Parts
 * @property {Store} store
 * @property {import("./actions.js").Actions} actions
 * @property {import("./cursor.js").Cursor} cursor
 * @property {import("../view/reading.js").Reading} reading
 * @property {import("./suggestion-actions.js").SuggestionActions} suggestionActions
 * @property {import("../view/label-bar.js").LabelBar} labelBar
 * @property {import("./questions.js").Questions} questions
 * @property {import("./find.js").Find} find
 * @property {import("../view/panels.js").Panels} panels
 * @property {import("./verdicts.js").Verdicts} verdicts
 * @property {import("./preferences.js").Preferences} preferences
 * @property {import("../view/layout.js").Layout} layout
 * @property {(words: string, refused?: boolean) => void} say
 * @property {import("./undo-submission.js").UndoSubmission | null} [undoSubmission] Of one's own submissions.
 * @property {import("./messages.js").Messages | null} [messages] Between annotator and leads, for whom the pair has any.
 */

/**
 * @param {Parts} parts
 * @returns {Record<string, () => void>}
 */
export function commandsOf(parts) {
  const {
    store,
    actions,
    cursor,
    reading,
    suggestionActions,
    labelBar,
    questions,
    find,
    panels,
    verdicts,
    preferences,
    say,
  } = parts;
  /** @type {Record<string, () => void>} */
  const commands = {
    "move.across": () => cursor.across(),
    find: () => find.open(),
    "find.whole": () => find.toggleWhole(),
    toggle: () => actions.toggle(),
    fragment: () => actions.toggleAdding(),
    "end.other": () => cursor.otherEnd(),
    paragraph: () => actions.paragraph(),
    escape: () => {
      if (find.close() || panels.close(true)) return commands.focus();
      if (!actions.effect("escape")) return;
      const { picked } = store;
      actions.clear();
      say(picked ? gettext("Span deselected") : gettext("Selection cleared"));
    },
    open: () => {
      const effect = actions.effect("open");
      if (effect === "accept.predicted") actions.accept();
      else if (effect === "bar") labelBar.focus();
      else if (effect) actions.pickHere();
    },
    "span.next": () => goToSpan(parts, 1),
    "span.previous": () => goToSpan(parts, -1),
    remove: () => actions.remove(),
    split: () => actions.split(),
    comment: () => {
      if (actions.effect("comment") && (store.picked || actions.pickHere())) labelBar.editComment();
    },
    undo: () => goToChange(parts, actions.history("undo")),
    redo: () => goToChange(parts, actions.history("redo")),
    "suggestion.next": () => void (actions.effect("suggestion.next") && suggestionActions.step(1)),
    "suggestion.previous": () => void (actions.effect("suggestion.previous") && suggestionActions.step(-1)),
    "suggestion.dismiss": () => void (actions.effect("suggestion.dismiss") && suggestionActions.dismiss()),
    "suggestion.hide": () => suggestionActions.toggleVisible(),
    "question.next": () => questions.next(),
    "read.tick": () => reading.tickHere(),
    "read.next": () => reading.goToNextUnread(),
    submit: () => verdicts.submit(),
    reject: () => verdicts.open("rejected"),
    flag: () => verdicts.open("flagged"),
    skip: () => verdicts.open("skipped"),
    reopen: () => verdicts.reopen(),
    // After submitting, the next pair opens by itself; the key is for pages that stay open.
    next: () => (store.readOnly ? requireElement("next-pair").click() : say(wording.notFinished, true)),
    previous: () => requireElement("previous-pair").click(),
    "submission.undo": () => void parts.undoSubmission?.undo(),
    "pair.comment": () => {
      document.body.classList.add("editing-comment");
      requireElement("pair-comment").focus();
    },
    messages: () => void parts.messages?.toggle(),
    guidelines: () => {
      if (!panels.toggleGuidelines()) commands.focus();
    },
    list: () => panels.toggleSpanList(),
    together: () => preferences.toggle("together"),
    preferences: () => panels.showPreferences(),
    help: () => panels.showHelp(),
    focus: () => cursor.place(store.cursor.side, store.cursor.index, { reveal: false }),
  };
  for (const [prefix, extend] of /** @type {[string, boolean][]} */ ([
    ["move", false],
    ["extend", true],
  ])) {
    for (const [name, step] of /** @type {[string, number][]} */ ([
      ["left", -1],
      ["right", 1],
      ["up", -1],
      ["down", 1],
    ])) {
      const vertical = name === "up" || name === "down";
      commands[`${prefix}.${name}`] = () => (vertical ? cursor.line(step, extend) : cursor.word(step, extend));
      commands[`${prefix}.${vertical ? "paragraph" : "sentence"}.${name}`] = () =>
        vertical ? cursor.paragraph(step, extend) : cursor.sentence(step, extend);
    }
    commands[`${prefix}.start`] = () => cursor.edge(-1, false, extend);
    commands[`${prefix}.end`] = () => cursor.edge(1, false, extend);
    commands[`${prefix}.first`] = () => cursor.edge(-1, true, extend);
    commands[`${prefix}.last`] = () => cursor.edge(1, true, extend);
  }
  return commands;
}

/** Go to the next or previous span in text order. @param {Parts} parts @param {number} step */
function goToSpan({ store, actions, cursor, layout }, step) {
  if (!actions.effect("span.next")) return;
  const spans = [...store.doc.spans.values()].sort(store.order);
  const { side, index } = store.cursor;
  const start = store.grids[side].tokens[index]?.[0] ?? 0;
  let at = spans.findIndex(({ id }) => id === store.picked);
  if (at < 0) {
    const cursorSpan = {
      id: "",
      label: "",
      origin: /** @type {const} */ ("manual"),
      comment: "",
      fragments: [{ side, start, end: start + 1 }],
    };
    const after = spans.findIndex((one) => store.order(one, cursorSpan) > 0);
    at = step > 0 ? (after < 0 ? 0 : after) : (after < 0 ? spans.length : after) - 1;
  } else at += step;
  const next = spans[(at + spans.length) % spans.length];
  if (!next) return;
  const tokens = store.cover.of(next.id);
  const first = tokens.a.length ? /** @type {const} */ ("a") : "b";
  if (tokens[first].length) cursor.place(first, tokens[first][0]);
  actions.pick(next.id);
  layout.showBothEnds(tokens);
}

/** Move the cursor to what an undo or redo changed. @param {Parts} parts @param {import("../model/types.js").Patch | null} patch */
function goToChange({ store, cursor, suggestionActions }, patch) {
  for (const change of patch ?? []) {
    if (change.kind === "dismissed" && !change.after && store.showSuggestions) return suggestionActions.show(change.id);
    const span = change.kind === "span" ? (change.after ?? change.before) : regionOf(store, change)?.spans[0];
    const fragment = span?.fragments[0];
    if (fragment)
      return cursor.place(fragment.side, store.grids[fragment.side].touched([fragment.start, fragment.end])[0]);
  }
}

/** @param {Parts["store"]} store @param {import("../model/types.js").Change} change */
function regionOf(store, change) {
  return change.kind === "unmarked" ? store.regions.find(({ key }) => key === change.id) : undefined;
}

/** Commands that show that the keyboard is in use: hints are then given for it. */
const KEYBOARD_COMMANDS = /^(move|extend|toggle|fragment|end|open|span)/;

/**
 * Listen to key presses.
 * @param {Parts} parts
 * @param {Record<string, () => void>} commands
 * @param {(need: import("../model/keyboard.js").Need) => boolean} isAvailable
 */
export function listenToKeys(parts, commands, isAvailable) {
  const { store, actions, questions, preferences } = parts;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const pressed = chord(event);
    const shortcut = shortcutOf(pressed, isAvailable);
    if (acceptsText(event.target) && !shortcut?.everywhere) {
      if (pressed === "Escape") commands.focus();
      return;
    }
    const target = event.target instanceof Element ? event.target : document.body;
    const focus = focusOf(target);
    const { letters } = preferences.values;
    const signs = hotkeysOf(event);
    const loose = worksWithFocus("label", focus, letters);
    if (loose && questions.answer(signs, target)) return event.preventDefault();
    const label = store.scheme.labels.find((one) => signs.includes(one.hotkey));
    if (label && loose) {
      event.preventDefault();
      return actions.label(label.key, true);
    }
    if (!shortcut || shortcut.command === "move.across" || !worksWithFocus(shortcut.command, focus, letters, pressed))
      return;
    if (KEYBOARD_COMMANDS.test(shortcut.command)) store.setDevice("keyboard");
    event.preventDefault();
    commands[shortcut.command]?.();
  });

  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Tab" || event.ctrlKey || event.altKey || !(event.target instanceof Element)) return;
      const side = event.target.closest(".token") && store.cursor.side;
      if (!side || !tabSwitchesText(side, event.shiftKey)) return;
      event.preventDefault();
      store.setDevice("keyboard");
      commands["move.across"]();
    },
    { capture: true },
  );
}
