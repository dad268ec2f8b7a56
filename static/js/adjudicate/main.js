/** Manual adjudication: the workspace with a queue of disputed regions, decided one by one. */

import "./wording.js";
import { format, gettext, ngettext } from "../gettext.js";
import { requireElement, acceptsText } from "../workspace/view/dom.js";
import { chord } from "../workspace/model/keyboard.js";
import { workspace } from "../workspace/main.js";
import { SIDES } from "../workspace/model/spans.js";
import { Dock } from "./dock.js";
import { DisputedQuestions } from "./disputed-questions.js";
import { regionHints } from "./hints.js";
import { Lanes } from "./lanes.js";
import { decisionPatch, goldSpansIn, regionsOf, sourcesOf } from "./disputed-regions.js";
import { joinNames } from "./people.js";

/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Option} Option */

/** What is announced when an option is chosen. @type {Record<string, string>} */
const CHOICE_MESSAGES = {
  variant: gettext("Taken from {people}"),
  rule: gettext("Taken from the rule"),
  joined: gettext("All marked words accepted"),
  common: gettext("Shared words accepted"),
  none: gettext("Left unmarked"),
};
/** Where the picked span comes from. @type {Record<string, string>} */
const ORIGINS = {
  taken: gettext("This span: taken from {people}"),
  joined: gettext("This span: merged from {people}"),
  changed: gettext("This span: edited, based on {people}"),
  anew: gettext("This span: newly marked"),
};

const { store, view, cursor, actions, verdicts, commands, status, say } = workspace;
const adjudication = /** @type {import("./types.js").Adjudication} */ (store.assignment.adjudication);
const people = adjudication.people.map((name) => ({
  name,
  spans: adjudication.regions.flatMap(({ versions }) =>
    versions.filter((one) => one.people.includes(name)).flatMap(({ spans }) => spans),
  ),
}));
const regions = regionsOf(adjudication.regions, store.grids, store.order);
const lanes = new Lanes(store, view, people);
const dock = new Dock(store, adjudication, regions, choose);
new DisputedQuestions(store, adjudication, requireElement("questions"));

/** Whether this module is moving the cursor, so that the dock need not follow it. */
let movingCursor = false;

/** @param {Region | null} region */
function show(region) {
  dock.show(region);
  lanes.highlight(region);
  status.scheduleHint();
}

/** Whether the dock handles keys pressed on an element. @param {EventTarget | null} target */
function dockHandles(target) {
  return (
    target instanceof Element && dock.element.contains(target) && !acceptsText(target) && !target.closest("details")
  );
}

/** Go to a region: its words are scrolled into view, and its options get the focus. @param {Region} region */
function go(region) {
  actions.clear();
  const side = region.tokens.a.size ? "a" : "b";
  // Show the dock first: it takes up space, and the words must be visible in the rest.
  show(region);
  movingCursor = true;
  cursor.place(side, Math.min(...region.tokens[side]), { focus: dock.folded });
  movingCursor = false;
  if (!dock.folded) dock.focus();
  say([requireElement("dock-count").textContent, requireElement("dock-state").textContent].join(". "));
}

/** Go to the next or previous disputed region; undecided ones first, if there are any. @param {number} step */
function goToDisputed(step) {
  const { disputed, open } = dock.queue();
  const list = open.length ? regions.filter((region) => open.includes(region) || region === dock.region) : disputed;
  if (!list.length) return say(gettext("No disputed regions"));
  const at = dock.region ? list.indexOf(dock.region) : -1;
  go(list[at < 0 ? (step > 0 ? 0 : list.length - 1) : (at + step + list.length) % list.length]);
}

/** @param {Option} option */
function choose(option) {
  const { region } = dock;
  if (!region || store.readOnly) return;
  actions.clear();
  store.commit(decisionPatch(region, option, store));
  // A key can choose an option while another one has the focus: move the focus to the chosen one.
  if (dock.rows.contains(document.activeElement)) dock.focus(dock.options.indexOf(option));
  say([format(CHOICE_MESSAGES[option.kind], { people: joinNames(option.people) }), dock.undecidedText()].join(". "));
}

