/** The whole page, as a browser opens it: from the first word to the verdict, with everything that can happen in between. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, boxes, frame, press, requests, rest, send, sighted, write } from "./page.js";
import { HIGHLIGHTS } from "./built.js";
import { annotation, assignment } from "./helpers.js";

const DATA = assignment({
  highlights: HIGHLIGHTS,
  beads: [
    [[0], [0]],
    [[1], [1]],
  ],
});
DATA.limits.verdicts = ["submitted", "rejected", "flagged", "skipped"];
DATA.reopen = true;
DATA.urls = {
  annotation: "/annotation",
  submit: "/submit",
  assignment: "/assignment",
  reopen: "/reopen",
  page: "/work/7/",
  next_page: "/next",
  project: "/project",
};
write("annotation/workspace.html", DATA);

/** The server's state; it responds as the real one does. */
const server = { revision: 1, annotation: annotation(), status: 200, body: null };
answering(({ method, url, body }) => {
  if (server.status !== 200) return { status: server.status, body: server.body ?? {} };
  if (url === "/assignment") return { body: { annotation: server.annotation } };
  if (url === "/submit") return { body: { status: "submitted", next: 9 } };
  if (method === "PUT" && url === "/annotation") {
    if (body.revision !== server.revision)
      return { status: 409, body: { error: { code: "conflict" }, annotation: server.annotation } };
    server.revision += 1;
    server.annotation = { ...annotation(body.spans.spans, server.revision), comment: body.comment, read: body.read };
    return { body: { revision: server.revision } };
  }
  return { body: {} };
});
const { workspace } = await import("../../static/js/workspace/main.js");
const { isPersistent, storage } = await import("../../static/js/workspace/sync/storage.js");
const { Session } = await import("../../static/js/workspace/sync/session.js");
const { Reconciler } = await import("../../static/js/workspace/sync/reconcile.js");
const { store, session, actions, cursor, view, preferences, commands } = workspace;
await rest(20);

/** Wait until everything is saved. */
async function saved() {
  await session.sync.saveNow();
  await rest();
}
const spans = () => [...store.doc.spans.values()].map(({ label }) => label).sort();
/** A span was added elsewhere. */
function elsewhere(id, label, start, end) {
  server.revision += 1;
  const span = { id, label, origin: "manual", comment: "", fragments: [{ side: "a", start, end }] };
  server.annotation = {
    ...server.annotation,
    spans: { v: 1, spans: [...server.annotation.spans.spans, span] },
    revision: server.revision,
  };
}
const other = new BroadcastChannel(`diptych/${session.scope}`);
const heard = [];
other.addEventListener("message", ({ data }) => heard.push(data.kind));

test("the page is ready when the journal is open, and says so", () => {
  assert.ok(session instanceof Session && session.reconciler instanceof Reconciler);
  assert.ok(isPersistent && storage === localStorage);
  assert.equal(document.documentElement.dataset.ready, "true");
  assert.equal(at("live").textContent, "Pair 1 of 1");
  assert.deepEqual([store.readOnly, at("done").hidden, at("verdicts").hidden], [false, true, false]);
  assert.equal(at("notice").hidden, true);
});

test("words out of view are created after those in view have been painted, and time in view then counts", async () => {
  const { length } = view.words.a;
  frame();
  await rest();
  assert.equal(view.unrendered.size, 0);
  assert.ok(length <= view.words.a.length);
  assert.ok(workspace.reading.watch);
});

test("buttons, keys and the label bar do the same, and every change is saved", async () => {
  cursor.place("a", 1);
  press(view.word("a", 1), "3", { code: "Digit3" });
  assert.deepEqual(spans(), ["3"]);
  assert.equal(at("state").dataset.state, "changed");
  await saved();
  assert.deepEqual(
    [at("state").dataset.state, requests.at(-1).method, requests.at(-1).body.spans.spans.length],
    ["saved", "PUT", 1],
  );
  assert.ok(heard.includes("saved"));
  document.querySelector(".bar [data-command=undo]").click();
  assert.deepEqual(spans(), []);
  document.querySelector(".bar [data-command=redo]").click();
  assert.deepEqual(spans(), ["3"]);
  assert.equal(at("spans").children.length, 1);
  assert.equal(at("live").textContent, "Redone");
  workspace.say("Redone");
  assert.equal(at("live").textContent, "Redone\u00a0", "said twice, it is announced twice");
  assert.notEqual(at("hints").textContent, "Redone");
  workspace.say("Nothing to redo", true);
  assert.equal(at("hints").textContent, "Nothing to redo", "why a key did nothing is shown too");
  await saved();
});

