/** Every command in every state does what `effectOf` says, and the footer announces nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GRADED } from "../helpers.js";
import { page, seen, states, tokens } from "./effect-states.js";

const { effectOf, selectionEffect, currentSituation } = await import("../../../static/js/workspace/model/effects.js");
const { COMMANDS, hintsFor, linkHint } = await import("../../../static/js/workspace/model/hints.js");
const { tabSwitchesText, SHORTCUTS } = await import("../../../static/js/workspace/model/keyboard.js");
const { HINTS } = await import("../../../static/js/workspace/view/hint-texts.js");
const { REFUSALS } = await import("../../../static/js/workspace/input/selection-actions.js");
const SIDES = /** @type {const} */ (["a", "b"]);
const DEVICES = /** @type {const} */ (["mouse", "keyboard", "touch"]);
const TEXTS = { focus: /** @type {const} */ ("texts"), letters: true };
/** @typedef {import("./effect-states.js").Page} Page */
/** @typedef {import("./effect-states.js").Seen} Seen */

const fresh = (was, is) =>
  Object.keys(is.spans)
    .filter((id) => !(id in was.spans))
    .map((id) => is.spans[id]);
const merged = (spans, side) => [...new Set(spans.flatMap((one) => one.on[side]))].sort((x, y) => x - y);
const nothing = (is) =>
  assert.deepEqual([is.selected, is.picked, is.suggestion, is.adding], [{ a: [], b: [] }, null, null, false]);
const kept = (was, is) => assert.deepEqual(is.spans, was.spans);
const all = (is, was, side) =>
  assert.ok(
    was.every((index) => is.includes(index)),
    side,
  );

/** A label: how many spans it creates, and their origins. */
const makes =
  (count, origin, after = nothing) =>
  (was, is, { store }) => {
    const made = fresh(was, is);
    if (count) assert.equal(made.length, count);
    else assert.ok(made.length > 1);
    const empty = !was.selected.a.length && !was.selected.b.length;
    for (const side of SIDES) {
      const chosen = empty && was.cursor.side === side ? [was.cursor.index] : was.selected[side];
      assert.deepEqual(merged(made, side), store.canMark(side) ? chosen : []);
    }
    assert.ok(made.every((one) => one.origin === origin && one.label === store.scheme.labels[1].key));
    after(is);
  };
/** An accepted suggestion is the picked span: another digit is about it. */
const holds = (is) => assert.deepEqual([is.selected, is.suggestion, is.adding], [is.spans[is.picked]?.on, null, false]);
/** Selected words: what is kept of those on the side and on the other. */
const selects =
  (here, picked = false) =>
  (was, is, { store }) => {
    const { side } = was.cursor;
    const there = side === "a" ? "b" : "a";
    assert.ok(is.selected[side].includes(was.cursor.index));
    if (here) all(is.selected[side], was.selected[side], side);
    else
      assert.equal(
        is.selected[side].length,
        Math.abs(is.cursor.index - was.cursor.index) + 1,
        "only what was drawn now",
      );
    assert.deepEqual(is.selected[there], here === null ? [] : was.selected[there]);
    assert.equal(is.picked, picked ? was.picked : null);
    if (!picked) kept(was, is);
    else if (!store.dragging) assert.deepEqual(is.spans[is.picked].on, is.selected);
  };
const adjusts = (was, is) => {
  assert.equal(is.active?.anchor, was.active?.anchor, "one end stays");
  assert.ok(Math.abs(is.active.head - was.active.head) <= 9);
  assert.equal(is.cursor.index, is.active.head, "the cursor goes with the end");
  if (is.picked) assert.deepEqual(is.spans[is.picked].on, is.selected);
  else kept(was, is);
};
const takes = (was, is) => {
  const { side, index } = was.cursor;
  assert.deepEqual(
    is.selected[side],
    was.selected[side].filter((one) => one !== index),
  );
};
const cleared = (was, is) => (nothing(is), kept(was, is));
const calls =
  (...names) =>
  (was, is, { called }) => (assert.deepEqual(called, names), kept(was, is));

