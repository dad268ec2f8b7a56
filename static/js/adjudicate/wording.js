/** What the workspace says differently in manual adjudication. `main.js` imports it before the workspace. */

import { gettext } from "../gettext.js";
import { GROUPS, SHORTCUTS } from "../workspace/model/keyboard.js";
import { wording } from "../workspace/model/wording.js";
import { HINTS } from "../workspace/view/hint-texts.js";

Object.assign(wording, {
  submittedStatus: gettext("Decided elsewhere"),
  submittedReason: gettext("This pair was decided by someone else or in another tab."),
  submittedNote: gettext("This pair was decided elsewhere."),
  refusedSubmission: gettext(
    "The pair was not decided because it was changed elsewhere in the meantime. Check it and decide it again.",
  ),
  answerHint: gettext("{labels} answer · Ctrl ↵ decides · ? shortcuts"),
  notFinished: gettext("Decide this pair first; the next one then opens"),
  comment: gettext("Comment on the decision: {words}"),
  origins: { accepted: gettext("accepted"), edited: gettext("accepted, edited") },
  rejecting: {
    title: gettext("Exclude this pair"),
    text: gettext("The pair will not be in the gold. You can include it again at any time; its decisions are kept."),
    send: gettext("Exclude it"),
  },
});

Object.assign(HINTS, {
  "option.option": gettext("{keys} choose an option"),
  "tap.option": gettext("tap an option to choose it"),
  "edit.region.edit": gettext("E edits in the texts"),
  "next.region.next": gettext("N next disputed region"),
  "here.region.here": gettext("T goes to the options"),
});

// In adjudication a pair is decided or excluded, region by region: nothing to flag, skip or tick.
const OMITTED = ["flag", "skip", "read.tick", "read.next", "previous", "submission.undo"];
/** @type {Record<string, string>} */
const CHANGED_TEXTS = {
  submit: gettext("Decide and open the next pair"),
  reject: gettext("Exclude this pair from the gold"),
  "pair.comment": gettext("Comment on the decision"),
  next: gettext("Next pair, once this one is decided"),
};
const remaining = SHORTCUTS.filter(({ command }) => !OMITTED.includes(command));
SHORTCUTS.splice(
  0,
  SHORTCUTS.length,
  ...remaining.map((one) => ({ ...one, does: CHANGED_TEXTS[one.command] ?? one.does })),
);
SHORTCUTS.push(
  { command: "region.next", keys: ["n"], group: "region", does: gettext("Next disputed region") },
  { command: "region.previous", keys: ["Shift+n"], group: "region", does: gettext("Previous disputed region") },
  {
    command: "region.here",
    keys: ["t"],
    group: "region",
    does: gettext("Go to the options: digits choose one, 0 leaves it unmarked, E edits it in the texts"),
  },
  { command: "region.lanes", keys: ["h"], group: "region", does: gettext("Show or hide everyone's marks") },
);
GROUPS.unshift({ group: "region", title: gettext("Disputed regions") });
