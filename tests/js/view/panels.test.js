/** The panels next to or over the texts: help, guidelines, preferences, the list of spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frame, media, rest, send, words } from "../page.js";
import { built, RATING } from "../built.js";
import { annotation, FakeStorage } from "../helpers.js";
import { GROUPS, SHORTCUTS } from "../../../static/js/workspace/model/keyboard.js";
import { docOf } from "../../../static/js/workspace/model/patches.js";
import { chooseVersion } from "../../../static/js/workspace/view/conflict.js";
import { Panels } from "../../../static/js/workspace/view/panels.js";

test("guidelines beside the texts stay on Escape and on the next pair, where they were being read; over them, they don't", () => {
  const panel = () => at("guidelines");
  const open = (storage = new FakeStorage(), more = {}) => {
    const { store, preferences } = built(more);
    return { storage, panels: new Panels(store, preferences, () => true, storage, "3") };
  };
  const first = open();
  assert.ok(panel().hidden && first.panels.toggleGuidelines());
  assert.equal(document.activeElement, at("guidelines-title"));
  assert.deepEqual([first.panels.close(true), panel().hidden], [true, false], "the focus leaves them");
  document.activeElement.blur();
  assert.ok(!first.panels.close(true), "Escape is then about the texts");
  panel().scrollTop = 120;
  send(panel(), "scroll");
  const second = open(first.storage);
  frame();
  assert.deepEqual([panel().hidden, panel().scrollTop, document.activeElement], [false, 120, document.body]);
  assert.equal(second.panels.toggleGuidelines(), false);
  open(first.storage);
  assert.ok(panel().hidden, "closed once, closed on the next pair");
  const third = open();
  third.panels.toggleGuidelines();
  media.add("(max-width: 1100px)");
  open(third.storage);
  assert.ok(panel().hidden, "a narrow window is not covered");
  const narrow = open();
  narrow.panels.toggleGuidelines();
  assert.deepEqual([narrow.panels.close(true), panel().hidden, narrow.storage.length], [true, true, 0]);
  media.clear();
  const full = open(new FakeStorage(0));
  assert.ok(full.panels.toggleGuidelines(), "a full storage is no obstacle");
});

test("help, guidelines, preferences and the list open and close; unavailable commands are not listed", () => {
  const { store, preferences } = built();
  const panels = new Panels(store, preferences, (needed) => needed !== "questions", new FakeStorage(), "3");
  assert.deepEqual([...at("guidelines-labels").querySelectorAll("b")].map(words), ["L1", "L2", "L3", "L4", "L5"]);
  assert.ok(!panels.close());
  panels.toggleGuidelines();
  assert.ok(!at("guidelines").hidden && document.activeElement === at("guidelines-title"));
  at("guidelines-close").click();
  assert.ok(at("guidelines").hidden);
  panels.toggleGuidelines();
  assert.ok(panels.close());
  panels.toggleSpanList();
  assert.ok(!preferences.values.ledger && document.body.classList.contains("no-span-list"));
  panels.toggleSpanList();
  assert.ok(!document.body.classList.contains("no-span-list"));
  media.add("(max-width: 1100px)");
  panels.toggleSpanList();
  assert.ok(
    document.body.classList.contains("span-list-open") &&
      panels.close() &&
      !document.body.classList.contains("span-list-open"),
  );
  media.clear();
  panels.showHelp();
  const listed = words(at("help-list"));
  assert.ok(
    at("help").open &&
      listed.includes("Undo") &&
      listed.includes("Mouse and touch") &&
      listed.includes("Drag a handle") &&
      !listed.includes("Answer the question"),
  );
  at("help").querySelector("[data-close]").click();
  assert.ok(!at("help").open);
  panels.showHelp();
  assert.equal(words(at("help-list")), listed, "listed once");
  send(at("help"), "click");
  assert.ok(!at("help").open, "a click beside it closes it");
  panels.showPreferences();
  assert.ok(at("preferences").open);
  send(at("preferences-form"), "click");
  assert.ok(at("preferences").open);
  assert.deepEqual(panels.keys({ command: "label", keys: [] }), ["1", "2", "3", "4", "5"]);
});

test("a project without guidelines says so in their place, until there are some", () => {
  const { store, preferences } = built({ more: { guideline: null } });
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  assert.equal(words(at("guidelines-text")), "There are no guidelines yet.");
  panels.showGuidelines({ html: "<p>Mark less.</p>" });
  assert.equal(words(at("guidelines-text")), "Mark less.");
});

test("links of the guidelines open in a new tab", () => {
  const { store, preferences } = built({ more: { guideline: { version: 1, html: '<a href="/x">more</a>' } } });
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  const link = () => at("guidelines-text").querySelector("a");
  assert.deepEqual([link().target, link().rel], ["_blank", "noopener noreferrer"]);
  panels.showGuidelines({ html: '<a href="/y">newer</a>' });
  assert.deepEqual([link().textContent, link().target], ["newer", "_blank"]);
});

test("the keys of answers are named once each, those of other commands as the keyboard names them", () => {
  const { store, preferences } = built({ scheme: RATING });
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  assert.deepEqual(
    [panels.keys({ command: "answer", keys: [] }), panels.keys({ command: "label", keys: [] })],
    [["y", "n"], []],
  );
  assert.deepEqual(panels.keys({ command: "x", keys: ["ArrowUp", "q"] }), ["↑", "Q"]);
});

test("the help has no section of commands that there are none of, and no gestures without anything to mark", () => {
  const { store, preferences } = built();
  const panels = new Panels(store, preferences, (needed) => needed === "always", new FakeStorage(), "3");
  panels.showHelp();
  const sections = [...at("help-list").querySelectorAll("section")];
  assert.ok(sections.every((section) => section.hidden || section.querySelector("dd")));
  assert.ok(at("help-list").querySelector(".gestures").hidden);
  assert.equal(at("help-list").querySelectorAll("h3").length, sections.length);
});

test("what a suggestion adds to a command is said only where there are some", () => {
  const told = (suggesting) => {
    const { store, preferences } = built();
    at("help-list").replaceChildren();
    new Panels(
      store,
      preferences,
      (needed) => needed !== "highlights" || suggesting,
      new FakeStorage(),
      "3",
    ).showHelp();
    return [...at("help-list").querySelectorAll("dd")].map((one) => one.textContent);
  };
  const { does, suggesting } = SHORTCUTS.find(({ command }) => command === "open");
  assert.ok(told(true).includes(suggesting) && !told(true).includes(does) && told(false).includes(does));
});

test("in a narrow window the list that is opened gets the focus, and is closed by the same command", () => {
  const { store, preferences } = built();
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  media.add("(max-width: 1100px)");
  at("span-list").querySelector("ol").innerHTML = "<li><button>1</button></li>";
  panels.toggleSpanList();
  assert.ok(at("span-list").contains(document.activeElement) && document.body.classList.contains("span-list-open"));
  panels.toggleSpanList();
  assert.ok(!document.body.classList.contains("span-list-open") && preferences.values.ledger);
  media.clear();
});

test("where the guidelines were read is remembered for one person and one project", () => {
  const storage = new FakeStorage();
  const open = (person, slug) => {
    const { store, preferences } = built();
    store.assignment.project.slug = slug;
    return new Panels(store, preferences, () => true, storage, person);
  };
  const first = open("3", "p");
  first.toggleGuidelines();
  at("guidelines").scrollTop = 80.4;
  send(at("guidelines"), "scroll");
  assert.equal(storage.getItem(first.key), "80");
  for (const [person, slug, hidden] of [
    ["4", "p", true],
    ["3", "q", true],
    ["3", "p", false],
  ]) {
    open(person, slug);
    assert.equal(at("guidelines").hidden, hidden);
  }
});

test("opening the guidelines closes what lies over the texts", () => {
  const { store, preferences } = built();
  const panels = new Panels(store, preferences, () => true, new FakeStorage(), "3");
  const other = panels.drawers.find((one) => one !== panels.drawer);
  other.hidden = false;
  document.body.classList.add("span-list-open");
  panels.toggleGuidelines();
  assert.deepEqual(
    [other.hidden, document.body.classList.contains("span-list-open"), at("guidelines").hidden],
    [true, false, false],
  );
});

test("each section of the help lists its own commands, with their keys", () => {
  const { store, preferences } = built();
  new Panels(store, preferences, () => true, new FakeStorage(), "3").showHelp();
  const sections = [...at("help-list").querySelectorAll("section:not(.gestures)")];
  assert.deepEqual(
    sections.map((section) => section.querySelector("h3").textContent),
    GROUPS.map(({ title }) => title),
  );
  const listed = sections.map((section) => section.querySelectorAll("dd").length);
  assert.deepEqual(
    listed,
    GROUPS.map(({ group }) => SHORTCUTS.filter((one) => one.group === group).length),
  );
  const several = sections
    .flatMap((section) => [...section.querySelectorAll("dt")])
    .filter((one) => one.querySelectorAll("kbd").length > 1);
  assert.ok(several.length);
  for (const one of several)
    assert.equal(one.textContent, [...one.querySelectorAll("kbd")].map((key) => key.textContent).join(" "));
  const [first] = SHORTCUTS.filter((one) => one.group === GROUPS[0].group);
  assert.equal(sections[0].querySelector("dt").querySelectorAll("kbd").length, first.keys.length);
});

test("guidelines that are opened are remembered at once, before they are scrolled", () => {
  const { store, preferences } = built();
  const storage = new FakeStorage();
  const panels = new Panels(store, preferences, () => true, storage, "3");
  panels.toggleGuidelines();
  assert.equal(storage.getItem(panels.key), "0");
  panels.toggleGuidelines();
  assert.equal(storage.getItem(panels.key), null);
});

test("a click beside a dialog closes it, unless it asks which version to keep", async () => {
  const { store, preferences } = built();
  new Panels(store, preferences, () => true, new FakeStorage(), "3");
  const answer = chooseVersion(store, docOf(annotation()), { ...annotation([], 2), comment: "theirs" });
  store.commit([{ kind: "comment", id: "", before: "", after: "mine" }]);
  await rest();
  assert.ok(at("conflict").open);
  send(at("conflict"), "click");
  assert.ok(at("conflict").open, "it must be answered");
  at("conflict-take").click();
  assert.equal((await answer).choice, "theirs");
  at("verdict").showModal();
  send(at("verdict-form"), "click");
  assert.ok(at("verdict").open);
  send(at("verdict"), "click");
  assert.ok(!at("verdict").open);
});