/** What each effect means. @type {Record<string, (was: Seen, is: Seen, page: Page) => void>} */
const MEANS = {
  move: (was, is) => (
    kept(was, is), assert.deepEqual([is.selected, is.picked, is.adding], [was.selected, was.picked, was.adding])
  ),
  relabel: (was, is, { store }) => {
    assert.deepEqual(is.spans, {
      ...was.spans,
      [was.picked]: { ...was.spans[was.picked], label: store.scheme.labels[1].key },
    });
  },
  "relabel.words": (was, is, { store }) => {
    assert.deepEqual(Object.keys(is.spans).sort(), Object.keys(was.spans).sort());
    assert.equal(Object.values(is.spans).filter(({ label }) => label === store.scheme.labels[1].key).length, 1);
    nothing(is);
  },
  accept: (was, is, on) => makes(fresh(was, is).length, "accepted", holds)(was, is, on),
  "accept.changed": (was, is, on) => makes(fresh(was, is).length, "edited", holds)(was, is, on),
  mark: makes(1, "manual"),
  "mark.link": makes(1, "manual"),
  "mark.each": makes(0, "manual"),
  "mark.word": makes(1, "manual"),
  select: selects(true),
  "select.link": selects(true),
  "select.replace": selects(false),
  "select.fragment": selects(true),
  "span.join": selects(true, true),
  "span.fragment": selects(true, true),
  "span.leave": selects(null),
  adjust: adjusts,
  "adjust.span": adjusts,
  "adjust.suggestion": adjusts,
  take: (was, is) => (takes(was, is), kept(was, is)),
  "span.take": (was, is) => (takes(was, is), assert.deepEqual(is.spans[was.picked].on, is.selected)),
  remove: (was, is) => (assert.equal(Object.keys(is.spans).length, Object.keys(was.spans).length - 1), nothing(is)),
  "fragment.on": (was, is) => assert.deepEqual(is, { ...was, adding: true }),
  "fragment.off": (was, is) => assert.deepEqual(is, { ...was, adding: false }),
  "end.other": (was, is) => {
    assert.deepEqual(
      [is.active.anchor, is.active.head, is.cursor.index],
      [was.active.head, was.active.anchor, was.active.anchor],
    );
    assert.deepEqual([is.selected, is.spans], [was.selected, was.spans]);
  },
  paragraph: (was, is, { store }) => {
    const { side, index } = was.cursor;
    const [from, to] = store.grids[side].paragraphTokens[store.grids[side].paragraphOf(index)];
    const whole = Array.from({ length: to - from }, (_, n) => from + n);
    assert.ok(Object.values(is.spans).some((one) => String(one.on[side]) === String(whole)));
    nothing(is);
  },
  clear: cleared,
  "clear.span": cleared,
  "clear.suggestion": cleared,
  "accept.predicted": (was, is, { store }) => {
    const made = store.doc.spans.get(is.picked);
    assert.ok(made && !(made.id in was.spans) && ["accepted", "edited"].includes(made.origin));
    assert.deepEqual([made.label, made.predicted], [store.scheme.labels[1].key, store.scheme.labels[1].key]);
    assert.deepEqual([is.suggestion, is.selected], [null, is.spans[is.picked].on]);
  },
  bar: calls("labelBar.focus"),
  pick: (was, is, { store }) => assert.ok(store.cover.at(was.cursor.side, was.cursor.index).includes(is.picked)),
  "span.next": (was, is) => assert.ok(is.picked),
  "span.previous": (was, is) => assert.ok(is.picked),
  split: (was, is) => (assert.equal(fresh(was, is).length, 1), nothing(is)),
  comment: (was, is, { called }) => assert.ok(is.picked && called.includes("labelBar.editComment")),
  undo: (was, is) => assert.notDeepEqual([is.spans, is.dismissed], [was.spans, was.dismissed]),
  redo: (was, is) => assert.notDeepEqual([is.spans, is.dismissed], [was.spans, was.dismissed]),
  "suggestion.next": (was, is, { store }) => assert.ok(is.suggestion && (store.readOnly || is.selected.b.length)),
  "suggestion.previous": (was, is, { store }) => assert.ok(is.suggestion && (store.readOnly || is.selected.b.length)),
  "suggestion.dismiss": (was, is) => assert.equal(is.dismissed.length, was.dismissed.length + 1),
  "suggestion.hide": (was, is) => assert.equal(is.shown, false),
  "suggestion.show": (was, is) => assert.equal(is.shown, true),
};

