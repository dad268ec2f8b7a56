/**
 * The table of shortcuts: it drives the keys, the help overlay and the documentation. `keys` are chords ("Ctrl" also
 * means Cmd); `needs` says when a command is available, so that the help shows only what has an effect on this page.
 *
 * @typedef {"always" | "labels" | "links" | "fragments" | "highlights" | "questions" | "next" | "previous" | "own" | "messages"} Need
 * @typedef {{command: string, keys: string[], group: string, needs?: Need, everywhere?: boolean, does: string,
 * suggesting?: string}} Shortcut `everywhere`: also while a field has the focus; `does`: what it does, in words;
 * `suggesting`: the same if there are suggestions.
 * @typedef {"texts" | "tick" | "page" | "bar" | "control" | "field"} Focus Where the focus is: on a word, on a control
 * between the words, nowhere, in the label bar, on another control, in a field.
 */

import { gettext } from "../../gettext.js";

/** @type {Shortcut[]} */
export const SHORTCUTS = [
  { command: "move.left", keys: ["ArrowLeft"], group: "move", does: gettext("Word to the left") },
  { command: "move.right", keys: ["ArrowRight"], group: "move", does: gettext("Word to the right") },
  { command: "move.up", keys: ["ArrowUp"], group: "move", does: gettext("Line up") },
  { command: "move.down", keys: ["ArrowDown"], group: "move", does: gettext("Line down") },
  { command: "move.sentence.left", keys: ["Ctrl+ArrowLeft"], group: "move", does: gettext("Sentence to the left") },
  { command: "move.sentence.right", keys: ["Ctrl+ArrowRight"], group: "move", does: gettext("Sentence to the right") },
  { command: "move.paragraph.up", keys: ["Ctrl+ArrowUp"], group: "move", does: gettext("Paragraph up") },
  { command: "move.paragraph.down", keys: ["Ctrl+ArrowDown"], group: "move", does: gettext("Paragraph down") },
  { command: "move.start", keys: ["Home"], group: "move", does: gettext("Start of the paragraph") },
  { command: "move.end", keys: ["End"], group: "move", does: gettext("End of the paragraph") },
  { command: "move.first", keys: ["Ctrl+Home"], group: "move", does: gettext("Start of the text") },
  { command: "move.last", keys: ["Ctrl+End"], group: "move", does: gettext("End of the text") },
  { command: "move.across", keys: ["Tab"], group: "move", does: gettext("To the other text") },
  { command: "find", keys: ["/"], group: "move", does: gettext("Find in both texts") },
  { command: "find.whole", keys: ["Alt+w"], group: "move", everywhere: true, does: gettext("Find whole words only") },

  { command: "label", keys: [], group: "mark", needs: "labels", does: gettext("Apply the label") },
  {
    command: "extend.left",
    keys: ["Shift+ArrowLeft"],
    group: "mark",
    does: gettext("Select to the left, or move the marked end"),
  },
  {
    command: "extend.right",
    keys: ["Shift+ArrowRight"],
    group: "mark",
    does: gettext("Select to the right, or move the marked end"),
  },
  { command: "extend.up", keys: ["Shift+ArrowUp"], group: "mark", does: gettext("Select a line up") },
  { command: "extend.down", keys: ["Shift+ArrowDown"], group: "mark", does: gettext("Select a line down") },
  {
    command: "extend.sentence.left",
    keys: ["Ctrl+Shift+ArrowLeft"],
    group: "mark",
    does: gettext("Select left to the sentence boundary"),
  },
  {
    command: "extend.sentence.right",
    keys: ["Ctrl+Shift+ArrowRight"],
    group: "mark",
    does: gettext("Select right to the sentence boundary"),
  },
  {
    command: "extend.paragraph.up",
    keys: ["Ctrl+Shift+ArrowUp"],
    group: "mark",
    does: gettext("Select to the paragraph's start"),
  },
  {
    command: "extend.paragraph.down",
    keys: ["Ctrl+Shift+ArrowDown"],
    group: "mark",
    does: gettext("Select to the paragraph's end"),
  },
  { command: "extend.start", keys: ["Shift+Home"], group: "mark", does: gettext("Select to the paragraph's start") },
  { command: "extend.end", keys: ["Shift+End"], group: "mark", does: gettext("Select to the paragraph's end") },
  { command: "end.other", keys: ["o"], group: "mark", needs: "labels", does: gettext("Switch to the other end") },
  { command: "toggle", keys: [" "], group: "mark", needs: "labels", does: gettext("Add or remove the word") },
  {
    command: "fragment",
    keys: ["j"],
    group: "mark",
    needs: "fragments",
    does: gettext("Add a fragment: the next words selected are added"),
  },
  {
    command: "paragraph",
    keys: ["w"],
    group: "mark",
    needs: "labels",
    does: gettext("Whole paragraph has no counterpart"),
  },
  { command: "escape", keys: ["Escape"], group: "mark", does: gettext("Clear selection") },

  {
    command: "open",
    keys: ["Enter"],
    group: "change",
    needs: "labels",
    does: gettext("Pick the span here, or go to the label bar"),
    suggesting: gettext("Pick the span here, accept the suggestion with its predicted label, or go to the label bar"),
  },
  { command: "span.next", keys: ["."], group: "change", needs: "labels", does: gettext("Next span") },
  { command: "span.previous", keys: [","], group: "change", needs: "labels", does: gettext("Previous span") },
  {
    command: "remove",
    keys: ["Delete", "Backspace"],
    group: "change",
    needs: "labels",
    does: gettext("Delete the span"),
  },
  { command: "split", keys: ["s"], group: "change", needs: "labels", does: gettext("Split the span at the cursor") },
  { command: "comment", keys: ["c"], group: "change", needs: "labels", does: gettext("Comment on the span") },
  { command: "undo", keys: ["z", "Ctrl+z"], group: "change", does: gettext("Undo") },
  { command: "redo", keys: ["Shift+z", "Ctrl+Shift+z", "Ctrl+y"], group: "change", does: gettext("Redo") },

  { command: "suggestion.next", keys: ["n"], group: "suggest", needs: "highlights", does: gettext("Next suggestion") },
  {
    command: "suggestion.previous",
    keys: ["Shift+n"],
    group: "suggest",
    needs: "highlights",
    does: gettext("Previous suggestion"),
  },
  {
    command: "suggestion.dismiss",
    keys: ["d"],
    group: "suggest",
    needs: "highlights",
    does: gettext("Dismiss the suggestion"),
  },
  {
    command: "suggestion.hide",
    keys: ["h"],
    group: "suggest",
    needs: "highlights",
    does: gettext("Hide or show suggestions"),
  },

  {
    command: "question.next",
    keys: ["q"],
    group: "answer",
    needs: "questions",
    does: gettext("Go to the next question"),
  },
  { command: "answer", keys: [], group: "answer", needs: "questions", does: gettext("Answer the question") },

  {
    command: "read.tick",
    keys: ["r"],
    group: "read",
    does: gettext("Tick the paragraph as read and go to the next unread one"),
  },
  { command: "read.next", keys: ["u"], group: "read", does: gettext("To the next unread paragraph") },

  { command: "submit", keys: ["Ctrl+Enter"], group: "page", everywhere: true, does: gettext("Submit") },
  { command: "reject", keys: ["x"], group: "page", does: gettext("Not comparable") },
  { command: "flag", keys: ["f"], group: "page", does: gettext("Flag") },
  { command: "skip", keys: ["k"], group: "page", does: gettext("Skip") },
  { command: "pair.comment", keys: ["m"], group: "page", does: gettext("Comment for the lead") },
  {
    command: "messages",
    keys: ["Shift+m"],
    group: "page",
    needs: "messages",
    does: gettext("Messages about the pair, or about the words selected"),
  },
  {
    command: "next",
    keys: ["e"],
    group: "page",
    needs: "next",
    does: gettext("Next pair, once this one is submitted"),
  },
  { command: "previous", keys: ["Shift+e"], group: "page", needs: "previous", does: gettext("Previous pair") },
  {
    command: "submission.undo",
    keys: ["Ctrl+Shift+Enter"],
    group: "page",
    needs: "own",
    does: gettext("Undo the last submission: reopen that pair"),
  },
  { command: "guidelines", keys: ["g"], group: "page", does: gettext("Guidelines") },
  { command: "list", keys: ["b"], group: "page", does: gettext("List of spans") },
  { command: "together", keys: ["a"], group: "page", does: gettext("Scroll the texts together or separately") },
  { command: "preferences", keys: ["p"], group: "page", does: gettext("Preferences") },
  { command: "help", keys: ["?"], group: "page", does: gettext("Keyboard shortcuts") },
];

