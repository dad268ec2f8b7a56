/** The label bar: where it is, what it offers, its keys. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, boxes, media, press, send } from "../page.js";
import { built, HIGHLIGHTS, spans } from "../built.js";
import { GRADED } from "../helpers.js";
import { SuggestionActions } from "../../../static/js/workspace/input/suggestion-actions.js";
import { LabelBar } from "../../../static/js/workspace/view/label-bar.js";

test("the label bar is next to the moving end of the run", () => {
  const { store, view, actions } = built();
  const labelBar = new LabelBar(store, view, actions, at("label-bar"), () => {});
  const head = (anchor, end) => {
    store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor, head: end } });
    return labelBar.head([Math.min(anchor, end), Math.max(anchor, end)]);
  };
  assert.deepEqual([head(1, 3), head(3, 1)], [3, 1]);
  store.select({ fixed: { a: [1, 2], b: [] }, active: null });
  assert.equal(labelBar.head([1, 2]), 2);
});

/** A page with the label bar. */
function bar(parts) {
  const made = built(parts);
  const ran = [];
  const labelBar = new LabelBar(made.store, made.view, made.actions, at("label-bar"), (name) => ran.push(name));
  const tool = (name) => at("label-bar").querySelector(`[data-command="${name}"]`);
  return { ...made, ran, labelBar, tool };
}

test("the label bar opens next to the selection, and offers the available commands", () => {
  const { store, actions, labelBar, tool, ran, add, span } = bar();
  assert.deepEqual([at("label-bar").hidden, labelBar.focus()], [true, false]);
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  assert.ok(!at("label-bar").hidden);
  assert.deepEqual(
    ["fragment", "comment", "split", "remove", "suggestion.dismiss", "escape"].map((name) => tool(name).hidden),
    [false, true, true, true, true, false],
  );
  assert.equal(labelBar.kind.textContent, "only in English");
  assert.notEqual(at("label-bar").style.top, "");
  assert.match(at("label-bar").style.left, /^\d+px$/);
  assert.equal(tool("fragment").getAttribute("aria-pressed"), "false");
  store.setAdding(true);
  assert.equal(tool("fragment").getAttribute("aria-pressed"), "true");
  store.setAdding(false);
  assert.equal(at("label-bar").style.getPropertyValue("--column"), "300px");
  assert.ok(labelBar.comment.hidden);
  labelBar.labels.get("3").click();
  assert.deepEqual([spans(store)[0][0], ran], ["3", ["focus"]]);
  assert.ok(at("label-bar").hidden);
  add(span("s2", "4", [5], [5]));
  actions.pick("s2");
  assert.deepEqual(
    ["comment", "split", "remove"].map((name) => tool(name).hidden),
    [false, false, false],
  );
  assert.equal(labelBar.labels.get("4").getAttribute("aria-pressed"), "true");
  assert.equal(labelBar.labels.get("3").getAttribute("aria-pressed"), "false");
  assert.equal(labelBar.kind.textContent, "in both texts");
  assert.ok(labelBar.focus());
  assert.equal(document.activeElement, labelBar.labels.get("4"));
  for (const name of ["remove", "escape"]) tool(name).click();
  assert.deepEqual(ran.slice(1), ["remove", "escape"]);
  store.setDragging(true);
  assert.ok(at("label-bar").hidden);
});

test("the label bar shows the label that is predicted for a suggestion, and offers to accept it", () => {
  const [first, second] = HIGHLIGHTS.proposals;
  const { store, actions, labelBar, ran } = bar({
    highlights: { ...HIGHLIGHTS, proposals: [{ ...first, predicted: "3" }, second] },
  });
  const steps = new SuggestionActions(store, { place() {} }, actions, {}, () => {});
  const predicted = () =>
    [...labelBar.labels].filter(([, button]) => button.classList.contains("predicted")).map(([key]) => key);
  steps.show("p1");
  assert.deepEqual([predicted(), labelBar.accept.hidden, labelBar.accept.textContent], [["3"], false, "Accept as L3"]);
  labelBar.accept.click();
  assert.deepEqual(ran, ["open"]);
  actions.accept();
  const [span] = store.doc.spans.values();
  assert.deepEqual([span.label, span.predicted, span.origin, store.picked], ["3", "3", "accepted", span.id]);
  assert.deepEqual([predicted(), labelBar.accept.hidden], [[], true]);
  actions.label("5");
  assert.deepEqual(
    [...store.doc.spans.values()].map((one) => [one.label, one.predicted]),
    [["5", "3"]],
  );
  steps.show("p2");
  assert.deepEqual([predicted(), labelBar.accept.hidden], [[], true]);
  actions.accept();
  assert.equal(store.doc.spans.size, 1, "nothing is predicted, nothing is accepted");
});

