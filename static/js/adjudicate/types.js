/**
 * Types of manual adjudication. Types only: nothing here runs.
 *
 * @typedef {import("../workspace/model/types.js").Span} Span
 * @typedef {import("../api-types.js").Version} Variant
 * @typedef {import("../api-types.js").Region} RegionData
 * @typedef {import("../api-types.js").Adjudication} Adjudication
 *
 * @typedef {object} Region A group of overlapping marks, with its tokens.
 * @property {RegionData} data
 * @property {Record<import("../workspace/model/types.js").Side, Set<number>>} tokens
 *
 * @typedef {object} Option One option to decide a region.
 * @property {"variant" | "rule" | "joined" | "common" | "none"} kind
 * @property {string} press The key that chooses it.
 * @property {string[]} people The annotators of this variant.
 * @property {Span[]} spans
 * @property {boolean} ruled Whether it is also what the rule proposes.
 */

export {};
