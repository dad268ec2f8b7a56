/**
 * The sentences that are different in manual adjudication, where a pair is decided, not annotated:
 * `adjudicate/wording.js` replaces them before the workspace is set up.
 */

import { gettext } from "../../gettext.js";

export const wording = {
  /** The status in the footer when someone submitted the pair in the meantime, why it can't be saved, and why it is read-only. */
  submittedStatus: gettext("Submitted elsewhere"),
  submittedReason: gettext("This pair was submitted in another tab or on another machine."),
  submittedNote: gettext("This pair was submitted elsewhere."),
  /** A submission was refused because the pair was changed in the meantime. */
  refusedSubmission: gettext(
    "The pair was not submitted because it was changed elsewhere in the meantime. Check it and submit it again.",
  ),
  answerHint: gettext("{labels} answer · Ctrl ↵ submits · ? shortcuts"),
  notFinished: gettext("Submit this pair first; the next one then opens"),
  comment: gettext("Comment for the lead: {words}"),
  /** Where a span comes from, if not from marking words. @type {Record<string, string>} */
  origins: {
    accepted: gettext("accepted from a suggestion"),
    edited: gettext("accepted from a suggestion, changed"),
  },
  /** The dialog that rejects a pair. */
  rejecting: {
    title: gettext("Not comparable"),
    text: gettext("The two texts are about different things, so there is no point in marking differences."),
    send: gettext("Submit as not comparable"),
  },
};
