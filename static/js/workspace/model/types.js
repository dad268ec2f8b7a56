/**
 * Types shared by the workspace's modules. Types only: nothing here runs.
 *
 * The shapes of the server's JSON are generated from the OpenAPI document (`script/types`). So scripts may write a
 * verdict, a status or a phase as a text: its type has the values of `annotation/vocabulary.py`, and `tsc` refuses any
 * other (`tests/annotation/test_vocabulary.py` shows that it sees each of these texts).
 *
 * @typedef {import("../../api-types.js").Side} Side
 * @typedef {import("../../api-types.js").Fragment} Fragment A run of tokens, in code points.
 * @typedef {import("../../api-types.js").Origin} Origin
 * @typedef {import("../../api-types.js").Span} Span
 * @typedef {import("../../api-types.js").Label} Label
 * @typedef {import("../../api-types.js").Question} Question
 * @typedef {import("../../api-types.js").Scheme} Scheme
 * @typedef {import("../../api-types.js").Text} TextData
 * @typedef {import("../../api-types.js").Reason} Reason
 * @typedef {import("../../api-types.js").Verdict} Verdict
 * @typedef {import("../../api-types.js").Thread} Thread
 * @typedef {import("../../api-types.js").Highlights} Highlights
 * @typedef {import("../../api-types.js").Annotation} AnnotationData
 * @typedef {import("../../api-types.js").Assignment["paragraph_alignment"][number]} Bead Paragraphs of side A and of side
 * B that are aligned.
 * @typedef {Omit<import("../../api-types.js").Assignment, "id"> & {id: number | string,
 *   adjudication?: import("../../api-types.js").Adjudication}} Assignment What the workspace opens: an assignment, or a
 * pair in adjudication.
 *
 * @typedef {[number, number]} Range A half-open range: of code points in a text, or of token indices.
 *
 * @typedef {object} Doc The annotator's document: everything in it is saved, and every change to it is a patch.
 * @property {Map<string, Span>} spans
 * @property {Record<string, string>} answers
 * @property {string} comment
 * @property {Record<Side, Set<number>>} read
 * @property {Set<string>} dismissed Keys of dismissed suggestions.
 * @property {Set<string>} unmarked In adjudication, keys of disputed regions deliberately left unmarked.
 *
 * @typedef {{key: string, spans: Span[]}} DisputedRegion A region that an adjudicator decides, with everything marked in it.
 *
 * @typedef {{kind: "span", id: string, before: Span | null, after: Span | null}} SpanChange
 * @typedef {{kind: "answer", id: string, before: string, after: string}} AnswerChange
 * @typedef {{kind: "comment", id: string, before: string, after: string}} CommentChange
 * @typedef {{kind: "read", id: string, before: boolean, after: boolean}} ReadChange
 * @typedef {{kind: "dismissed", id: string, before: boolean, after: boolean}} DismissedChange
 * @typedef {{kind: "unmarked", id: string, before: boolean, after: boolean}} UnmarkedChange
 * @typedef {SpanChange | AnswerChange | CommentChange | ReadChange | DismissedChange | UnmarkedChange} Change
 * @typedef {Change[]} Patch
 *
 * @typedef {{anchor: number, head: number, side: Side}} Active The active run: its fixed end and its moving end.
 * @typedef {{fixed: Record<Side, number[]>, active: Active | null}} Selection Tokens by side, ascending.
 */

export {};