/**
 * What the mouse and the finger do, for the help and the documentation.
 * @type {{needs: Need, gesture: string, does: string}[]}
 */
export const GESTURES = [
  { needs: "labels", gesture: gettext("Drag"), does: gettext("Select words, replacing those selected in that text") },
  {
    needs: "labels",
    gesture: gettext("Double click"),
    does: gettext("Select the word; a third click selects the sentence"),
  },
  {
    needs: "links",
    gesture: gettext("Drag in the other text"),
    does: gettext("Link the words to the picked span or to the selected words"),
  },
  {
    needs: "fragments",
    gesture: gettext("Ctrl + drag or click"),
    does: gettext("Add a fragment; add or remove a word"),
  },
  { needs: "labels", gesture: gettext("Click on a span"), does: gettext("Pick it; click again for the one below") },
  { needs: "labels", gesture: gettext("Click elsewhere"), does: gettext("Clear the selection and start a new span") },
  { needs: "labels", gesture: gettext("Tap"), does: gettext("Select the word; on a span, pick the span") },
  { needs: "labels", gesture: gettext("Drag a handle"), does: gettext("Move that end of the selection") },
];

/** The sections of the help, in order. */
export const GROUPS = [
  { group: "move", title: gettext("Moving") },
  { group: "mark", title: gettext("Marking") },
  { group: "change", title: gettext("Changing spans") },
  { group: "suggest", title: gettext("Suggestions") },
  { group: "answer", title: gettext("Questions") },
  { group: "read", title: gettext("Reading") },
  { group: "page", title: gettext("The pair") },
];

