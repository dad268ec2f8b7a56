/**
 * The table of shortcuts: it drives the keys, the help overlay and the documentation. `keys` are chords ("Ctrl" also
 * means Cmd); `needs` says when a command is available, so that the help shows only what has an effect on this page.
 *
 * @typedef {"always" | "labels" | "links" | "fragments" | "highlights" | "questions" | "next"} Need
 * @typedef {{command: string, keys: string[], group: string, needs?: Need, everywhere?: boolean}} Shortcut
 * `everywhere`: also while a field has the focus.
 * @typedef {"texts" | "tick" | "page" | "bar" | "control" | "field"} Focus Where the focus is: on a word, on a control
 * between the words, nowhere, in the label bar, on another control, in a field.
 */

/** @type {Shortcut[]} */
export const SHORTCUTS = [
  { command: "move.left", keys: ["ArrowLeft"], group: "move" },
  { command: "move.right", keys: ["ArrowRight"], group: "move" },
  { command: "move.up", keys: ["ArrowUp"], group: "move" },
  { command: "move.down", keys: ["ArrowDown"], group: "move" },
  { command: "move.sentence.left", keys: ["Ctrl+ArrowLeft"], group: "move" },
  { command: "move.sentence.right", keys: ["Ctrl+ArrowRight"], group: "move" },
  { command: "move.paragraph.up", keys: ["Ctrl+ArrowUp"], group: "move" },
  { command: "move.paragraph.down", keys: ["Ctrl+ArrowDown"], group: "move" },
  { command: "move.start", keys: ["Home"], group: "move" },
  { command: "move.end", keys: ["End"], group: "move" },
  { command: "move.first", keys: ["Ctrl+Home"], group: "move" },
  { command: "move.last", keys: ["Ctrl+End"], group: "move" },
  { command: "move.across", keys: ["Tab"], group: "move" },
  { command: "find", keys: ["/"], group: "move" },
  { command: "find.whole", keys: ["Alt+w"], group: "move", everywhere: true },

  { command: "label", keys: [], group: "mark", needs: "labels" },
  { command: "extend.left", keys: ["Shift+ArrowLeft"], group: "mark", needs: "labels" },
  { command: "extend.right", keys: ["Shift+ArrowRight"], group: "mark", needs: "labels" },
  { command: "extend.up", keys: ["Shift+ArrowUp"], group: "mark", needs: "labels" },
  { command: "extend.down", keys: ["Shift+ArrowDown"], group: "mark", needs: "labels" },
  { command: "extend.sentence.left", keys: ["Ctrl+Shift+ArrowLeft"], group: "mark", needs: "labels" },
  { command: "extend.sentence.right", keys: ["Ctrl+Shift+ArrowRight"], group: "mark", needs: "labels" },
  { command: "extend.paragraph.up", keys: ["Ctrl+Shift+ArrowUp"], group: "mark", needs: "labels" },
  { command: "extend.paragraph.down", keys: ["Ctrl+Shift+ArrowDown"], group: "mark", needs: "labels" },
  { command: "extend.start", keys: ["Shift+Home"], group: "mark", needs: "labels" },
  { command: "extend.end", keys: ["Shift+End"], group: "mark", needs: "labels" },
  { command: "end.other", keys: ["o"], group: "mark", needs: "labels" },
  { command: "toggle", keys: [" "], group: "mark", needs: "labels" },
  { command: "fragment", keys: ["j"], group: "mark", needs: "fragments" },
  { command: "paragraph", keys: ["w"], group: "mark", needs: "labels" },
  { command: "escape", keys: ["Escape"], group: "mark" },

  { command: "open", keys: ["Enter"], group: "change", needs: "labels" },
  { command: "span.next", keys: ["."], group: "change", needs: "labels" },
  { command: "span.previous", keys: [","], group: "change", needs: "labels" },
  { command: "remove", keys: ["Delete", "Backspace"], group: "change", needs: "labels" },
  { command: "split", keys: ["s"], group: "change", needs: "labels" },
  { command: "comment", keys: ["c"], group: "change", needs: "labels" },
  { command: "undo", keys: ["z", "Ctrl+z"], group: "change" },
  { command: "redo", keys: ["Shift+z", "Ctrl+Shift+z", "Ctrl+y"], group: "change" },

  { command: "suggestion.next", keys: ["n"], group: "suggest", needs: "highlights" },
  { command: "suggestion.previous", keys: ["Shift+n"], group: "suggest", needs: "highlights" },
  { command: "suggestion.dismiss", keys: ["d"], group: "suggest", needs: "highlights" },
  { command: "suggestion.hide", keys: ["h"], group: "suggest", needs: "highlights" },

  { command: "question.next", keys: ["q"], group: "answer", needs: "questions" },
  { command: "answer", keys: [], group: "answer", needs: "questions" },

  { command: "read.tick", keys: ["r"], group: "read" },
  { command: "read.next", keys: ["u"], group: "read" },

  { command: "submit", keys: ["Ctrl+Enter"], group: "page", everywhere: true },
  { command: "reject", keys: ["x"], group: "page" },
  { command: "flag", keys: ["f"], group: "page" },
  { command: "skip", keys: ["k"], group: "page" },
  { command: "remark", keys: ["m"], group: "page" },
  { command: "next", keys: ["e"], group: "page", needs: "next" },
  { command: "guidelines", keys: ["g"], group: "page" },
  { command: "ledger", keys: ["b"], group: "page" },
  { command: "together", keys: ["a"], group: "page" },
  { command: "preferences", keys: ["p"], group: "page" },
  { command: "help", keys: ["?"], group: "page" },
];

