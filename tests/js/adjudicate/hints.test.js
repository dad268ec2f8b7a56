/** The footer during adjudication: the keys do what it announces, in every state of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, at, press, rest, write } from "../page.js";
import { mark } from "../built.js";
import { assignment } from "../helpers.js";

const DATA = assignment();
DATA.id = "hand-1";
DATA.urls = {
  annotation: "/annotation",
  submit: "/submit",
  assignment: "/assignment",
  reopen: "/reopen",
  page: "/manual/",
  next_page: "/next",
  project: "/project",
};
const versions = (...spans) => spans.map((one, n) => ({ people: [`P${n}`], spans: one ? [one] : [] }));
const regions = [
  {
    key: "k1",
    state: "disputed",
    why: "",
    proposed: [],
    versions: versions(mark("a1", "1", [[0, 8]]), mark("b1", "3", [[4, 8]])),
  },
  { key: "k2", state: "disputed", why: "", proposed: [], versions: versions(mark("a2", "2", [[21, 28]]), null) },
  {
    key: "k3",
    state: "agreed",
    why: "",
    proposed: [mark("g3", "5", [[36, 39]])],
    versions: versions(mark("a3", "5", [[36, 39]])),
  },
];
DATA.adjudication = {
  blind: false,
  rule: "majority",
  state: "open",
  by: "",
  reason: "",
  suggested: "",
  people: ["P0", "P1"],
  regions,
  comments: [],
};
write("agreement/gold_pair.html", DATA);
answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : {} }));
await import("../../../static/js/adjudicate/main.js");
const { workspace } = await import("../../../static/js/workspace/main.js");
const { HINTS } = await import("../../../static/js/workspace/view/hint-texts.js");
const { regionHints } = await import("../../../static/js/adjudicate/hints.js");
await rest(20);
const { store, view, cursor, actions, preferences } = workspace;
const words = new Set(Object.keys(HINTS).map((name) => `foot.${name}`));
// The footer shows which hints it has, not their sentences.
for (const name of Object.keys(HINTS)) HINTS[name] = name === "option.option" ? `foot.${name}={keys}` : `foot.${name}`;

const focused = () => document.activeElement;
const key = (name, how = {}) => press(focused(), name, how);
const digit = (n) => key(String(n), { code: `Digit${n}` });
const inTexts = () => at("texts").contains(focused());
const onOptions = () => at("dock-rows").contains(focused());
const spans = () =>
  [...store.doc.spans.values()]
    .map((one) => JSON.stringify([one.label, one.fragments]))
    .sort()
    .join();
const chosen = () => [...store.selected.a].join();
const foot = async () => (await rest(), at("hints").textContent.split(" · ").filter(Boolean));

/** Every state that keys lead to, each starting from the first region. */
const STATES = {
  "as it opens": () => {},
  "after N": () => key("n"),
  "after N twice": () => (key("n"), key("n")),
  "after Escape": () => key("Escape"),
  "after Escape and T": () => (key("Escape"), key("t")),
  "after a digit": () => digit(2),
  "after 0": () => digit(0),
  "after a digit, N and a digit": () => (digit(1), key("n"), digit(1)),
  "on the second option": () => key("ArrowDown"),
  "after E": () => key("e"),
  "after a digit and E, with its span picked": () => (digit(1), key("e")),
  "with words selected": () => (key("Escape"), key("ArrowRight", { shiftKey: true })),
  "with a fragment being added": () => (key("Escape"), key("ArrowRight", { shiftKey: true }), key("j")),
  "on a word that all agree about": () => (key("Escape"), cursor.place("a", 7)),
  "on the options of what all agree about": () => (key("Escape"), cursor.place("a", 7), key("t")),
  "on a word of no region": () => (key("Escape"), cursor.place("a", 3)),
  folded: () => (key("Escape"), at("dock-fold").click()),
  "on a button of the bar": () => document.querySelector("[data-command=help]").focus(),
};

function open(name) {
  store.readOnly = false;
  at("help").close?.();
  at("dock-fold").setAttribute("aria-expanded", "true");
  actions.clear();
  store.commit([
    ...[...store.doc.spans.values()].map((before) => ({ kind: "span", id: before.id, before, after: null })),
    ...[...store.doc.unmarked].map((id) => ({ kind: "unmarked", id, before: true, after: false })),
  ]);
  cursor.place("a", 0);
  workspace.commands["region.here"]();
  assert.ok(onOptions());
  STATES[name]();
}

