/** The regions of a pair, the options to decide each, and each decision as a patch of the gold. Pure. */

import { allowedShapes } from "../workspace/model/span-edits.js";
import { fragmentsKey, fragmentsOf, newId, SIDES, tokensOf } from "../workspace/model/spans.js";

/** @typedef {import("../workspace/model/types.js").Span} Span */
/** @typedef {import("../workspace/model/types.js").Side} Side */
/** @typedef {import("../workspace/model/types.js").Patch} Patch */
/** @typedef {import("../workspace/model/span-edits.js").EditContext} MarkingContext */
/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Option} Option */

/**
 * The regions with their tokens, in text order.
 * @param {import("./types.js").RegionData[]} data
 * @param {import("../workspace/model/spans.js").Grids} grids
 * @param {(x: Span, y: Span) => number} order
 * @returns {Region[]}
 */
export function regionsOf(data, grids, order) {
  return data
    .map((data) => {
      const spans = [...data.versions.flatMap((variant) => variant.spans), ...data.proposed];
      const tokens = { a: new Set(), b: new Set() };
      for (const span of spans)
        for (const side of SIDES) for (const index of tokensOf(span, grids)[side]) tokens[side].add(index);
      return { data, tokens, first: { ...spans[0], fragments: spans.flatMap((span) => span.fragments) } };
    })
    .sort((x, y) => order(x.first, y.first))
    .map(({ data, tokens }) => ({ data, tokens }));
}

/**
 * The options of a region, each with its key: the annotators' variants, the rule's proposal, all marked words, the
 * words marked by everyone, and none.
 * @param {Region} region
 * @param {MarkingContext} context
 * @returns {Option[]}
 */
export function optionsOf({ data }, context) {
  const marked = data.versions.filter((variant) => variant.spans.length);
  const unmarked = data.versions.find((variant) => !variant.spans.length);
  const ruled = spansKey(data.proposed);
  /** @type {Option[]} */
  const options = marked.map(({ people, spans }, n) => ({
    kind: "variant",
    press: n < 9 ? String(n + 1) : "",
    people,
    spans,
    ruled: spansKey(spans) === ruled,
  }));
  const known = new Set(options.map(({ spans }) => spansKey(spans)));
  /** @param {"rule" | "joined" | "common"} kind @param {string} press @param {Span[]} spans */
  const add = (kind, press, spans) => {
    if (!spans.length || known.has(spansKey(spans))) return;
    known.add(spansKey(spans));
    options.push({ kind, press, people: [], spans, ruled: kind === "rule" });
  };
  add("rule", "r", data.proposed);
  if (marked.length > 1) {
    add("joined", "j", combineVariants(marked, context, 1));
    add("common", "c", combineVariants(marked, context, marked.length));
  }
  options.push({ kind: "none", press: "0", people: unmarked?.people ?? [], spans: [], ruled: false });
  return options;
}

/**
 * One span (or several, as the scheme allows) of the tokens that at least `needed` variants have, with the most
 * frequent label; of tied labels, the higher.
 * @param {import("./types.js").Variant[]} variants
 * @param {MarkingContext} context
 * @param {number} needed
 * @returns {Span[]}
 */
function combineVariants(variants, { grids, scheme }, needed) {
  /** @type {Record<Side, number[]>} */
  const tokens = { a: [], b: [] };
  for (const side of SIDES) {
    const tokenSets = variants.map(({ spans }) => new Set(spans.flatMap((span) => tokensOf(span, grids)[side])));
    const all = new Set(tokenSets.flatMap((of) => [...of]));
    tokens[side] = [...all]
      .filter((index) => tokenSets.filter((of) => of.has(index)).length >= needed)
      .sort((x, y) => x - y);
  }
  /** @type {Map<string, number>} */
  const votes = new Map();
  for (const { people, spans } of variants)
    for (const label of new Set(spans.map((span) => span.label)))
      votes.set(label, (votes.get(label) ?? 0) + people.length);
  const value = (/** @type {string} */ key) => scheme.labels.find((label) => label.key === key)?.value ?? 0;
  const [label] = [...votes].sort((x, y) => y[1] - x[1] || value(y[0]) - value(x[0]))[0];
  return allowedShapes(tokens, scheme).map((shape) => ({
    id: newId(),
    label,
    origin: /** @type {const} */ ("accepted"),
    comment: "",
    fragments: fragmentsOf(shape, grids),
  }));
}

