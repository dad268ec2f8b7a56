/** Manual adjudication: the workspace with a queue of disputed regions, decided one by one. */

import "./wording.js";
import { format, gettext, ngettext } from "../gettext.js";
import { need, takesText } from "../workspace/view/dom.js";
import { chord } from "../workspace/model/keyboard.js";
import { workspace } from "../workspace/main.js";
import { SIDES } from "../workspace/model/spans.js";
import { Dock, undecided } from "./dock.js";
import { DisputedQuestions } from "./disputed-questions.js";
import { regionHints } from "./hints.js";
import { Lanes } from "./lanes.js";
import { decide, goldOn, regionsOf, sourcesOf } from "./disputed-regions.js";
import { listed } from "./people.js";

/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Option} Option */

/** What is announced when an option is chosen. @type {Record<string, string>} */
const TAKEN = {
  version: gettext("Taken from {people}"),
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
  spans: adjudication.places.flatMap(({ versions }) => versions.filter((one) => one.people.includes(name)).flatMap(({ spans }) => spans)),
}));
const regions = regionsOf(adjudication.places, store.grids, store.order);
const lanes = new Lanes(store, view, people);
const dock = new Dock(store, adjudication, regions, take);
new DisputedQuestions(store, adjudication, need("questions"));

/** Whether this module is moving the cursor, so that the dock need not follow it. */
let movingCursor = false;

/** @param {Region | null} region */
function show(region) {
  dock.show(region);
  lanes.light(region);
  status.later();
}

/** Whether the dock handles keys pressed on an element. @param {EventTarget | null} target */
function ofDock(target) {
  return target instanceof Element && dock.element.contains(target) && !takesText(target) && !target.closest("details");
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
  say([need("dock-count").textContent, need("dock-state").textContent].join(". "));
}

/** Go to the next or previous disputed region; undecided ones first, if there are any. @param {number} step */
function walk(step) {
  const { disputed, open } = dock.queue();
  const list = open.length ? regions.filter((region) => open.includes(region) || region === dock.region) : disputed;
  if (!list.length) return say(gettext("No disputed regions"));
  const at = dock.region ? list.indexOf(dock.region) : -1;
  go(list[at < 0 ? (step > 0 ? 0 : list.length - 1) : (at + step + list.length) % list.length]);
}

/** @param {Option} option */
function take(option) {
  const { region } = dock;
  if (!region || store.readOnly) return;
  actions.clear();
  store.commit(decide(region, option, store));
  // Keys decide while another option has the focus: it must not stay where it points to what was not chosen.
  if (dock.rows.contains(document.activeElement)) dock.focus(dock.options.indexOf(option));
  const { open } = dock.queue();
  say([format(TAKEN[option.kind], { people: listed(option.people) }), undecided(open.length)].join(". "));
}

/** Go to the texts with the gold's span of this region picked, to change it. */
function edit() {
  const { region } = dock;
  if (!region) return;
  const [span] = goldOn(region, store);
  const tokens = span ? store.cover.of(span.id) : { a: [...region.tokens.a], b: [...region.tokens.b] };
  const side = SIDES.find((one) => tokens[one].length && store.marks(one)) ?? "b";
  cursor.place(side, Math.min(...tokens[side]));
  if (span) actions.pick(span.id);
}

// The dock follows the cursor, so that it always shows the region at the cursor.
store.on("cursor", () => {
  if (movingCursor) return;
  const { side, index } = store.cursor;
  const here = regions.find((region) => region.tokens[side].has(index));
  if (here) show(here);
});

/** Show where the picked span comes from. */
function origin() {
  const span = store.picked ? store.span(store.picked) : null;
  const found = span ? sourcesOf(span, people, store.grids) : null;
  need("dock-origin").textContent = found ? format(ORIGINS[found.how], { people: listed(found.names) }) : "";
}
store.on("picked", origin);
store.on("doc", origin);

Object.assign(commands, {
  "region.next": () => walk(1),
  "region.previous": () => walk(-1),
  "region.here": () => (dock.region ? dock.focus() : walk(1)),
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
    need("dock-warn").textContent = format(warning, { n: open.length });
  },
});
/** @type {typeof status.more} */
const more = (hints, where) => {
  const presses = dock.options.map(({ press }) => press).filter(Boolean);
  const summary = { presses, shown: dock.region !== null, disputed: dock.queue().disputed.length > 0, within: ofDock(document.activeElement) };
  return regionHints(hints, summary, store.device, where);
};
status.more = more;
status.later();

dock.element.addEventListener("keydown", (event) => {
  if (!ofDock(event.target)) return;
  const pressed = chord(event);
  const option = dock.options.find(({ press }) => press !== "" && press === pressed);
  if (option) take(option);
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
need("dock-edit").addEventListener("click", edit);

store.on("doc", () => {
  need("dock-warn").textContent = "";
});
const { open } = dock.queue();
const ready = () => {
  dock.draw();
  if (open.length) go(open[0]);
  else if (regions.length) show(regions[0]);
  document.documentElement.dataset.adjudicate = "ready";
};
if (document.documentElement.dataset.ready) ready();
else new MutationObserver((_, observer) => (observer.disconnect(), ready())).observe(document.documentElement, { attributeFilter: ["data-ready"] });
