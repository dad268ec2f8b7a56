/** The hints in the footer: for the device in use, the controls that matter now, each with its effect. Pure. */

import { effectOf, keepsSelection, selectionEffect } from "./effects.js";
import { tabSwitchesText, worksWithFocus } from "./keyboard.js";
import { otherSide, SIDES } from "./spans.js";

/** @typedef {import("./effects.js").Situation} Situation */
/** @typedef {import("./store.js").Device} Device */
/** @typedef {{control: string, effect: string, keys?: string}} Hint `keys`: the keys of a control that has several. */

/** The command of a control. @type {Record<string, string>} */
export const COMMANDS = {
  label: "label",
  arrows: "extend.right",
  fragment: "fragment",
  end: "end.other",
  escape: "escape",
  accept: "open",
  dismiss: "suggestion.dismiss",
  read: "read.tick",
  help: "help",
};

/**
 * The controls worth naming, the one that matters most first.
 * @param {Situation} now
 * @param {Device} device
 * @param {{focus: import("./keyboard.js").Focus, letters: boolean}} where Where the focus is.
 * @returns {Hint[]}
 */
export function hintsFor(now, device, { focus, letters }) {
  const back = focus === "field" || focus === "bar";
  /** @param {string} control @returns {Hint} */
  const command = (control) => {
    if (control === "escape" && back) return { control, effect: "focus" };
    return {
      control,
      effect: worksWithFocus(COMMANDS[control], focus, letters) ? effectOf(COMMANDS[control], now) : "no.focus",
    };
  };
  const rest =
    now.over || back
      ? overlayHints(command)
      : (device === "keyboard" ? keyboardHints : device === "touch" ? touchHints : mouseHints)(now, command);
  const hints = rest.filter(({ effect }) => !effect.startsWith("no.") && effect !== "move");
  return hints.filter(
    ({ control, effect }, n) => hints.findIndex((one) => one.control === control && one.effect === effect) === n,
  );
}

/** If words would be linked to those of the other text: how to do it with the device in use. @param {Situation} now @param {Device} device @returns {Hint | null} */
export function linkHint(now, device) {
  const ahead = linkableSide(now);
  if (!ahead) return null;
  const control = device === "keyboard" ? keysToSide(now, ahead) : device === "touch" ? "tap" : "drag";
  return { control, effect: selectionEffect(now, ahead, false) };
}

/** The keys that select words on a side: arrows if the cursor is already there. @param {Situation} now @param
 * {import("./types.js").Side} ahead */
function keysToSide(now, ahead) {
  if (ahead === now.side) return "arrows";
  return tabSwitchesText(now.side, false) ? "tab" : "backtab";
}

/** @param {Command} command */
function overlayHints(command) {
  return [command("label"), command("escape")];
}

/** @typedef {(control: string) => Hint} Command */

/** @param {Situation} now @param {Command} command */
function keyboardHints(now, command) {
  const hints = withAcceptKey(command, [command("label"), command("arrows")]);
  if (now.suggestion) hints.push(command("dismiss"));
  const ahead = linkableSide(now);
  if (ahead && ahead !== now.side && !now.suggestion)
    hints.push({ control: keysToSide(now, ahead), effect: selectionEffect(now, ahead, false) });
  if (now.picked) hints.push(command("end"));
  if (!now.suggestion && (now.picked || now.selected.a || now.selected.b)) hints.push(command("fragment"));
  if (now.picked || now.selected.a || now.selected.b) hints.push(command("escape"));
  else hints.push(command("read"), command("help"));
  return hints;
}

/** @param {Situation} now @param {Command} command */
function mouseHints(now, command) {
  const [here, ahead] = [selectedSide(now), linkableSide(now)];
  if (!here)
    return [command("label"), { control: "drag", effect: firstSelectionEffect(now) }, command("read"), command("help")];
  const hints = withAcceptKey(command, [command("label")]);
  if (now.suggestion) hints.push(command("dismiss"));
  if (ahead) hints.push({ control: "drag", effect: selectionEffect(now, ahead, false) });
  if (now.adding) hints.push({ control: "drag", effect: selectionEffect(now, here, true) });
  else if (keepsSelection(selectionEffect(now, here, true)))
    hints.push({ control: "ctrl", effect: selectionEffect(now, here, true) });
  if (now.picked && !ahead) hints.push({ control: "drag", effect: selectionEffect(now, here, now.adding) });
  hints.push(command("escape"));
  return hints;
}

/** With a predicted label, the key that accepts it comes first. @param {Command} command @param {Hint[]} hints */
function withAcceptKey(command, hints) {
  const accept = command("accept");
  return accept.effect === "accept.predicted" ? [accept, ...hints] : hints;
}

/** On a touch screen the commands are buttons of the label bar. @param {Situation} now */
function touchHints(now) {
  const [here, ahead] = [selectedSide(now), linkableSide(now)];
  if (!here) return [{ control: "tap", effect: firstSelectionEffect(now) }];
  const hints = ahead ? [{ control: "tap", effect: selectionEffect(now, ahead, false) }] : [];
  if (ahead) hints.push({ control: "clear", effect: effectOf("escape", now) });
  if (now.adding) hints.push({ control: "tap", effect: selectionEffect(now, here, true) });
  else hints.push({ control: "plus", effect: effectOf("fragment", now) });
  hints.push({ control: "choose", effect: effectOf("label", now) });
  return hints;
}

/** The effect of selecting words while nothing is selected. @param {Situation} now */
function firstSelectionEffect(now) {
  return selectionEffect(now, SIDES.find((side) => now.marks[side]) ?? "a", false);
}

/** The side of the picked span or the selection; if both, the cursor's. @param {Situation} now */
function selectedSide(now) {
  const words = now.picked ?? now.selected;
  return words[now.side] ? now.side : words[otherSide(now.side)] ? otherSide(now.side) : null;
}

/** The side where words would be linked to those of the other. @param {Situation} now */
function linkableSide(now) {
  const selected = selectedSide(now);
  const other = selected && otherSide(selected);
  return other && ["span.join", "select.link"].includes(selectionEffect(now, other, false)) ? other : null;
}

/** Keys in short form: the first and the last of several. @param {string[]} signs */
export function keyRange(signs) {
  return signs.length > 2 ? `${signs[0]}–${signs[signs.length - 1]}` : signs.join(" ");
}