const ELSEWHERE = new Set([
  "question.next",
  "answer",
  "read.tick",
  "read.next",
  "next",
  "previous",
  "submission.undo",
  "submit",
  "reject",
  "flag",
  "skip",
  "pair.comment",
  "messages",
  "guidelines",
  "list",
  "together",
  "preferences",
  "help",
  "find",
  "find.whole",
  "move.across",
]);

test("every command has the effect that is announced, in every state", () => {
  const met = new Set();
  for (const { name, build } of states()) {
    let one = build();
    for (const { command } of SHORTCUTS) {
      if (ELSEWHERE.has(command) || /\.(up|down|sentence\.\w+|first|last|start)$/.test(command)) continue;
      const effect = effectOf(command, currentSituation(one.store));
      const was = seen(one);
      one.commands[command]();
      const is = seen(one);
      met.add(effect);
      const where = `${command} (${effect}) in ${name}`;
      try {
        if (effect.startsWith("no.")) {
          assert.deepEqual(is, was);
          assert.ok(REFUSALS[effect] && one.said.includes(REFUSALS[effect]), "the reason is said");
        } else MEANS[effect](was, is, one);
        if (is.suggestion && !one.store.readOnly)
          assert.ok(is.selected.a.length || is.selected.b.length, "a suggestion is looked at with nothing selected");
      } catch (error) {
        error.message = `${where}: ${error.message}`;
        throw error;
      }
      // A command without effect leaves the state for the next one.
      if (!effect.startsWith("no.")) one = build();
      one.said.length = 0;
    }
  }
  assert.deepEqual(
    Object.keys(MEANS).filter((effect) => !met.has(effect)),
    [],
    "effects that no state has",
  );
});

/** Where Tab, Shift+Tab or no key leads, selecting words does what is announced. */
function leads(control, effect, now, name) {
  if (control !== "arrows")
    assert.ok(tabSwitchesText(now.side, control === "backtab"), `${control} from ${now.side} in ${name}`);
  const side = control === "arrows" ? now.side : SIDES.find((one) => one !== now.side);
  assert.equal(selectionEffect(now, side, false), effect, `${control} in ${name}`);
}

test("the footer announces what the same key or drag then does, with every device", () => {
  for (const { name, build } of states())
    for (const device of DEVICES) {
      const one = build();
      if (one.store.readOnly) continue;
      const now = currentSituation(one.store);
      const hints = hintsFor(now, device, TEXTS);
      for (const { control, effect } of hints) {
        assert.ok(HINTS[`${control}.${effect}`], `no words for ${control}.${effect} in ${name}`);
        if (COMMANDS[control]) assert.equal(effect, effectOf(COMMANDS[control], now), name);
        else if (control === "choose") assert.equal(effect, effectOf("label", now));
        else if (["drag", "tap", "ctrl"].includes(control)) {
          const add = control === "ctrl" || now.adding;
          assert.ok(
            SIDES.some((side) => selectionEffect(now, side, add) === effect),
            `${control}.${effect} in ${name}`,
          );
        } else if (["tab", "backtab"].includes(control)) leads(control, effect, now, name);
      }
      const link = linkHint(now, device);
      if (!link) continue;
      assert.ok(HINTS[`${link.control}.${link.effect}`], `no words for ${link.control}.${link.effect} in ${name}`);
      if (device === "keyboard") leads(link.control, link.effect, now, name);
      const label = effectOf("label", now);
      if (device !== "touch")
        assert.equal(
          hints.some(({ control }) => control === "label"),
          !label.startsWith("no."),
          name,
        );
      assert.ok(!hints.some(({ effect }) => effect.startsWith("accept")) || now.suggestion, name);
    }
});