test("the mouse, the list and the suggestions are connected", async () => {
  at("spans").querySelector("button").click();
  assert.ok(store.picked && !at("label-bar").hidden);
  send(at("label-bar").querySelector("[data-command=escape]"), "click");
  assert.equal(store.picked, null);
  at("suggestion-switch").click();
  assert.ok(!store.showSuggestions);
  at("suggestion-switch").click();
  await rest(150);
  assert.deepEqual(
    [...at("suggestions").children].map((row) => row.dataset.key),
    store.openSuggestions().map(({ key }) => key),
  );
  assert.ok(at("suggestions").children.length);
  cursor.place("a", 0);
  assert.deepEqual([...store.highlighted.b], [0], "the cursor points, as the mouse does");
  const { left, top } = view.word("a", 5).getBoundingClientRect();
  send(view.word("a", 5), "mousedown", { clientX: left + 5, clientY: top + 5, button: 0, detail: 1 });
  send(window, "mouseup");
  assert.equal(store.cursor.index, 5);
  actions.label("2");
  assert.deepEqual(spans(), ["2", "3"]);
  await saved();
});

test("the help lists what this scheme has, and no questions", () => {
  commands.help();
  const listed = [...at("help-list").querySelectorAll("dd")].map((one) => one.textContent);
  assert.ok(listed.includes("Apply the label") && listed.includes("Dismiss the suggestion"));
  assert.deepEqual(
    listed.filter((one) => /question/i.test(one)),
    [],
  );
  at("help").close();
});

test("preferences are applied, kept and shown in the form", () => {
  const field = at("preferences-form").querySelector("[name=size]");
  field.value = "20";
  send(field, "input");
  assert.equal(document.documentElement.style.getPropertyValue("--text-size"), "20px");
  preferences.toggle("letters");
  assert.equal(at("preferences-form").querySelector("[name=letters]").checked, false);
  preferences.toggle("letters");
});

test("the layout moves what lies over the texts", () => {
  boxes.set(at("divider"), [0, 200, 900, 4]);
  actions.pick([...store.doc.spans.keys()][0]);
  const before = at("label-bar").style.top;
  at("texts").scrollTop = 50;
  send(at("texts"), "scroll");
  assert.notEqual(at("label-bar").style.top, before);
  at("texts").scrollTop = 0;
  actions.clear();
  boxes.clear();
});

test("without a log-in changes wait and are sent after the next log-in", async () => {
  server.status = 401;
  actions.clear();
  store.commit([{ kind: "comment", id: "", before: "", after: "kept" }]);
  await saved();
  assert.deepEqual([at("state").dataset.state, at("login").hidden], ["login", false]);
  assert.ok(at("state").textContent.startsWith("Logged out, 1 change kept here"));
  server.status = 200;
  new BroadcastChannel("diptych/login").postMessage("done");
  await rest(20);
  assert.equal(at("state").dataset.state, "saved");
  assert.equal(server.annotation.comment, "kept");
});

test("what another tab has saved is taken over if there are no unsaved changes here", async () => {
  elsewhere("theirs", "1", 36, 39);
  other.postMessage({ kind: "saved", tab: "other", revision: server.revision });
  await rest(20);
  assert.deepEqual(spans(), ["1", "2", "3"]);
  assert.equal(session.sync.revision, server.revision);
  const { length } = requests;
  other.postMessage({ kind: "saved", tab: "other", revision: server.revision });
  await rest(20);
  assert.equal(requests.length, length, "it is known already");
});

test("ticks alone are added to a newer version without a question", async () => {
  elsewhere("more", "4", 40, 45);
  sighted([view.paragraphs.a[0]]);
  workspace.reading.markSeen([["a", 0]]);
  await saved();
  await rest(20);
  assert.ok(!at("conflict").open);
  assert.deepEqual(
    [spans(), store.doc.read.a.has(0), at("state").dataset.state],
    [["1", "2", "3", "4"], true, "saved"],
  );
});

test("two versions that both changed are shown, and the choice is sent", async () => {
  elsewhere("elsewhere", "5", 0, 3);
  cursor.place("a", 2);
  actions.label("1");
  await saved();
  assert.ok(at("conflict").open);
  assert.equal(at("state").dataset.state, "conflict");
  at("conflict-both").click();
  await rest(20);
  assert.deepEqual([spans(), at("state").dataset.state], [["1", "1", "2", "3", "4", "5"], "saved"]);
  assert.ok(at("live").textContent.startsWith("Both versions were merged"));
  assert.equal(server.annotation.spans.spans.length, 6);
});