/** A key of spans by label and fragments, regardless of their ids and order. @param {Span[]} spans */
export function spansKey(spans) {
  return spans
    .map(({ label, fragments }) => `${label} ${fragmentsKey(fragments)}`)
    .sort()
    .join(" | ");
}

/**
 * The gold's spans that touch a region.
 * @param {Region} region
 * @param {MarkingContext} context
 * @returns {Span[]}
 */
export function goldSpansIn({ tokens }, { doc, cover }) {
  return [...doc.spans.values()].filter((span) => {
    const own = cover.of(span.id);
    return SIDES.some((side) => own[side].some((index) => tokens[side].has(index)));
  });
}

/**
 * Whether a region needs no further decision. The server applies the same rule (`adjudication/disputed_regions.py`,
 * is_decided).
 * @param {Region} region
 * @param {MarkingContext} context
 */
export function isSettled(region, context) {
  const { state, key } = region.data;
  return state !== "disputed" || context.doc.unmarked.has(key) || goldSpansIn(region, context).length > 0;
}

/**
 * Decide a region: its spans in the gold are replaced by the option's; without spans, it counts as deliberately left
 * unmarked.
 * @param {Region} region
 * @param {Option} option
 * @param {MarkingContext} context
 * @returns {Patch}
 */
export function decisionPatch(region, option, context) {
  const { key } = region.data;
  const existing = goldSpansIn(region, context);
  const nothing = option.spans.length === 0;
  /** @type {Patch} */
  const patch = [];
  if (spansKey(existing) !== spansKey(option.spans)) {
    patch.push(
      ...existing.map((before) => /** @type {const} */ ({ kind: "span", id: before.id, before, after: null })),
    );
    for (const span of option.spans) {
      const id = newId();
      patch.push({ kind: "span", id, before: null, after: { ...span, id, origin: "accepted", comment: "" } });
    }
  }
  const left = context.doc.unmarked.has(key);
  if (left !== nothing) patch.push({ kind: "unmarked", id: key, before: left, after: nothing });
  return patch;
}

/**
 * How a gold span was made and from whose annotations: the same as `adjudication/origins.py`, sources_of.
 * @param {Span} span
 * @param {{name: string, spans: Span[]}[]} people
 * @param {import("../workspace/model/spans.js").Grids} grids
 * @returns {{how: "taken" | "joined" | "changed" | "anew", names: string[]}}
 */
export function sourcesOf(span, people, grids) {
  const keys = (/** @type {Span} */ one) => {
    const tokens = tokensOf(one, grids);
    return SIDES.flatMap((side) => tokens[side].map((index) => `${side}${index}`));
  };
  const own = new Set(keys(span));
  const overlapping = people.flatMap(({ name, spans }) =>
    spans
      .map((one) => ({ name, label: one.label, keys: keys(one) }))
      .filter((one) => one.keys.some((key) => own.has(key))),
  );
  const same = (/** @type {Iterable<string>} */ tokens) => {
    const set = new Set(tokens);
    return set.size === own.size && [...set].every((key) => own.has(key));
  };
  const taken = overlapping.filter((one) => one.label === span.label && same(one.keys));
  const names = [...new Set((taken.length ? taken : overlapping).map(({ name }) => name))];
  if (taken.length) return { how: "taken", names };
  if (!names.length) return { how: "anew", names };
  const joined =
    names.length > 1 && !overlapping.some((one) => same(one.keys)) && same(overlapping.flatMap((one) => one.keys));
  return { how: joined ? "joined" : "changed", names };
}