/** Go to the texts with the gold's span of this region picked, to change it. */
function edit() {
  const { region } = dock;
  if (!region) return;
  const [span] = goldSpansIn(region, store);
  const tokens = span ? store.cover.of(span.id) : { a: [...region.tokens.a], b: [...region.tokens.b] };
  const side = SIDES.find((one) => tokens[one].length && store.canMark(one)) ?? "b";
  cursor.place(side, Math.min(...tokens[side]));
  if (span) actions.pick(span.id);
}

// The dock follows the cursor, so that it always shows the region at the cursor.
store.on("cursor", () => {
  if (movingCursor) return;
  const { side, index } = store.cursor;
  const current = regions.find((region) => region.tokens[side].has(index));
  if (current) show(current);
});

/** Show where the picked span comes from. */
function showOrigin() {
  const span = store.picked ? store.span(store.picked) : null;
  const origin = span ? sourcesOf(span, people, store.grids) : null;
  requireElement("dock-origin").textContent = origin
    ? format(ORIGINS[origin.how], { people: joinNames(origin.names) })
    : "";
}
store.on("picked", showOrigin);
store.on("doc", showOrigin);

Object.assign(commands, {
  "region.next": () => goToDisputed(1),
  "region.previous": () => goToDisputed(-1),
  "region.here": () => (dock.region ? dock.focus() : goToDisputed(1)),
  "region.lanes": () => {
    const hidden = document.body.classList.toggle("no-lanes");
    say(hidden ? gettext("Everyone's marks are hidden") : gettext("Everyone's marks are shown"));
  },
  submit: () => {
    const { open } = dock.queue();
    if (store.readOnly) return;
    if (!open.length) {
      if (!verdicts.goToUnanswered()) verdicts.send({ verdict: "submitted", reason: "" });
      return;
    }
    go(open[0]);
    const warning = ngettext(
      "One region is undecided. Choose an option, or leave it unmarked.",
      "{n} regions are undecided. Choose an option for each, or leave it unmarked.",
      open.length,
    );
    requireElement("dock-warn").textContent = format(warning, { n: open.length });
  },
});
/** @type {typeof status.adaptHints} */
const more = (hints, where) => {
  const presses = dock.options.map(({ press }) => press).filter(Boolean);
  const summary = {
    presses,
    shown: dock.region !== null,
    disputed: dock.queue().disputed.length > 0,
    within: dockHandles(document.activeElement),
  };
  return regionHints(hints, summary, store.device, where);
};
status.adaptHints = more;
status.scheduleHint();

dock.element.addEventListener("keydown", (event) => {
  if (!dockHandles(event.target)) return;
  const pressed = chord(event);
  const option = dock.options.find(({ press }) => press !== "" && press === pressed);
  if (option) choose(option);
  else if (pressed === "ArrowDown") dock.move(1);
  else if (pressed === "ArrowUp") dock.move(-1);
  else if (pressed === "e") edit();
  else if (pressed === "Escape") commands.focus();
  // An option key without an option must not mark the word at the cursor instead.
  else if (!/^[0-9rjc]$/.test(pressed)) return;
  event.preventDefault();
  event.stopPropagation();
});

for (const button of dock.element.querySelectorAll("[data-do]"))
  button.addEventListener("click", () => commands[/** @type {HTMLElement} */ (button).dataset.do ?? ""]?.());
requireElement("dock-edit").addEventListener("click", edit);

store.on("doc", () => {
  requireElement("dock-warn").textContent = "";
});
const { open } = dock.queue();
const ready = () => {
  dock.draw();
  if (open.length) go(open[0]);
  else if (regions.length) show(regions[0]);
  document.documentElement.dataset.adjudicate = "ready";
};
if (document.documentElement.dataset.ready) ready();
else
  new MutationObserver((_, observer) => (observer.disconnect(), ready())).observe(document.documentElement, {
    attributeFilter: ["data-ready"],
  });
