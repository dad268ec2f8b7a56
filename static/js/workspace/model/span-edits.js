/** An annotator's changes to spans as patches, within what the scheme allows. Pure. */

import { fragmentsKey, fragmentsOf, newId, otherSide, SIDES, tokensOnSide } from "./spans.js";

/** @typedef {import("./types.js").Span} Span */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Patch} Patch */
/** @typedef {Record<Side, number[]>} Tokens */
/**
 * @typedef {object} EditContext What marks are made on.
 * @property {import("./types.js").Doc} doc
 * @property {import("./cover.js").Cover} cover
 * @property {import("./spans.js").Grids} grids
 * @property {import("./types.js").Scheme} scheme
 */

/**
 * Selected tokens as the spans that the scheme allows: only on sides that may be marked, linked or one span per side,
 * with gaps or one span per run.
 * @param {Tokens} tokens
 * @param {import("./types.js").Scheme} scheme
 * @returns {Tokens[]}
 */
export function allowedShapes(tokens, scheme) {
  const allowed = { a: scheme.sides.includes("a") ? tokens.a : [], b: scheme.sides.includes("b") ? tokens.b : [] };
  /** @param {number[]} side */
  const parts = (side) => (scheme.discontinuous ? (side.length ? [side] : []) : runs(side));
  const [a, b] = [parts(allowed.a), parts(allowed.b)];
  if (!scheme.links) return [...a.map((part) => ({ a: part, b: [] })), ...b.map((part) => ({ a: [], b: part }))];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => ({ a: a[n] ?? [], b: b[n] ?? [] }));
}

/**
 * @param {number[]} tokens ascending
 * @returns {number[][]}
 */
function runs(tokens) {
  /** @type {number[][]} */
  const result = [];
  for (const token of tokens) {
    const last = result[result.length - 1];
    if (last && last[last.length - 1] === token - 1) last.push(token);
    else result.push([token]);
  }
  return result;
}

/**
 * The span with exactly these tokens, if there is one.
 * @param {EditContext} context
 * @param {Tokens} tokens
 * @returns {Span | null}
 */
export function spanWithTokens({ doc, cover, grids }, tokens) {
  const side = SIDES.find((one) => tokens[one].length);
  if (!side) return null;
  const key = fragmentsKey(fragmentsOf(tokens, grids));
  const spans = cover.at(side, tokens[side][0]).map((id) => doc.spans.get(id));
  return spans.find((one) => one && fragmentsKey(one.fragments) === key) ?? null;
}

/**
 * Mark tokens with a label. If they already form a span, it is relabelled.
 * @param {EditContext} context
 * @param {Tokens} tokens
 * @param {string} label
 * @param {import("./types.js").Origin} [origin]
 * @param {string} [predicted] The label that the suggestion came with, if it is one.
 * @returns {Patch}
 */
export function markTokens(context, tokens, label, origin = "manual", predicted = "") {
  const { grids, scheme } = context;
  /** @type {Patch} */
  const patch = [];
  for (const shape of allowedShapes(tokens, scheme)) {
    /** @type {Span} */
    const span = {
      id: newId(),
      label,
      origin,
      comment: "",
      fragments: fragmentsOf(shape, grids),
      ...(predicted && { predicted }),
    };
    const same = spanWithTokens(context, shape);
    if (same) patch.push(...relabelSpan(context, same.id, label));
    else patch.push(...removeFromOthers(context, shape, ""), { kind: "span", id: span.id, before: null, after: span });
  }
  return patch;
}

/**
 * If labels exclude each other: remove tokens from all spans but `keep`.
 * @param {EditContext} context
 * @param {Tokens} tokens
 * @param {string} keep
 * @returns {Patch}
 */
