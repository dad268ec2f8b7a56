/** The footer: hints on keys, active time, undo and redo. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, media, rest } from "../page.js";
import { built, RATING } from "../built.js";
import { Status } from "../../../static/js/workspace/view/status.js";

const CLOCK = { seconds: 130, active: true };

test("the footer says what the controls do now, during a drag its effect, and nothing if the pair is read-only", async () => {
  const { store, preferences } = built();
  const clock = { ...CLOCK };
  const status = new Status(store, clock, preferences);
  assert.equal(at("hints").textContent, "1–5 mark the word · drag to select · R ticks as read · ? shortcuts");
  assert.equal(at("time").textContent, "2 min");
  clock.seconds = 7300;
  status.showTime();
  assert.equal(at("time").textContent, "2 h 1 min");
  const undo = document.querySelector(".steps [data-command=undo]");
  assert.equal(undo.getAttribute("aria-disabled"), "true");
  store.commit([{ kind: "comment", id: "", before: "", after: "x" }]);
  assert.equal(undo.getAttribute("aria-disabled"), "false");
  const before = at("hints").textContent;
  store.select({ fixed: { a: [], b: [] }, active: { side: "a", anchor: 0, head: 1 } });
  assert.equal(at("hints").textContent, before, "not with every single change");
  await rest();
  assert.notEqual(at("hints").textContent, before);
  store.readOnly = true;
  store.emit("view");
  await rest();
  assert.deepEqual([at("hints").textContent, undo.getAttribute("aria-disabled")], ["", "true"]);
});

test("if there are only questions, the footer names the keys that answer", () => {
  const { store, preferences } = built({ scheme: RATING });
  new Status(store, CLOCK, preferences);
  assert.equal(at("hints").textContent, "y n answer · Ctrl ↵ submits · ? shortcuts");
});

const NARROW = "(max-width: 640px), (max-height: 480px)";
/** The footer, with room for as many letters as given. */
function footer(letters = Infinity, parts = {}) {
  const made = built(parts);
  const status = new Status(made.store, { ...CLOCK }, made.preferences);
  const element = at("hints");
  Object.defineProperty(element, "scrollWidth", { get: () => element.textContent.length, configurable: true });
  Object.defineProperty(element, "clientWidth", { get: () => letters, configurable: true });
  return { ...made, status, element };
}

test("as many hints are shown as fit, the most important first; all of them are in the title", () => {
  const { status, element } = footer(9);
  status.showFitting(["one", "two", "three", "four"]);
  assert.deepEqual([element.textContent, element.title], ["one · two", "one · two · three · four"]);
  status.showFitting(["much too long for it", "two"]);
  assert.equal(element.textContent, "much too long for it", "one is shown, however long");
  const high = footer(99);
  Object.defineProperty(high.element, "scrollHeight", {
    get: () => (high.element.textContent.includes("two") ? 40 : 20),
    configurable: true,
  });
  Object.defineProperty(high.element, "clientHeight", { get: () => 20, configurable: true });
  high.status.showFitting(["one", "two"]);
  assert.equal(high.element.textContent, "one", "nor may they break into a second line");
});

test("after the window has another size, the hints are fitted again", async () => {
  const { element } = footer();
  const resized = async (letters) => {
    Object.defineProperty(element, "clientWidth", { get: () => letters, configurable: true });
    dispatchEvent(new Event("resize"));
    await rest();
    return element.textContent;
  };
  const [all, few] = [element.textContent, await resized(9)];
  assert.ok(all.startsWith(few) && few.length < all.length);
  assert.equal(await resized(Infinity), all);
});

test("why a key did nothing is shown until something changes", async () => {
  const { store, status, element } = footer();
  const before = element.textContent;
  status.showRefusal("not now");
  assert.deepEqual([element.textContent, element.title], ["not now", "not now"]);
  store.moveTo("a", 2);
  await rest();
  assert.equal(element.textContent, before);
});

test("the hints are those of where the focus is, and of whether letters work there", async () => {
  const { element, preferences } = footer();
  const texts = element.textContent;
  const now = async (change) => (change(), await rest(), element.textContent);
  const field = await now(() => at("pair-comment").focus());
  assert.notEqual(field, texts);
  at("pair-comment").blur();
  document.querySelector("button").focus();
  const control = await now(() => {});
  assert.notEqual(await now(() => preferences.set("letters", false)), control);
  document.activeElement.blur();
});

test("a page that extends the workspace changes the hints", async () => {
  const { store, status, element } = footer();
  const given = [];
  status.adaptHints = (hints, where) => (given.push(where), hints.slice(-1));
  store.emit("view");
  await rest();
  assert.ok(!element.textContent.includes("·"));
  assert.deepEqual(given, [{ focus: "page", letters: true }]);
});

test("the effect of a drag is shown while it lasts; in a narrow window above the texts alone", async () => {
  const { store, element } = footer();
  const drag = async (gesture) => {
    store.setDragging(true, gesture);
    await rest();
    return [element.textContent, at("drag-note").textContent];
  };
  const [link, fragment] = [await drag("select.link"), await drag("select.fragment")];
  assert.ok(link[0] && link[0] === link[1] && fragment[0] === fragment[1] && link[0] !== fragment[0]);
  const [hints, note] = await drag("select");
  assert.ok(hints !== link[0] && note === "", "a new selection needs no words");
  media.add(NARROW);
  const narrow = await drag("select.link");
  assert.ok(narrow[1] === link[1] && narrow[0] !== link[0]);
  store.setDragging(false);
  await rest();
  assert.equal(at("drag-note").textContent, "");
  media.clear();
});

test("a narrow window has the short forms of hints", async () => {
  const { store, element } = footer();
  store.setDevice("touch");
  await rest();
  const long = element.textContent;
  media.add(NARROW);
  store.emit("view");
  await rest();
  assert.ok(element.textContent.length < long.length);
  media.clear();
});
