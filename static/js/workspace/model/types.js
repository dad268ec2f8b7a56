/**
 * Types shared by the workspace's modules. Types only: nothing here runs.
 *
 * @typedef {"a" | "b"} Side
 * @typedef {[number, number]} Range A half-open range: of code points in a text, or of token indices.
 * @typedef {{side: Side, start: number, end: number}} Fragment A run of tokens, in code points.
 * @typedef {"manual" | "accepted" | "edited"} Origin
 * @typedef {{id: string, label: string, origin: Origin, comment: string, fragments: Fragment[]}} Span
 * @typedef {{v: number, spans: Span[]}} SpansDocument
 * @typedef {{key: string, name: string, description: string, colour: string, hotkey: string, value: number | null}} Label
 * @typedef {{key: string, name: string, hotkey: string, value: number | null}} Choice
 * @typedef {{key: string, text: string, choices: Choice[]}} Question
 * @typedef {{name: string, labels: Label[], sides: Side[], links: boolean, discontinuous: boolean, overlap: boolean,
 *   default: string, questions: Question[], statement?: boolean}} Scheme
 * @typedef {{language: string, direction: "ltr" | "rtl", text: string, tokens: Range[], sentences: Range[],
 *   paragraphs: Range[]}} TextData
 * @typedef {[number[], number[]]} Bead Paragraphs of side A and of side B that are aligned.
 * @typedef {{kind: string, a: string, b: string}} Reason What differs ('number', 'date' …), and the words of A and B that do.
 * @typedef {{id?: string, label?: string, level?: number, reason?: Reason, fragments: Fragment[]}} Proposal
 * @typedef {{run: string, method: string, scores_a: number[] | null, scores_b: number[] | null, edges: Range[],
 *   proposals: Proposal[], dismissed: string[]}} Highlights
 * @typedef {Record<Side, number[]>} ReadMarks Indices of the paragraphs that are ticked as read.
 * @typedef {{revision: number, spans: SpansDocument, answers: Record<string, string>, verdict: string, reason: string,
 *   comment: string, read: ReadMarks, active_seconds: number, dismissed: string[], saved: string | null}} AnnotationData
 * @typedef {{id: number | string, phase: string, status: string, editable: boolean, reopen: boolean, final: boolean,
 *   project: {slug: string, name: string, scheme: Scheme},
 *   pair: {id: number, external_id: string, metadata: Record<string, unknown>, a: TextData, b: TextData,
 *     statement: TextData | null},
 *   paragraph_alignment: Bead[], annotation: AnnotationData, highlights: Highlights | null,
 *   guideline: {version: number, html: string} | null, position: {n: number, of: number, done: number},
 *   urls: Record<string, string>,
 *   limits: {verdicts: string[], skip_percent: number | null, skips_used: number, skips_left: number | null},
 *   comparison: {gold: Span[], answers: Record<string, string>, feedback: string} | null,
 *   adjudication?: {places: import("../../adjudicate/types.js").RegionData[]}}} Assignment
 *
 * @typedef {object} Doc The annotator's document: everything in it is saved, and every change to it is a patch.
 * @property {Map<string, Span>} spans
 * @property {Record<string, string>} answers
 * @property {string} comment
 * @property {Record<Side, Set<number>>} read
 * @property {Set<string>} dismissed Keys of dismissed suggestions; in adjudication, of disputed regions left unmarked on purpose.
 *
 * @typedef {{key: string, spans: Span[]}} DisputedRegion A region that an adjudicator decides, with everything marked in it.
 *
 * @typedef {{kind: "span", id: string, before: Span | null, after: Span | null}} SpanChange
 * @typedef {{kind: "answer", id: string, before: string, after: string}} AnswerChange
 * @typedef {{kind: "comment", id: string, before: string, after: string}} CommentChange
 * @typedef {{kind: "read", id: string, before: boolean, after: boolean}} ReadChange
 * @typedef {{kind: "dismissed", id: string, before: boolean, after: boolean}} DismissedChange
 * @typedef {SpanChange | AnswerChange | CommentChange | ReadChange | DismissedChange} Change
 * @typedef {Change[]} Patch
 *
 * @typedef {{anchor: number, head: number, side: Side}} Active The active run: its fixed end and its moving end.
 * @typedef {{fixed: Record<Side, number[]>, active: Active | null}} Selection Tokens by side, ascending.
 */

export {};