test("a closing tab records its time and sends what is unsaved; other tabs with the pair are reported", async () => {
  store.commit([{ kind: "comment", id: "", before: "kept", after: "left" }]);
  session.onPageHidden();
  await rest(20);
  assert.equal(server.annotation.comment, "left");
  assert.equal(session.journal.read("time"), session.clock.seconds);
  other.postMessage({ kind: "hello", tab: "other" });
  assert.deepEqual(
    [at("notice").hidden, at("notice").textContent],
    [
      false,
      "This pair is also open in another tab. Changes saved there appear here; if both tabs change it at once, you will see both versions.",
    ],
  );
  assert.ok(heard.includes("here"));
  other.postMessage({ kind: "bye", tab: "other" });
  assert.ok(at("notice").hidden);
});

test("changes of a closed tab are added, with a question if both changed content", async () => {
  const { Journal } = await import("../../static/js/workspace/sync/journal.js");
  const left = new Journal(storage, session.scope, "closed");
  left.confirmSave(server.revision, left.head.clock, store.serialize());
  left.append([{ kind: "read", id: "b:1", before: false, after: true }]);
  session.reconciler.annotation = server.annotation;
  await session.reconciler.mergeClosedTab(left);
  assert.ok(store.doc.read.b.has(1));
  assert.equal(left.base(), null);
  const more = new Journal(storage, session.scope, "closed2");
  more.confirmSave(server.revision, more.head.clock, store.serialize());
  more.append([{ kind: "comment", id: "", before: "left", after: "left behind" }]);
  store.commit([{ kind: "comment", id: "", before: "left", after: "left here" }]);
  const inherited = session.reconciler.mergeClosedTab(more);
  await rest();
  assert.ok(at("conflict").open);
  at("conflict-take").click();
  await inherited;
  assert.equal(store.doc.comment, "left behind");
  await saved();
});

test("a verdict is sent after everything before it, and the next pair opens", async () => {
  store.commit([{ kind: "comment", id: "", before: "left behind", after: "last" }]);
  asked.length = 0;
  press(document.body, "Enter", { ctrlKey: true });
  await rest(20);
  assert.deepEqual(
    requests.slice(-2).map(({ url }) => url),
    ["/annotation", "/submit"],
  );
  assert.equal(requests.at(-1).body.verdict, "submitted");
  assert.deepEqual(asked, [["assign", "/work/9/"]]);
  assert.ok(store.readOnly && heard.includes("submitted"));
  session.onSubmitted({ status: "submitted", next: null }, "submitted");
  assert.deepEqual(asked.at(-1), ["assign", "/next"]);
  store.assignment.phase = "qualification";
  session.onSubmitted({ status: "submitted", next: 9 }, "submitted");
  assert.deepEqual(asked.at(-1), ["reload"], "the reference is shown");
  session.onSubmitted({ status: "submitted", next: 9 }, "skipped");
  assert.deepEqual(asked.at(-1), ["assign", "/work/9/"]);
});

test("a pair that is submitted in another tab becomes read-only, keeping what only this tab has", async () => {
  store.readOnly = false;
  session.sync.setState("saved");
  other.postMessage({ kind: "submitted", tab: "other" });
  await rest();
  assert.ok(store.readOnly && !at("done").hidden && at("verdicts").hidden && document.body.classList.contains("done"));
  assert.deepEqual(
    [at("state").dataset.state, at("done-words").textContent],
    ["submitted", "This pair was submitted elsewhere."],
  );
});

test("a reassigned pair becomes read-only", () => {
  store.readOnly = false;
  session.sync.setState("reassigned");
  assert.ok(store.readOnly && !at("done").hidden && at("verdicts").hidden);
  assert.deepEqual(
    [at("state").dataset.state, at("done-words").textContent],
    ["reassigned", "The lead has assigned this pair to someone else."],
  );
  session.sync.setState("submitted");
});

test("reopening reloads the page, or says why it cannot", async () => {
  asked.length = 0;
  await session.reopen();
  assert.deepEqual([requests.at(-1).url, asked], ["/reopen", [["reload"]]]);
  server.status = 403;
  server.body = { error: { code: "phase", message: "The phase is closed." } };
  await session.reopen();
  assert.equal(asked.length, 1);
  assert.ok(at("state-detail").textContent.includes("The phase is closed."));
  server.status = 409;
  await session.reopen();
  assert.equal(asked.length, 2, "somebody has reopened it");
});

test("changes made here can be discarded, after a question", () => {
  asked.length = 0;
  commands.discard();
  assert.deepEqual(asked, [["confirm", "Discard the changes made here? This can't be undone."], ["reload"]]);
  assert.equal(session.journal.base(), null);
});

test("before printing, everything is there", () => {
  const made = [];
  view.unrendered.set(view.paragraphs.a[0], () => made.push("a"));
  send(window, "beforeprint");
  assert.deepEqual(made, ["a"]);
});
