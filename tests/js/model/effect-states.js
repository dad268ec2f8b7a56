/** The states in which the effects of commands are tested: the real commands on a real store, with mocks only for what needs a page. */

import { assignment, GRADED, NEW } from "../helpers.js";

Object.assign(globalThis, {
  document: { getElementById: () => null, documentElement: { lang: "en" }, addEventListener() {} },
});
const { Actions } = await import("../../../static/js/workspace/input/actions.js");
const { commandsOf } = await import("../../../static/js/workspace/input/commands.js");
const { Cursor } = await import("../../../static/js/workspace/input/cursor.js");
const marking = await import("../../../static/js/workspace/model/span-edits.js");
const selection = await import("../../../static/js/workspace/model/selection.js");
const { Store } = await import("../../../static/js/workspace/model/store.js");
const { SuggestionActions } = await import("../../../static/js/workspace/input/suggestion-actions.js");

const element = {
  childNodes: [],
  removeAttribute() {},
  setAttribute() {},
  focus() {},
  getBoundingClientRect: () => ({ top: 0, bottom: 1, left: 0, right: 1, height: 9 }),
};
globalThis.getSelection = () => null;
const view = /** @type {any} */ ({ word: () => element, scroller: () => ({ ...element, scrollBy() {} }) });

const bare = assignment();

/** A mock page: calls to the parts that draw are recorded. @param {any} scheme */
export function page(scheme) {
  const fragments = (side, from, to) => ({
    side,
    start: bare.pair[side].tokens[from][0],
    end: bare.pair[side].tokens[to][1],
  });
  const proposals = [
    { id: "one", fragments: [fragments("b", 6, 7)] },
    { id: "named", predicted: scheme.labels[1].key, fragments: [fragments("b", 4, 5)] },
    { id: "both", fragments: [fragments("a", 7, 8), fragments("b", 8, 8)] },
  ];
  const store = new Store(
    /** @type {any} */ ({
      ...bare,
      project: { ...bare.project, scheme },
      highlights: { run: "r", method: "m", scores_a: null, scores_b: null, edges: [], proposals, dismissed: [] },
    }),
  );
  /** @type {string[]} */
  const said = [];
  /** @type {string[]} */
  const called = [];
  const spy = (name) =>
    new Proxy({}, { get: (_, method) => () => (called.push(`${name}.${String(method)}`), method === "focus") });
  const say = (line) => void said.push(line);
  const actions = new Actions(store, say);
  const cursor = new Cursor(store, view, actions);
  const suggestionActions = new SuggestionActions(
    store,
    cursor,
    actions,
    /** @type {any} */ ({ all() {}, highlighted: () => true }),
    say,
  );
  const closed = { close: () => false };
  const parts = {
    store,
    actions,
    cursor,
    suggestionActions,
    say,
    find: { ...closed, open: () => called.push("find.open") },
  };
  for (const name of ["reading", "labelBar", "questions", "verdicts", "preferences", "layout"]) parts[name] = spy(name);
  parts.panels = new Proxy(closed, {
    get: (target, name) => target[name] ?? (() => called.push(`panels.${String(name)}`)),
  });
  const commands = {
    ...commandsOf(/** @type {any} */ (parts)),
    label: () => actions.label("2" in labels(store) ? "2" : "inferable", true),
  };
  return { store, actions, cursor, suggestionActions, commands, said, called };
}

const labels = (store) => Object.fromEntries(store.scheme.labels.map(({ key }) => [key, key]));

/** @typedef {ReturnType<typeof page>} Page */
const mark = ({ store }, a, b) => store.commit(marking.markTokens(store, { a, b }, store.scheme.labels[0].key));
const on = (store, a, b) => ({ a: store.canMark("a") ? a : [], b });

/** Spans: on one side, linked with a gap, and of a single word. @type {Record<string, (page: Page) => void>} */
const SPANS = {
  none() {},
  some(page) {
    mark(
      page,
      ...Object.values(on(page.store, [1, 2], [1, 2])).map((one, n) => (n && page.store.canMark("a") ? [] : one)),
    );
    if (page.store.scheme.links) mark(page, page.store.scheme.discontinuous ? [4, 6] : [4], [4, 5]);
    mark(page, [], [7]);
  },
};

