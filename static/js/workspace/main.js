/** Sets up the workspace: reads the data in the page, draws it, connects the parts. */

import { PagePrefetcher } from "./sync/prefetch.js";
import { Actions } from "./input/actions.js";
import { Clock } from "./model/clock.js";
import { commandsOf, listenToKeys } from "./input/commands.js";
import { connectCopy } from "./input/copying.js";
import { Cursor } from "./input/cursor.js";
import { requireElement } from "./view/dom.js";
import { showFeedback } from "./view/feedback.js";
import { Find } from "./input/find.js";
import { Glossary } from "./view/glossary.js";
import { Handles } from "./input/handles.js";
import { Connectors } from "./view/connectors.js";
import { SpanList } from "./view/span-list.js";
import { Layout } from "./view/layout.js";
import { format, gettext } from "../gettext.js";
import { Journal, tabsOf } from "./sync/journal.js";
import { newestAnnotation } from "./model/offline-pages.js";
import { unpackAssignment } from "./model/packing.js";
import { DocumentMap } from "./view/map.js";
import { Messages } from "./input/messages.js";
import { Notice } from "./view/notice.js";
import { Painter } from "./view/paint.js";
import { nameKeys } from "./view/key-names.js";
import { Offline } from "./input/offline.js";
import { Panels } from "./view/panels.js";
import { Pointer } from "./input/pointer.js";
import { LabelBar } from "./view/label-bar.js";
import { Preferences } from "./input/preferences.js";
import { Questions } from "./input/questions.js";
import { Reading } from "./view/reading.js";
import { connectPairComment } from "./view/pair-comment.js";
import { View } from "./view/render.js";
import { adoptLegacyEntries, adoptLegacyUnmarked, scopeOf } from "./sync/scope.js";
import { Session } from "./sync/session.js";
import { Status } from "./view/status.js";
import { storage, tabStorage } from "./sync/storage.js";
import { Store } from "./model/store.js";
import { SuggestionActions } from "./input/suggestion-actions.js";
import { SuggestionList } from "./view/suggestion-list.js";
import { openJournal } from "./sync/tabs.js";
import { UndoSubmission } from "./input/undo-submission.js";
import { Threads } from "./sync/threads.js";
import { Verdicts } from "./input/verdicts.js";

/** @type {import("./model/types.js").Assignment} */
const assignment = unpackAssignment(JSON.parse(requireElement("assignment").textContent ?? "null"));
const person = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=user]")).content;
const scope = scopeOf(person, assignment.id);
if (typeof assignment.id === "number" && (assignment.editable || assignment.reopen))
  adoptLegacyEntries(storage, assignment.id, scope);
if (assignment.adjudication) adoptLegacyUnmarked(storage, scope);
// Requested first, so that the answer has arrived when the texts are drawn.
const journalOpened = openJournal(storage, scope);
const preferences = new Preferences(
  storage,
  person,
  JSON.parse(requireElement("own-preferences").textContent ?? "{}"),
  document.documentElement.dataset.preferences ?? "",
);
// A cached page is older than what this browser has saved since.
const keptAt = Number(document.documentElement.dataset.kept ?? 0);
if (keptAt)
  assignment.annotation = newestAnnotation(
    assignment.annotation,
    tabsOf(storage, scope).map((tab) => new Journal(storage, scope, tab).base()),
  );
const store = new Store(assignment);
if (matchMedia("(hover: none) and (pointer: coarse)").matches) store.setDevice("touch");
// Until the journal of this tab is open (a few ms), nothing may change, because it could not be recorded.
store.readOnly = true;

const view = new View(store, requireElement("sheet"));
const painter = new Painter(store, view);
new Glossary(store, view);

const live = requireElement("live");
/** @param {string} words @param {boolean} [refused] Whether they explain why a key did nothing: then the footer shows them too. */
const say = (words, refused = false) => {
  // Screen readers announce the same words twice in a row only if the content changes.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
  if (refused) status.showRefusal(words);
};

/** @type {Record<string, () => void>} */
let commands = {};
/** @param {string} name */
const run = (name) => commands[name]?.();