/** What each control must do. @type {Record<string, () => void>} */
const DOES = {
  option() {
    for (const [n, { dataset }] of [...at("dock-rows").querySelectorAll("button")].entries()) {
      assert.equal(dataset.at, String(n));
      const sign = at("dock-rows").querySelectorAll("kbd")[n].textContent;
      at("live").textContent = "";
      /\d/.test(sign) ? digit(sign) : key(sign.toLowerCase());
      assert.match(at("live").textContent, /^(Taken from|All marked words|Shared words|Left unmarked)/, sign);
    }
  },
  edit: () => (key("e"), assert.ok(inTexts())),
  next: () => (
    (at("live").textContent = ""), key("n"), assert.match(at("live").textContent, /^Disputed region \d of 2/)
  ),
  here: () => (key("t"), assert.ok(onOptions())),
  escape() {
    const [before, texts] = [chosen(), inTexts()];
    key("Escape");
    assert.ok(inTexts() && (texts ? chosen() !== before : true));
  },
  help: () => (key("?"), assert.ok(at("help").open)),
  label() {
    const before = spans();
    digit(5);
    assert.notEqual(spans(), before);
  },
  arrows() {
    const before = [chosen(), spans()].join();
    key("ArrowRight", { shiftKey: true });
    assert.notEqual([chosen(), spans()].join(), before);
  },
  fragment() {
    const before = store.adding;
    key("j");
    assert.notEqual(store.adding, before);
  },
  end() {
    const { head } = store.selection.active;
    key("o");
    assert.notEqual(store.selection.active.head, head);
  },
  tab: () => assert.ok(words.has("foot.tab.select.link")),
};

for (const name of Object.keys(STATES))
  test(`${name}, the foot says what the keys do`, async () => {
    store.setDevice("keyboard");
    open(name);
    const hints = await foot();
    assert.ok(hints.length > 1, hints.join());
    for (const hint of hints) {
      const [, control] = hint.split(/[.=]/);
      assert.ok(words.has(hint.split("=")[0]), `${hint} has words`);
      assert.ok(control in DOES, `${hint} is known here`);
      open(name);
      DOES[control]();
    }
    open(name);
    assert.equal(
      hints.some((hint) => hint.startsWith("foot.option")),
      onOptions(),
      "digits are promised where they take an option",
    );
    assert.equal(
      hints.some((hint) => hint.startsWith("foot.label")),
      !onOptions(),
      "or where they label",
    );
    if (onOptions()) assert.ok(hints.includes(`foot.option.option=${keysShown()}`), hints.join());
  });

/** The keys shown next to the options. */
function keysShown() {
  const shown = [...at("dock-rows").querySelectorAll("kbd")].map((one) => one.textContent);
  return shown.join(" ");
}

test("R is never announced: there are no read ticks here", async () => {
  for (const device of ["mouse", "keyboard", "touch"]) {
    store.setDevice(device);
    for (const name of Object.keys(STATES)) {
      open(name);
      assert.ok(!(await foot()).some((hint) => hint.includes(".read")), name);
    }
  }
  store.setDevice("touch");
  open("as it opens");
  assert.deepEqual(await foot(), ["foot.tap.option"]);
});

test("if letters are limited to the texts, the options announce only their own", async () => {
  store.setDevice("keyboard");
  preferences.set("letters", false);
  open("as it opens");
  assert.deepEqual(await foot(), [`foot.option.option=${keysShown()}`, "foot.edit.region.edit", "foot.escape.focus"]);
  const before = at("dock-count").textContent;
  key("n");
  assert.equal(at("dock-count").textContent, before);
  preferences.set("letters", true);
});

test("decided pairs announce nothing, and many options are named by the first and the last", async () => {
  open("as it opens");
  store.readOnly = true;
  store.emit("view");
  assert.deepEqual(await foot(), []);
  const where = { focus: "control", letters: true };
  const many = { presses: ["1", "2", "3", "r", "0"], shown: true, disputed: false, within: true };
  assert.deepEqual(
    regionHints([], many, "keyboard", where).map(({ control, keys }) => keys ?? control),
    ["1–3 R 0", "edit", "escape", "help"],
  );
  const none = { presses: [], shown: false, disputed: false, within: true };
  assert.deepEqual(
    regionHints([], none, "keyboard", where).map(({ control }) => control),
    ["escape", "help"],
  );
  assert.deepEqual(regionHints([], none, "touch", where), []);
  assert.deepEqual(
    regionHints([{ control: "help", effect: "help" }], { ...none, within: false }, "mouse", where).length,
    1,
  );
});