test("keys move along the label bar and leave it; a comment is saved while it is typed", () => {
  const { store, actions, labelBar, ran, add, span, said } = bar();
  add(span("s1", "4", [5], []));
  actions.pick("s1");
  labelBar.focus();
  press(document.activeElement, "ArrowRight");
  assert.equal(document.activeElement, labelBar.labels.get("5"));
  press(document.activeElement, "ArrowLeft");
  press(document.activeElement, "ArrowUp");
  assert.equal(document.activeElement, labelBar.labels.get("3"));
  assert.ok(press(document.activeElement, "Escape").defaultPrevented);
  assert.ok(!press(labelBar.labels.get("3"), "x").defaultPrevented);
  assert.deepEqual(ran, ["focus"]);
  assert.ok(labelBar.comment.hidden);
  labelBar.editComment();
  assert.deepEqual([document.activeElement, labelBar.comment.hidden], [labelBar.comment, false]);
  labelBar.comment.value = "a word";
  send(labelBar.comment, "input");
  assert.equal(store.span("s1").comment, "a word");
  send(labelBar.comment, "change");
  assert.equal(said.at(-1), "Comment saved");
  press(labelBar.comment, "Enter");
  assert.deepEqual(ran, ["focus", "focus"]);
  assert.ok(send(labelBar.labels.get("3"), "mousedown").defaultPrevented, "the selection stays");
  assert.ok(!send(labelBar.comment, "mousedown").defaultPrevented);
  labelBar.comment.blur();
  add(span("s2", "4", [7], [], { comment: "of another span" }));
  actions.pick("s2");
  assert.deepEqual([labelBar.comment.value, labelBar.comment.hidden], ["of another span", false]);
});

test("in a comment, keys of an input method are not the bar's", () => {
  const { actions, labelBar, ran, add, span } = bar();
  add(span("s1", "4", [5], []));
  actions.pick("s1");
  labelBar.editComment();
  for (const key of ["Enter", "Escape"])
    assert.ok(!press(labelBar.comment, key, { isComposing: true }).defaultPrevented);
  assert.deepEqual(ran, []);
  assert.ok(!press(labelBar.comment, "ArrowLeft").defaultPrevented, "an arrow moves in the comment");
  press(labelBar.comment, "Escape");
  assert.deepEqual(ran, ["focus"]);
});

const select = (store, side, anchor, head) => store.select({ fixed: { a: [], b: [] }, active: { side, anchor, head } });

test("the labels are buttons with their names and descriptions; a click labels the selection and goes back to the texts", () => {
  const labels = GRADED.labels.map((label) => ({ ...label, description: `about ${label.key}` }));
  const { store, labelBar, ran } = bar({ scheme: { ...GRADED, labels } });
  assert.deepEqual(
    [...labelBar.labels.values()].map(({ title }) => title),
    labels.map(({ description }) => description),
  );
  select(store, "a", 1, 2);
  labelBar.labels.get("2").click();
  assert.deepEqual([spans(store), store.picked, ran], [[["2", "manual", [1, 2], []]], null, ["focus"]]);
});

test("the arrows go round the shown buttons, and Tab leaves the bar", () => {
  const { store, labelBar, ran } = bar();
  select(store, "a", 1, 2);
  labelBar.focus();
  assert.equal(document.activeElement, labelBar.labels.get("1"), "without a picked span, the first label");
  press(document.activeElement, "ArrowLeft");
  assert.equal(document.activeElement.dataset.command, "escape", "the last button");
  press(document.activeElement, "ArrowDown");
  assert.equal(document.activeElement, labelBar.labels.get("1"));
  assert.ok(press(document.activeElement, "Tab").defaultPrevented);
  assert.deepEqual(ran, ["focus"]);
});