function removeFromOthers(context, tokens, keep) {
  if (context.scheme.overlap) return [];
  /** @type {Set<string>} */
  const hit = new Set(SIDES.flatMap((side) => tokens[side].flatMap((index) => [...context.cover.at(side, index)])));
  hit.delete(keep);
  return [...hit].flatMap((id) => {
    const taken = { a: new Set(tokens.a), b: new Set(tokens.b) };
    const has = context.cover.of(id);
    return replaceTokens(context, id, {
      a: has.a.filter((index) => !taken.a.has(index)),
      b: has.b.filter((index) => !taken.b.has(index)),
    });
  });
}

/**
 * Change a span's tokens; if the scheme does not allow them in one span, it becomes several; without tokens it is deleted.
 * @param {EditContext} context
 * @param {string} id
 * @param {Tokens} tokens
 * @returns {Patch}
 */
function replaceTokens({ doc, grids, scheme }, id, tokens) {
  const before = doc.spans.get(id);
  if (!before) return [];
  const [first, ...rest] = allowedShapes(tokens, scheme);
  if (!first) return [{ kind: "span", id, before, after: null }];
  const origin = before.origin === "accepted" ? "edited" : before.origin;
  const spans = [{ ...before, origin, fragments: fragmentsOf(first, grids) }].concat(
    rest.map((shape) => ({ ...before, id: newId(), origin, fragments: fragmentsOf(shape, grids) })),
  );
  return spans.map((after, n) => ({ kind: "span", id: after.id, before: n ? null : before, after }));
}

/**
 * Set a span's tokens to exactly these.
 * @param {EditContext} context
 * @param {string} id
 * @param {Tokens} tokens
 * @returns {Patch}
 */
export function reshapeSpan(context, id, tokens) {
  const has = context.cover.of(id);
  if (String(has.a) === String(tokens.a) && String(has.b) === String(tokens.b)) return [];
  return [...removeFromOthers(context, tokens, id), ...replaceTokens(context, id, tokens)];
}

/**
 * @param {EditContext} context
 * @param {string} id
 * @param {string} label
 * @returns {Patch}
 */
export function relabelSpan({ doc }, id, label) {
  const before = doc.spans.get(id);
  if (!before || before.label === label) return [];
  return [{ kind: "span", id, before, after: { ...before, label } }];
}

/**
 * @param {EditContext} context
 * @param {string} id
 * @returns {Patch}
 */
export function removeSpan({ doc }, id) {
  const before = doc.spans.get(id);
  return before ? [{ kind: "span", id, before, after: null }] : [];
}

/**
 * @param {EditContext} context
 * @param {string} id
 * @param {string} comment
 * @returns {Patch}
 */
export function commentOnSpan({ doc }, id, comment) {
  const before = doc.spans.get(id);
  if (!before || before.comment === comment) return [];
  return [{ kind: "span", id, before, after: { ...before, comment } }];
}

/**
 * Split a span into two with the same label: before and from a token on its side; at a side's first token, into its two
 * sides. The other side stays with the first half.
 * @param {EditContext} context
 * @param {string} id
 * @param {Side} side
 * @param {number} index
 * @returns {Patch}
 */
export function splitSpan(context, id, side, index) {
  const before = context.doc.spans.get(id);
  if (!before) return [];
  const tokens = tokensOnSide(before, side, context.grids[side]);
  const rest = tokensOnSide(before, otherSide(side), context.grids[otherSide(side)]);
  const [head, tail] = [tokens.filter((token) => token < index), tokens.filter((token) => token >= index)];
  if (!tail.length || (!head.length && !rest.length)) return [];
  const first = side === "a" ? { a: head, b: rest } : { a: rest, b: head };
  const second = side === "a" ? { a: tail, b: [] } : { a: [], b: tail };
  const after = { ...before, id: newId(), fragments: fragmentsOf(second, context.grids) };
  if (before.origin === "accepted") after.origin = "edited";
  return [...replaceTokens(context, id, first), { kind: "span", id: after.id, before: null, after }];
}

/** The label for a paragraph without a counterpart: the strongest, or the first if labels have no order. @param
 * {import("./types.js").Scheme} scheme */
export function strongestLabel(scheme) {
  return [...scheme.labels].sort((x, y) => (y.value ?? 0) - (x.value ?? 0))[0];
}
