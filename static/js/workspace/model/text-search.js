/** Finding words in a text, ignoring case, accents and line breaks. Pure. */

/** @typedef {import("./types.js").Range} Range */

/**
 * Marks often omitted in Latin, Greek, Cyrillic, Hebrew and Arabic words: accents, vowel points, the Arabic tatweel;
 * and invisible characters. Vowel signs of Indic scripts count as letters and stay.
 */
const MARKS =
  /[\u00ad\u200b-\u200f\u2060\ufeff\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/gu;

/**
 * A text normalized for comparison: lower case without marks, ligatures and wide forms as plain letters, any white
 * space as one space. `points` has, for each of its UTF-16 units, the code point of the original, and at its end the
 * text's length.
 * @param {string} text
 * @returns {{text: string, points: number[]}}
 */
export function foldText(text) {
  let result = "";
  /** @type {number[]} */
  const points = [];
  let point = 0;
  for (const character of text) {
    const space = /\s/u.test(character);
    const plain = space ? (result.endsWith(" ") ? "" : " ") : foldCharacter(character);
    for (let n = 0; n < plain.length; n += 1) points.push(point);
    result += plain;
    point += 1;
  }
  points.push(point);
  return { text: result, points };
}

/** @param {string} character */
function foldCharacter(character) {
  if (/[a-z]/.test(character)) return character;
  const bare = character.normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase().replace(MARKS, "");
  return bare === "ß" ? "ss" : bare === "ς" ? "σ" : bare;
}

/**
 * The occurrences of words in a folded text as ranges of code points, in order.
 * @param {{text: string, points: number[]}} text
 * @param {string} words
 * @returns {Range[]}
 */
export function occurrences({ text, points }, words) {
  const query = foldText(words.trim()).text;
  /** @type {Range[]} */
  const matches = [];
  if (!query) return matches;
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    const end = at + query.length;
    // Half of an expanded letter does not match: "s" is not the second half of "ß".
    if ((at && points[at] === points[at - 1]) || points[end] === points[end - 1]) continue;
    matches.push([points[at], points[end - 1] + 1]);
  }
  return matches;
}

/**
 * The ranges that begin and end at token boundaries: whole words.
 * @param {Range[]} ranges
 * @param {import("./grid.js").Grid} grid
 */
export function wholeWords(ranges, grid) {
  return ranges.filter(([start, end]) => {
    const [from, to] = grid.touched([start, end]);
    return (
      from < to &&
      grid.tokens[from][0] === start &&
      grid.tokens[to - 1][1] <= endOfMarks(grid, end) &&
      grid.tokens[to - 1][1] >= end
    );
  });
}

/** The end of the marks after an offset, which belong to the previous letter. @param {import("./grid.js").Grid} grid @param {number} end */
function endOfMarks(grid, end) {
  let at = end;
  while (at < grid.offsets.length && !grid.slice(at, at + 1).replace(MARKS, "")) at += 1;
  return at;
}
