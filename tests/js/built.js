/** The parts of the workspace as `main.js` connects them, without saving: for tests of one of them. Import `page.js` first. */

import { assignment, FakeStorage } from "./helpers.js";
import { write } from "./page.js";
import { regionsOf } from "../../static/js/adjudicate/disputed-regions.js";
import { Actions } from "../../static/js/workspace/input/actions.js";
import { Cursor } from "../../static/js/workspace/input/cursor.js";
import { Painter } from "../../static/js/workspace/view/paint.js";
import { Preferences } from "../../static/js/workspace/input/preferences.js";
import { Reading } from "../../static/js/workspace/view/reading.js";
import { View } from "../../static/js/workspace/view/render.js";
import { fragmentsOf } from "../../static/js/workspace/model/spans.js";
import { Store } from "../../static/js/workspace/model/store.js";
import { SuggestionActions } from "../../static/js/workspace/input/suggestion-actions.js";

/** @param {Record<string, any>} [parts] of the assignment */
export function built(parts = {}, template = "annotation/workspace.html") {
  const data = { ...assignment(parts), ...parts.more };
  write(template, data);
  const store = new Store(data);
  const view = new View(store, document.getElementById("sheet"));
  const painter = new Painter(store, view);
  /** @type {string[]} What was announced. */
  const said = [];
  const say = (words) => void said.push(words);
  const actions = new Actions(store, say);
  const cursor = new Cursor(store, view, actions);
  const preferences = new Preferences(new FakeStorage(), "3", {}, "");
  const run = [];
  /** A span over tokens of both sides. */
  const span = (id, label, a = [], b = [], more = {}) => ({
    id,
    label,
    origin: "manual",
    comment: "",
    fragments: fragmentsOf({ a, b }, store.grids),
    ...more,
  });
  const add = (...spans) => store.commit(spans.map((one) => ({ kind: "span", id: one.id, before: null, after: one })));
  const word = (side, index) => view.word(side, index);
  /** The middle of a word on the page. */
  const point = (side, index) => {
    const { left, top } = word(side, index).getBoundingClientRect();
    return { clientX: left + 25, clientY: top + 10, button: 0, buttons: 1 };
  };
  return { store, view, painter, said, say, actions, cursor, preferences, run, span, add, word, point, data };
}

/** Highlights: tokens 1 and 2 of A and token 3 of B are suggested; word 0 is aligned with word 0. */
export const HIGHLIGHTS = {
  run: "default-v1",
  method: "default.v1",
  scores_a: [0.1, 0.9, 0.8, 0.1, 0.1, 0.1, 0.1, 0.9, 0.1],
  scores_b: [0.1, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1],
  edges: [
    [0, 0],
    [4, 5],
  ],
  proposals: [
    { id: "p1", level: 2, fragments: [{ side: "a", start: 4, end: 11 }] },
    { id: "p2", fragments: [{ side: "b", start: 14, end: 21 }] },
    { id: "p3", fragments: [{ side: "a", start: 36, end: 39 }] },
  ],
  dismissed: [],
};

/** The selection by side. */
export const chosen = (store) => [[...store.selected.a], [...store.selected.b]];
/** The spans: label, origin, tokens of A and of B. */
export const spans = (store) =>
  [...store.doc.spans.values()].map(({ id, label, origin }) => [
    label,
    origin,
    store.cover.of(id).a,
    store.cover.of(id).b,
  ]);

/** A scheme of two questions, with nothing to mark. */
export const QUESTIONS = ["form", "meaning"].map((key) => ({
  key,
  text: key,
  choices: [
    ["yes", "y"],
    ["no", "n"],
  ].map(([name, hotkey]) => ({ key: name, name, hotkey, value: null })),
}));
export const RATING = {
  name: "rating",
  labels: [],
  sides: [],
  links: false,
  discontinuous: false,
  overlap: false,
  default: "",
  questions: QUESTIONS,
};

/** A page with reading marks. */
export function reading(parts) {
  const made = built(parts);
  return {
    ...made,
    reading: new Reading(made.store, made.view, made.cursor, made.say),
    ticks: () => [...made.view.ticks.values()].map((tick) => tick.dataset.state),
  };
}

/** A page with suggestions: two on A, one on B. */
export function suggesting() {
  const made = built({ highlights: HIGHLIGHTS });
  const steps = new SuggestionActions(made.store, made.cursor, made.actions, made.painter, made.say);
  return { ...made, steps, keys: made.store.suggestions.map(({ key }) => key) };
}

/**
 * A page of manual adjudication. A region's versions are lists of spans by the names of those who made them; what a rule
 * proposes is `proposed`.
 * @param {{key?: string, state?: string, why?: string, versions: Record<string, any[]>, proposed?: any[]}[]} found
 */
export function adjudicating(found, parts = {}) {
  const regions = found.map(({ versions, ...region }, n) => ({
    key: `k${n + 1}`,
    state: "disputed",
    why: "",
    proposed: [],
    ...region,
    versions: Object.entries(versions).map(([people, spans]) => ({ people: people.split(" "), spans })),
  }));
  const adjudication = {
    blind: false,
    rule: "majority",
    state: "open",
    by: "",
    reason: "",
    suggested: "",
    people: ["A", "B"],
    regions,
    questions: [],
    comments: [],
  };
  const made = built({ ...parts, more: { ...parts.more, adjudication } }, "agreement/gold_pair.html");
  return { ...made, adjudication, regions: regionsOf(regions, made.store.grids, made.store.order) };
}

/** A span by its code points on A and on B. */
export const mark = (id, label, a = [], b = []) => ({
  id,
  label,
  origin: "manual",
  comment: "",
  fragments: [
    ...a.map(([start, end]) => ({ side: "a", start, end })),
    ...b.map(([start, end]) => ({ side: "b", start, end })),
  ],
});