/**
 * The chord of a key event in the table's notation. Letters are lower case, with "Shift+" if it is held; other
 * characters are those that are typed, whatever keys produce them. With Alt held many keyboards type other characters:
 * then a letter is identified by its physical key.
 * @param {{key: string, code?: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean}} event
 */
export function chord(event) {
  const letterKey = event.altKey ? /^Key([A-Z])$/.exec(event.code ?? "")?.[1] : null;
  const letter = Boolean(letterKey) || /^\p{L}$/u.test(event.key);
  const named = event.key.length > 1 || event.key === " ";
  const key = letter ? (letterKey ?? event.key).toLowerCase() : event.key;
  const control = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  return `${control}${event.altKey ? "Alt+" : ""}${event.shiftKey && (letter || named) ? "Shift+" : ""}${key}`;
}

/**
 * The hotkeys that a key may mean: the character it types, and, if digits need Shift (as on French keyboards), the
 * digit on the physical key.
 * @param {{key: string, code: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean}} event
 * @returns {string[]}
 */
export function hotkeysOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return [];
  const digitKey = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  return digitKey && !event.shiftKey ? [event.key, digitKey[1]] : [event.key];
}

/** Keys that move the cursor or press a button belong to the focused element. */
const ELEMENT_KEYS = /^(move|extend|toggle|open|remove)/;

/**
 * Whether a command's key works with the current focus. Single characters can be limited to the texts
 * (WCAG 2.1.4).
 * @param {string} command
 * @param {Focus} focus
 * @param {boolean} letters Whether single characters are shortcuts everywhere.
 * @param {string} [pressed] The chord, if a command has several.
 */
export function worksWithFocus(command, focus, letters, pressed) {
  const shortcut = SHORTCUTS.find((one) => one.command === command);
  // A page need not have all commands.
  if (!shortcut) return false;
  if (focus === "field") return shortcut.everywhere === true;
  const single = command === "label" || /^(Shift\+)?.$/u.test(pressed ?? shortcut.keys[0] ?? "");
  if (single && !letters && focus !== "texts" && focus !== "tick") return false;
  return !ELEMENT_KEYS.test(command) || focus === "texts" || focus === "page";
}

/**
 * Whether Tab goes to the other text: from A to B, and from B on through the page; Shift+Tab goes back, so that the
 * focus is never trapped.
 * @param {import("./types.js").Side} side Where the cursor is.
 * @param {boolean} shift
 */
export function tabSwitchesText(side, shift) {
  return shift === (side === "b");
}

/**
 * The command of a chord, if it is available on this page.
 * @param {string} pressed
 * @param {(need: Need) => boolean} isAvailable
 * @returns {Shortcut | null}
 */
export function shortcutOf(pressed, isAvailable) {
  return SHORTCUTS.find(({ keys, needs }) => keys.includes(pressed) && isAvailable(needs ?? "always")) ?? null;
}
