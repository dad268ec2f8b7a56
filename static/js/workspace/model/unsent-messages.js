/** A message that is being written, as it is kept in the browser: its text, what it is about, what it answers. Pure. */

/** @typedef {import("./message-subject.js").About} About */
/** @typedef {{text: string, about: About, answering: number | null}} Unsent `answering`: a thread; null: a new one. */

/** @param {Unsent} unsent @returns {string | null} null if nothing is written. */
export function serializeUnsent({ text, about, answering }) {
  return text ? JSON.stringify({ text, about, answering }) : null;
}

/** What was stored. Earlier versions stored the text alone. @param {string | null} stored @returns {Unsent} */
export function parseUnsent(stored) {
  /** @type {Unsent} */
  const none = { text: "", about: { span: "", words: [] }, answering: null };
  if (!stored) return none;
  /** @type {any} */
  let unsent = null;
  try {
    unsent = JSON.parse(stored);
  } catch {
    // It is a text.
  }
  if (typeof unsent?.text !== "string") return { ...none, text: stored };
  return { ...none, ...unsent };
}

/**
 * The text to leave in the field after a message was sent: what was typed in the meantime.
 * @param {string} now What the field contains.
 * @param {string} sent What it contained when the message was sent.
 */
export function unsentText(now, sent) {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}