const actions = new Actions(store, say);
const cursor = new Cursor(store, view, actions);
const reading = new Reading(store, view, cursor, say);
const suggestionActions = new SuggestionActions(store, cursor, actions, painter, say);
const questions = new Questions(store, say);
const clock = new Clock(assignment.annotation.active_seconds);
const status = new Status(store, clock, preferences);
const session = new Session(store, scope, clock, new Notice(), actions, say);
const labelBar = new LabelBar(store, view, actions, requireElement("label-bar"), run);
const find = new Find(store, view, cursor, preferences);
const verdicts = new Verdicts(
  store,
  reading,
  questions,
  (verdict) => session.submit(verdict),
  () => session.reopen(),
);
const connectors = new Connectors(store, view, /** @type {any} */ (requireElement("connectors")));
const handles = new Handles(store, view, actions);
const layout = new Layout(view, preferences, () => {
  connectors.scheduleDraw();
  handles.place();
  if (!labelBar.element.hidden) labelBar.place();
});

/** Whether this is the user's own work, whose submission can be undone. */
const own = typeof assignment.id === "number" && assignment.messages?.mine === true;
/** @param {import("./model/keyboard.js").Need} needed */
const isAvailable = (needed) =>
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
const panels = new Panels(store, preferences, isAvailable, tabStorage, person);
const parts = {
  store,
  actions,
  cursor,
  layout,
  reading,
  suggestionActions,
  labelBar,
  questions,
  find,
  panels,
  verdicts,
  preferences,
  say,
  undoSubmission: own ? new UndoSubmission(store, session, { tabStorage, storage }, person, say) : null,
  messages: /** @type {Messages | null} */ (null),
};
commands = { ...commandsOf(parts), discard: () => session.discard(), reload: () => location.reload() };
listenToKeys(parts, commands, isAvailable);
const offline = own
  ? new Offline(session, new PagePrefetcher(storage, person, assignment), parts.undoSubmission, {
      storage,
      person,
      keptAt,
      onBack: (now) => panels.showGuidelines(now.guideline),
    })
  : null;
new Pointer(store, view, cursor, actions, suggestionActions);
/** @type {(side: import("./model/types.js").Side, index: number) => void} */
const go = (side, index) => cursor.place(side, index, { focus: false });
showFeedback(store, go);
new SuggestionList(store, suggestionActions);
const map = new DocumentMap(store, view, reading);
const spanList = new SpanList(
  store,
  go,
  (id) => actions.pick(id),
  (tokens) => layout.showBothEnds(tokens),
);

for (const button of document.querySelectorAll("[data-command]"))
  if (button instanceof HTMLElement && !button.closest(".label-bar"))
    button.addEventListener("click", () => run(button.dataset.command ?? ""));

store.on("cursor", () => store.hoverWord(store.cursor));
const { messages: to } = assignment.urls;
parts.messages = to
  ? new Messages(
      store,
      view,
      new Threads(to, Number(assignment.id), assignment.messages?.mine ?? false),
      storage,
      `diptych/message/${scope}`,
      {
        go,
        both: (tokens) => layout.showBothEnds(tokens),
        close: () => void (panels.close() && run("focus")),
        say,
      },
    )
  : null;

preferences.connect();
nameKeys(document);
connectPairComment(store, () => run("focus"));
connectCopy(store, view);
layout.apply();
void session.start(journalOpened).then(() => {
  document.documentElement.dataset.ready = "true";
  performance.mark("workspace-ready");
  say(format(gettext("Pair {n} of {of}"), { n: assignment.position.n, of: assignment.position.of }));
  // Lists and e-mails lead to the messages, or to one conversation.
  const target = /^#(?:messages|thread-(\d+))$/.exec(window.location.hash ?? "");
  if (target) void parts.messages?.open(Number(target[1]));
  // Create the words out of view after those in view have been painted.
  requestAnimationFrame(() =>
    setTimeout(() => {
      spanList.listRemaining();
      view.renderRemaining();
      map.start();
      offline?.start();
      if (assignment.editable) reading.start(clock);
    }),
  );
});

addEventListener("beforeprint", () => {
  spanList.listRemaining();
  for (const paragraph of view.unrendered.keys()) view.renderWords(paragraph);
});

/** For modules that build on the workspace: manual adjudication. */
export const workspace = { ...parts, view, status, session, commands };
