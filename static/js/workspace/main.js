/** Sets up the workspace: reads the data in the page, draws it, connects the parts. */

import { Ahead } from "./sync/ahead.js";
import { Actions } from "./input/actions.js";
import { Clock } from "./model/clock.js";
import { commandsOf, listen } from "./input/commands.js";
import { connectCopy } from "./input/copying.js";
import { Cursor } from "./input/cursor.js";
import { need } from "./view/dom.js";
import { showFeedback } from "./view/feedback.js";
import { Find } from "./input/find.js";
import { Glossary } from "./view/glossary.js";
import { Handles } from "./input/handles.js";
import { Connectors } from "./view/connectors.js";
import { Ledger } from "./view/ledger.js";
import { Layout } from "./view/layout.js";
import { format, gettext } from "../gettext.js";
import { Journal, tabsOf } from "./sync/journal.js";
import { newest } from "./model/keeping.js";
import { unpacked } from "./model/packing.js";
import { DocumentMap } from "./view/map.js";
import { Messages } from "./input/messages.js";
import { Notice } from "./view/notice.js";
import { Painter } from "./view/paint.js";
import { nameKeys } from "./view/key-names.js";
import { Offline } from "./input/offline.js";
import { Panels } from "./view/panels.js";
import { Pointer } from "./input/pointer.js";
import { Popover } from "./view/popover.js";
import { Preferences } from "./input/preferences.js";
import { Questions } from "./input/questions.js";
import { Reading } from "./view/reading.js";
import { connectRemark } from "./view/remark.js";
import { View } from "./view/render.js";
import { adopt, scopeOf } from "./sync/scope.js";
import { Session } from "./sync/session.js";
import { Status } from "./view/status.js";
import { passing, storage } from "./sync/storage.js";
import { Store } from "./model/store.js";
import { Suggesting } from "./input/suggesting.js";
import { SuggestionList } from "./view/suggestion-list.js";
import { enter } from "./sync/tabs.js";
import { TakingBack } from "./input/taking-back.js";
import { Threads } from "./sync/threads.js";
import { Verdicts } from "./input/verdicts.js";

/** @type {import("./model/types.js").Assignment} */
const assignment = unpacked(JSON.parse(need("assignment").textContent ?? "null"));
const person = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=user]")).content;
const scope = scopeOf(person, assignment.id);
if (typeof assignment.id === "number" && (assignment.editable || assignment.reopen)) adopt(storage, assignment.id, scope);
// Requested first, so that the answer has arrived when the texts are drawn.
const entered = enter(storage, scope);
const preferences = new Preferences(
  storage,
  person,
  JSON.parse(need("own-preferences").textContent ?? "{}"),
  document.documentElement.dataset.preferences ?? "",
);
// A page that this browser kept is older than what it knows since.
const keptAt = Number(document.documentElement.dataset.kept ?? 0);
if (keptAt) assignment.annotation = newest(assignment.annotation, tabsOf(storage, scope).map((tab) => new Journal(storage, scope, tab).base()));
const store = new Store(assignment);
if (matchMedia("(hover: none) and (pointer: coarse)").matches) store.use("touch");
// Until the journal of this tab is open (a few ms), nothing may change, because it could not be recorded.
store.readOnly = true;

const view = new View(store, need("sheet"));
const painter = new Painter(store, view);
new Glossary(store, view);

const live = need("live");
/** @param {string} words @param {boolean} [refused] Whether they explain why a key did nothing: then the footer shows them too. */
const say = (words, refused = false) => {
  // Screen readers announce the same words twice in a row only if the content changes.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
  if (refused) status.answer(words);
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
const status = new Status(store, clock, preferences);
const session = new Session(store, scope, clock, new Notice(), actions, say);
const popover = new Popover(store, view, actions, need("pop"), run);
const find = new Find(store, view, cursor, preferences);
const verdicts = new Verdicts(store, reading, questions, (verdict) => session.submit(verdict), () => session.reopen());
const connectors = new Connectors(store, view, /** @type {any} */ (need("connectors")));
const handles = new Handles(store, view, actions);
const layout = new Layout(view, preferences, () => {
  connectors.soon();
  handles.place();
  if (!popover.element.hidden) popover.place();
});

/** Whether this is the user's own work, which can be taken back after it was submitted. */
const own = typeof assignment.id === "number" && assignment.messages?.mine === true;
/** @param {import("./model/keyboard.js").Need} needed */
const met = (needed) =>
  ({
    always: true,
    labels: store.scheme.labels.length > 0,
    links: store.scheme.links,
    fragments: store.scheme.labels.length > 0 && store.scheme.discontinuous,
    highlights: assignment.highlights !== null,
    questions: store.scheme.questions.length > 0,
    next: document.getElementById("next-pair") !== null,
    previous: document.getElementById("previous-pair") !== null,
    own,
    messages: Boolean(assignment.urls.messages),
  })[needed];
const panels = new Panels(store, preferences, met, passing, person);
const parts = { store, actions, cursor, layout, reading, suggesting, popover, questions, find, panels, verdicts, preferences, say, takingBack: own ? new TakingBack(store, session, { passing, storage }, person, say) : null, messages: /** @type {Messages | null} */ (null) };
commands = { ...commandsOf(parts), discard: () => session.discard(), reload: () => location.reload() };
listen(parts, commands, met);
const offline = own ? new Offline(session, new Ahead(storage, person, assignment), parts.takingBack, { storage, person, keptAt, onBack: (now) => panels.guide(now.guideline) }) : null;
new Pointer(store, view, cursor, actions, suggesting);
/** @type {(side: import("./model/types.js").Side, index: number) => void} */
const go = (side, index) => cursor.place(side, index, { focus: false });
showFeedback(store, go);
new SuggestionList(store, suggesting);
const map = new DocumentMap(store, view, reading);
const ledger = new Ledger(store, go, (id) => actions.pick(id), (tokens) => layout.both(tokens));

for (const button of document.querySelectorAll("[data-command]"))
  if (button instanceof HTMLElement && !button.closest(".pop"))
    button.addEventListener("click", () => run(button.dataset.command ?? ""));

store.on("cursor", () => store.point(store.cursor));
const { messages: to } = assignment.urls;
parts.messages = to
  ? new Messages(store, view, new Threads(to, Number(assignment.id), assignment.messages?.mine ?? false), storage, `diptych/message/${scope}`, {
      go,
      both: (tokens) => layout.both(tokens),
      close: () => void (panels.close() && run("focus")),
      say,
    })
  : null;

preferences.connect();
nameKeys(document);
connectRemark(store, () => run("focus"));
connectCopy(store, view);
layout.apply();
void session.begin(entered).then(() => {
  document.documentElement.dataset.ready = "true";
  performance.mark("workspace-ready");
  say(format(gettext("Pair {n} of {of}"), { n: assignment.position.n, of: assignment.position.of }));
  // Lists and e-mails lead to the messages, or to one conversation.
  const wanted = /^#(?:messages|thread-(\d+))$/.exec(window.location.hash ?? "");
  if (wanted) void parts.messages?.open(Number(wanted[1]));
  // Create the words out of view after those in view have been painted.
  requestAnimationFrame(() => setTimeout(() => {
    ledger.rest();
    view.rest();
    map.begin();
    offline?.begin();
    if (assignment.editable) reading.begin(clock);
  }));
});

addEventListener("beforeprint", () => {
  ledger.rest();
  for (const paragraph of view.unmade.keys()) view.spell(paragraph);
});

/** For modules that build on the workspace: manual adjudication. */
export const workspace = { ...parts, view, status, session, commands };