/** Who has picked what: by the ways in which a person gets there. @type {Record<string, (page: Page) => void>} */
const HOLDS = {
  nothing() {},
  "words of a": ({ store }) =>
    store.canMark("a") && store.select(selection.beginRun(selection.EMPTY, "a", 2, 3, false)),
  "words of b": ({ store }) => store.select(selection.beginRun(selection.EMPTY, "b", 3, 1, false)),
  "words of both": ({ store }) =>
    store.select(selection.selectionOf({ a: store.canMark("a") ? [0, 1] : [], b: [0, 2] })),
  "the words of a span": ({ store }) => store.select(selection.selectionOf({ a: [], b: [7] })),
  "the first span": ({ store, actions }) => actions.pick([...store.doc.spans.keys()][0] ?? null),
  "the second span": ({ store, actions }) => actions.pick([...store.doc.spans.keys()][1] ?? null),
  "the last span": ({ store, actions }) => actions.pick([...store.doc.spans.keys()].at(-1) ?? null),
  "a suggestion": ({ suggestionActions }) => suggestionActions.show("one"),
  "a suggestion on both sides": ({ suggestionActions }) => suggestionActions.show("both"),
  "a suggestion with a label": ({ suggestionActions }) => suggestionActions.show("named"),
  "a changed suggestion with a label": ({ suggestionActions, actions, store }) => (
    suggestionActions.show("named"), actions.extendTo(store.cursor.index - 1)
  ),
  "a changed suggestion": ({ suggestionActions, actions, store }) => (
    suggestionActions.show("one"), actions.extendTo(store.cursor.index - 1)
  ),
  "a step undone": ({ commands }) => commands.undo(),
  "suggestions hidden": ({ commands }) => commands["suggestion.hide"](),
  "a dismissed suggestion, undone": ({ suggestionActions, commands }) => (
    suggestionActions.show("one"), suggestionActions.dismiss(), commands.undo()
  ),
};

const POSITIONS = [
  ["a", 2],
  ["a", 6],
  ["b", 1],
  ["b", 7],
];
const SCHEMES = {
  graded: GRADED,
  "one side": NEW,
  "no gaps": { ...GRADED, discontinuous: false },
  "no links": { ...GRADED, links: false },
};

export function* states() {
  for (const [scheme, how] of Object.entries(SCHEMES))
    for (const [spans, make] of Object.entries(SPANS))
      for (const [hold, take] of Object.entries(HOLDS))
        for (const [side, index] of POSITIONS)
          for (const mode of side === "b" ? ["", "adding"] : ["", "adding", "read only"]) {
            // Without spans one side of the product is the same again.
            if (spans === "none" && / span$/.test(hold)) continue;
            const name = [scheme, `spans: ${spans}`, hold, `cursor ${side}${index}`, mode].join(", ");
            yield {
              name,
              build() {
                const one = page(how);
                make(one);
                take(one);
                one.cursor.place(side, index);
                if (mode === "adding") one.actions.toggleAdding();
                if (mode === "read only") one.store.readOnly = true;
                one.said.length = one.called.length = 0;
                return one;
              },
            };
          }
}

export const tokens = (store) => ({ a: [...store.selected.a], b: [...store.selected.b] });
export function seen({ store }) {
  const spans = Object.fromEntries(
    [...store.doc.spans.values()].map(({ id, label, origin }) => [id, { label, origin, on: store.cover.of(id) }]),
  );
  // Nothing in here is changed in place.
  return {
    spans,
    selected: tokens(store),
    picked: store.picked,
    suggestion: store.suggestion,
    adding: store.adding,
    cursor: store.cursor,
    dismissed: [...store.doc.dismissed],
    shown: store.showSuggestions,
    active: store.selection.active,
  };
}
/** @typedef {ReturnType<typeof seen>} Seen */