/**
 * What the mouse and the finger do, for the help and the documentation.
 * @type {{gesture: string, needs: Need}[]}
 */
export const GESTURES = [
  { gesture: "drag", needs: "labels" },
  { gesture: "double", needs: "labels" },
  { gesture: "other", needs: "links" },
  { gesture: "ctrl", needs: "fragments" },
  { gesture: "click", needs: "labels" },
  { gesture: "blank", needs: "labels" },
  { gesture: "tap", needs: "labels" },
  { gesture: "handle", needs: "labels" },
];

export const GROUPS = ["move", "mark", "change", "suggest", "answer", "read", "page"];

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
export function hotkeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return [];
  const digitKey = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  return digitKey && !event.shiftKey ? [event.key, digitKey[1]] : [event.key];
}

/** Keys that move the cursor or press a button belong to the focused element. */
const OWN = /^(move|extend|toggle|open|remove)/;

/**
 * Whether a command's key works with the current focus. Single characters can be limited to the texts
 * (WCAG 2.1.4).
 * @param {string} command
 * @param {Focus} focus
 * @param {boolean} letters Whether single characters are shortcuts everywhere.
 * @param {string} [pressed] The chord, if a command has several.
 */
export function reaches(command, focus, letters, pressed) {
  const shortcut = SHORTCUTS.find((one) => one.command === command);
  // A page need not have all commands.
  if (!shortcut) return false;
  if (focus === "field") return shortcut.everywhere === true;
  const single = command === "label" || /^(Shift\+)?.$/u.test(pressed ?? shortcut.keys[0] ?? "");
  if (single && !letters && focus !== "texts" && focus !== "tick") return false;
  return !OWN.test(command) || focus === "texts" || focus === "page";
}

/**
 * Whether Tab goes to the other text: from A to B, and from B on through the page; Shift+Tab goes back, so that the
 * focus is never trapped.
 * @param {import("./types.js").Side} side Where the cursor is.
 * @param {boolean} shift
 */
export function crosses(side, shift) {
  return shift === (side === "b");
}

/**
 * The command of a chord, if it is available on this page.
 * @param {string} pressed
 * @param {(need: Need) => boolean} met
 * @returns {Shortcut | null}
 */
export function commandOf(pressed, met) {
  return SHORTCUTS.find(({ keys, needs }) => keys.includes(pressed) && met(needs ?? "always")) ?? null;
}
