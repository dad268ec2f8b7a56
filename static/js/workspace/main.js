/** Wires the workspace: reads what the page carries, draws it, connects the parts. */

import { Actions } from "./actions.js";
import { Clock } from "./clock.js";
import { commandsOf, listen } from "./commands.js";
import { Cursor } from "./cursor.js";
import { need } from "./dom.js";
import { showFeedback } from "./feedback.js";
import { Find } from "./find.js";
import { Handles } from "./handles.js";
import { Hinge } from "./hinge.js";
import { Ledger } from "./ledger.js";
import { Layout } from "./layout.js";
import { t } from "./messages.js";
import { unpacked } from "./packing.js";
import { Painter } from "./paint.js";
import { Panels } from "./panels.js";
import { Pointer } from "./pointer.js";
import { Popover } from "./popover.js";
import { Preferences } from "./preferences.js";
import { Questions } from "./questions.js";
import { Reading } from "./reading.js";
import { connectRemark } from "./remark.js";
import { View } from "./render.js";
import { Session } from "./session.js";
import { Status } from "./status.js";
import { storage } from "./storage.js";
import { Store } from "./store.js";
import { Suggesting } from "./suggesting.js";
import { enter } from "./tabs.js";
import { Verdicts } from "./verdicts.js";

/** @type {import("./types.js").Assignment} */
const assignment = unpacked(JSON.parse(need("assignment").textContent ?? "null"));
// Asked for first, so that the answer is there when the texts are.
const entered = enter(storage, assignment.id);
const preferences = new Preferences(
  storage,
  JSON.parse(need("own-preferences").textContent ?? "{}"),
  document.documentElement.dataset.preferences ?? "",
);
const store = new Store(assignment);
// Until the journal of this tab is open (a few ms), nothing may change that it could not keep.
store.readOnly = true;

const view = new View(store, need("sheet"));
const painter = new Painter(store, view);

const live = need("live");
/** @param {string} words */
const say = (words) => {
  // Said twice in a row, the same words would not be announced again without a difference.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
};

/** @type {Record<string, () => void>} */
let commands = {};
/** @param {string} name */
const run = (name) => commands[name]?.();

const actions = new Actions(store, say);
const cursor = new Cursor(store, view, actions);
const reading = new Reading(store, view, cursor, say);
const suggesting = new Suggesting(store, cursor, actions, painter, say);
const questions = new Questions(store, say);
const clock = new Clock(assignment.annotation.active_seconds);
const status = new Status(store, clock);
const session = new Session(store, clock, status, actions, say);
const popover = new Popover(store, view, actions, need("pop"), run);
const find = new Find(store, view, cursor);
const verdicts = new Verdicts(store, reading, questions, (verdict) => session.submit(verdict), () => session.reopen());
const hinge = new Hinge(store, view, /** @type {any} */ (need("hinge")));
const handles = new Handles(store, view, actions);
const layout = new Layout(view, preferences, () => {
  hinge.soon();
  handles.place();
  if (!popover.element.hidden) popover.place();
});

/** @param {import("./keyboard.js").Need} needed */
const met = (needed) =>
  ({
    always: true,
    labels: store.scheme.labels.length > 0,
    links: store.scheme.links,
    highlights: assignment.highlights !== null,
    questions: store.scheme.questions.length > 0,
  })[needed];
const panels = new Panels(store, preferences, met);
const parts = { store, actions, cursor, layout, reading, suggesting, popover, questions, find, panels, verdicts, preferences, say };
commands = commandsOf(parts);
listen(parts, commands, met);
new Pointer(store, view, cursor, actions);
/** @type {(side: import("./types.js").Side, index: number) => void} */
const go = (side, index) => cursor.place(side, index, { focus: false });
showFeedback(store, go);
const ledger = new Ledger(store, go, (id) => actions.pick(id), (key) => suggesting.look(key), (tokens) => layout.both(tokens));

for (const button of document.querySelectorAll("[data-command]"))
  if (button instanceof HTMLElement && !button.closest(".pop"))
    button.addEventListener("click", () => run(button.dataset.command ?? ""));

store.on("cursor", () => store.point(store.cursor));
preferences.connect();
connectRemark(store);
layout.apply();
void session.begin(entered).then(() => {
  document.documentElement.dataset.ready = "true";
  performance.mark("workspace-ready");
  say(t("said.ready", { n: assignment.position.n, of: assignment.position.of }));
  // What is out of view, once what is in view has been painted.
  requestAnimationFrame(() => setTimeout(() => {
    ledger.rest();
    view.rest();
  }));
});

addEventListener("beforeprint", () => {
  ledger.rest();
  for (const paragraph of view.unmade.keys()) view.spell(paragraph);
});

/** For modules that build on the workspace: adjudication by hand. */
export const workspace = { ...parts, view, session, commands };