test("a drag and a double click follow the rule of the keyboard: linked where the picked span has no words", () => {
  for (const { name, build } of states())
    for (const side of SIDES)
      for (const add of [false, true]) {
        const one = build();
        const effect = selectionEffect(currentSituation(one.store), side, add);
        one.store.moveTo(side, one.store.cursor.index);
        const was = seen(one);
        const said = one.actions.beginSelection(side, was.cursor.index, was.cursor.index, add);
        if (one.store.picked) one.actions.updatePicked();
        assert.equal(said, effect);
        try {
          if (effect.startsWith("no.")) assert.deepEqual(seen(one), was);
          else MEANS[effect](was, seen(one), one);
        } catch (error) {
          error.message = `drag on ${side} (${effect}) in ${name}: ${error.message}`;
          throw error;
        }
      }
});

test("N, D, Z: the restored suggestion is current with its words selected, and a digit accepts it", () => {
  const one = page(GRADED);
  for (const command of ["suggestion.next", "suggestion.dismiss", "undo"]) one.commands[command]();
  assert.deepEqual(tokens(one.store), { a: [7, 8], b: [8] });
  assert.equal(effectOf("label", currentSituation(one.store)), "accept");
  one.commands.label();
  assert.deepEqual(
    [...one.store.doc.spans.values()].map(({ origin }) => origin),
    ["accepted"],
  );
});

test("given before every fragment, J keeps them all; twice in a row it is taken back", () => {
  const { store, actions, cursor, commands } = page(GRADED);
  const fragment = (from) => (commands.fragment(), cursor.place("a", from), actions.extendTo(from + 1));
  cursor.place("a", 0);
  actions.extendTo(1);
  fragment(3);
  fragment(6);
  assert.deepEqual(tokens(store).a, [0, 1, 3, 4, 6, 7]);
  assert.equal(effectOf("fragment", currentSituation(store)), "fragment.on");
  commands.fragment();
  assert.equal(effectOf("fragment", currentSituation(store)), "fragment.off");
  commands.fragment();
  assert.equal(store.adding, false);
});

test("with the focus in a field or on a button, the footer names only keys that work there", () => {
  const { store } = page(GRADED);
  const hints = (focus, letters) =>
    hintsFor(currentSituation(store), "keyboard", { focus, letters }).map(
      ({ control, effect }) => `${control} ${effect}`,
    );
  assert.deepEqual(hints("field", true), ["escape focus"]);
  assert.deepEqual(hints("bar", true), ["label mark.word", "escape focus"]);
  assert.ok(!hints("control", true).includes("arrows select"));
  assert.deepEqual(hints("control", false), []);
});

test("the rule for selecting words, in a table", () => {
  const free = currentSituation(page(GRADED).store);
  const [a, b, both, none] = [
    { a: true, b: false },
    { a: false, b: true },
    { a: true, b: true },
    { a: false, b: false },
  ];
  /** What holds, the side, whether a fragment is added, and what that does. @type {[any, "a" | "b", boolean, string][]} */
  const table = [
    [{}, "a", false, "select"],
    [{ selected: a }, "b", false, "select.link"],
    [{ selected: a, links: false }, "b", false, "select"],
    [{ selected: a }, "a", false, "select.replace"],
    [{ selected: a }, "a", true, "select.fragment"],
    [{ selected: a, discontinuous: false }, "a", true, "select.replace"],
    [{ picked: a, selected: a }, "b", false, "span.join"],
    [{ picked: b, selected: b }, "a", true, "span.join"],
    [{ picked: none }, "a", false, "span.join"],
    [{ picked: a, links: false }, "b", false, "span.leave"],
    [{ picked: a }, "a", false, "span.leave"],
    [{ picked: a }, "a", true, "span.fragment"],
    [{ picked: both }, "b", false, "span.leave"],
    [{ picked: both }, "b", true, "span.fragment"],
    [{ picked: a, marks: a }, "b", false, "no.side"],
    [{ readOnly: true }, "a", false, "no.change"],
  ];
  for (const [parts, side, add, effect] of table) {
    assert.equal(
      selectionEffect(Object.assign(Object.create(free), parts), side, add),
      effect,
      JSON.stringify([parts, side, add]),
    );
  }
});