test("why words are suggested is said, and how they could be linked with the device in use", () => {
  const { store, labelBar, add, span, actions } = bar({ highlights: HIGHLIGHTS });
  select(store, "a", 0, 0);
  assert.ok(labelBar.why.hidden && labelBar.link.textContent);
  const mouse = labelBar.link.textContent;
  store.setDevice("touch");
  select(store, "a", 0, 1);
  assert.notEqual(labelBar.link.textContent, mouse);
  store.suggest("p1");
  select(store, "a", 1, 2);
  assert.ok(!labelBar.why.hidden && labelBar.why.textContent);
  store.suggest(null);
  add(span("s1", "4", [5], [5]));
  actions.pick("s1");
  assert.equal(labelBar.link.textContent, "", "it is linked already");
});

test("it is hidden in a read-only pair, and offers no fragment where a span is a single run", () => {
  const { store, tool, labelBar } = bar({ scheme: { ...GRADED, discontinuous: false, sides: ["a"], links: false } });
  select(store, "a", 1, 2);
  assert.deepEqual([tool("fragment").hidden, labelBar.kind.textContent], [true, ""], "and there is only one side");
  store.readOnly = true;
  store.emit("controls");
  assert.ok(at("label-bar").hidden && !labelBar.focus());
});

test("it is placed at the selection of the cursor's side, or of the other if that has none", () => {
  const { store, labelBar } = bar();
  const placed = [];
  const { place } = labelBar;
  labelBar.place = () => (
    (at("label-bar").style.top = at("label-bar").style.left = ""),
    place.call(labelBar),
    placed.push(at("label-bar").style.left)
  );
  store.moveTo("b", 0);
  store.select({ fixed: { a: [0], b: [2] }, active: null });
  store.select({ fixed: { a: [0], b: [] }, active: null });
  assert.ok(placed[0] && placed[1] && parseInt(placed[0], 10) >= 500 && parseInt(placed[1], 10) < 500, placed.join());
});

test("in a narrow window it is at an edge of one of the two texts, within what is shown", () => {
  const { store, labelBar } = bar();
  boxes.set(at("divider"), [0, 200, 900, 10]);
  const texts = at("texts").getBoundingClientRect();
  assert.deepEqual(labelBar.edgePositions(texts, 40), [360, 160, 210, 0]);
  boxes.set(at("divider"), [0, 390, 900, 10]);
  assert.deepEqual(labelBar.edgePositions(texts, 40), [360, 350, 360, 0]);
  boxes.set(at("divider"), [0, 20, 900, 10]);
  assert.deepEqual(labelBar.edgePositions(texts, 40), [360, 0, 30, 0]);
  boxes.set(at("label-bar"), [0, 0, 900, 40]);
  media.add("(max-width: 640px)");
  select(store, "a", 0, 0);
  media.clear();
  boxes.clear();
  assert.deepEqual(
    [["0px", "30px", "360px"].includes(at("label-bar").style.top), at("label-bar").style.left],
    [true, "0px"],
  );
});

test("a comment that is being typed stays in its field, while that of another span takes its place only later", () => {
  const { labelBar, actions, add, span, store } = bar();
  add(span("s1", "4", [5], []), span("s2", "4", [7], [], { comment: "other" }));
  actions.pick("s1");
  labelBar.editComment();
  labelBar.comment.value = "typed ";
  store.emit("controls");
  assert.deepEqual([labelBar.comment.value, labelBar.comment.hidden], ["typed ", false]);
  labelBar.comment.blur();
  store.emit("controls");
  assert.deepEqual([labelBar.comment.value, labelBar.comment.hidden], ["", true]);
  actions.pick("s2");
  assert.equal(labelBar.comment.value, "other");
});

test("keys that the bar takes are not the page's too", () => {
  const { store, labelBar, actions, add, span } = bar();
  const heard = [];
  const hear = ({ key }) => heard.push(key);
  document.body.addEventListener("keydown", hear);
  add(span("s1", "4", [5], []));
  actions.pick("s1");
  labelBar.focus();
  for (const key of ["ArrowRight", "Escape", "3"]) press(labelBar.labels.get("1"), key);
  labelBar.editComment();
  for (const key of ["Enter", "x"]) press(labelBar.comment, key);
  document.body.removeEventListener("keydown", hear);
  assert.deepEqual([heard, store.picked], [["3", "x"], "s1"]);
});
