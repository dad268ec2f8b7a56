/** From opening a pair to the verdict; and a pair that is or becomes read-only: what the page says, and what it keeps. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, requests, rest, send } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Clock } from "../../../static/js/workspace/model/clock.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { Session } from "../../../static/js/workspace/sync/session.js";
import { Notice } from "../../../static/js/workspace/view/notice.js";

const URLS = {
  assignment: "/assignment",
  annotation: "/annotation",
  submit: "/submit",
  reopen: "/reopen",
  page: "/work/7/",
  next_page: "/next",
};
const mark = [
  {
    kind: "span",
    id: "s1",
    before: null,
    after: { id: "s1", label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] },
  },
];

/** The last page's session: what it sends later, as a retry, would be taken for a request of the next page. @type {Session | undefined} */
let last;

const fresh = () => new Journal(new FakeStorage(), "3/7", "t");

/** A page with one change in its journal that was never saved. @param {Record<string, any>} parts */
async function opened(parts, changes = [mark], journal = fresh(), others = [], alive = []) {
  const { store, actions, say } = built({ more: { urls: URLS, ...parts } });
  journal.confirmSave(store.assignment.annotation.revision, 0, store.serialize());
  for (const patch of changes) journal.append(patch);
  const session = new Session(store, "3/7", new Clock(0), new Notice(), actions, say);
  if (last) last.sync.port.request = () => new Promise(() => {});
  last = session;
  await session.start(Promise.resolve({ journal, others, alive }));
  return { store, session, journal, actions };
}
const told = () => at("state-detail").textContent;
const ways = () =>
  [...at("save-problem").querySelectorAll("[data-when]")]
    .filter((way) => !way.hidden)
    .map((way) => way.dataset.command ?? way.tagName);
const closed = { editable: false, reopen: false, final: false };

test("a phase closed in the meantime is no submission: the change is kept until it reopens", async () => {
  for (const status of ["open", "started"]) {
    await opened({ ...closed, status });
    assert.equal(at("state").dataset.state, "closed");
    assert.equal(
      told(),
      "The phase is closed. 1 change is kept in this browser. It will be saved when the phase is reopened and you open this pair again.",
    );
    assert.deepEqual(ways(), ["A"], "nothing is to be discarded, nor reopened");
  }
  const { journal, session } = await opened({ ...closed, status: "started" }, []);
  assert.equal(told(), "", "nothing is kept");
  journal.put("verdict", { verdict: "submitted", reason: "" });
  session.showKeptChanges([], []);
  assert.equal(
    told(),
    "The phase is closed. Your verdict is kept in this browser. It will be sent when the phase is reopened and you open this pair again.",
  );
});

test("a phase that is closed while the page is open is shown as it is after a reload", async () => {
  answering(() => ({
    status: 403,
    body: {
      error: {
        code: "phase-closed",
        message: "The main phase is closed.",
        where: "",
        hint: "Ask a lead to reopen it.",
      },
    },
  }));
  const { store, session } = await opened({ status: "started" }, []);
  session.submit({ verdict: "submitted", reason: "" });
  await rest(10);
  assert.deepEqual(
    [at("state").dataset.state, told()],
    [
      "closed",
      "The phase is closed. Your verdict is kept in this browser. It will be sent when the phase is reopened and you open this pair again.",
    ],
  );
  assert.deepEqual(
    [store.readOnly, at("done").hidden, at("done-words").textContent, ways()],
    [true, false, "The phase is closed. This pair can be read, not changed.", ["A"]],
  );
});

const ARCHIVED = "A lead has archived this project: nothing in it can be changed.";
const LATER = "It will be saved when the project is unarchived and you open this pair again.";

test("a save to an archived project is refused, and the change and the verdict are kept", async () => {
  answering(() => ({
    status: 409,
    body: { error: { code: "archived", message: "This project is archived.", where: "Towns", hint: "" } },
  }));
  const { store, session, journal } = await opened({ status: "started" });
  session.submit({ verdict: "submitted", reason: "" });
  await rest(10);
  assert.equal(at("state").dataset.state, "archived");
  assert.equal(
    told(),
    `${ARCHIVED} 1 change is kept in this browser. ${LATER} Your verdict is kept too and will be sent.`,
  );
  assert.deepEqual(
    [store.readOnly, at("done-words").textContent],
    [true, "The project is archived. This pair can be read, not changed."],
  );
  assert.deepEqual([journal.pending().length, journal.read("verdict")], [1, { verdict: "submitted", reason: "" }]);
});

test("a pair opened in an archived project keeps what was changed here before", async () => {
  const { journal, session } = await opened({ ...closed, archived: true, status: "started" });
  assert.equal(told(), `${ARCHIVED} 1 change is kept in this browser. ${LATER}`);
  const nothing = await opened({ ...closed, archived: true, status: "started" }, []);
  assert.equal(told(), "");
  nothing.journal.put("verdict", { verdict: "submitted", reason: "" });
  nothing.session.showKeptChanges([], []);
  assert.equal(
    told(),
    `${ARCHIVED} Your verdict is kept in this browser. It will be sent when the project is unarchived and you open this pair again.`,
  );
  assert.ok(journal && session);
});

test("a verdict of an earlier visit that is sent when the pair is opened is announced on that pair", async () => {
  answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : { status: "done", next: 8 } }));
  const { journal } = await opened({ status: "started" }, []);
  journal.put("verdict", { verdict: "submitted", reason: "" });
  asked.length = 0;
  await opened({ status: "started" }, [], journal);
  await rest(10);
  assert.deepEqual([requests.at(-1).url, asked, journal.read("verdict")], ["/submit", [["reload"]], null]);
  await opened({ ...closed, status: "done", reopen: true }, [], journal);
  assert.deepEqual(
    [at("state").dataset.state, told()],
    ["saved", "Your verdict, which was kept in this browser, has been sent."],
  );
  await opened({ ...closed, status: "done", reopen: true }, [], journal);
  assert.equal(told(), "", "once");
});

test("a pair that was submitted or reassigned in the meantime is shown as such", async () => {
  await opened({ ...closed, status: "done", reopen: true });
  assert.equal(
    told(),
    "This pair was submitted in another tab or on another machine. 1 change made here is not part of it, and is kept in this browser. Reopen the pair to add the changes made here.",
  );
  assert.deepEqual(ways(), ["reopen", "discard"]);
  await opened({ ...closed, status: "skipped", final: true });
  assert.equal(
    told(),
    "This pair was submitted in another tab or on another machine. It has a reference answer, so only the first submission counts. 1 change made here is not part of it and can't be added any more. It is kept in this browser until you discard it.",
  );
  assert.deepEqual(ways(), ["discard"]);
  await opened({ ...closed, status: "reassigned" });
  assert.equal(
    told(),
    "The lead has assigned this pair to someone else. 1 change made here was not saved and doesn't count. If it matters, tell the lead; otherwise discard it.",
  );
  assert.deepEqual(ways(), ["discard", "A"]);
});

test("a pair submitted in another tab is reopened only if the server allows it", async () => {
  for (const [body, said, offered] of [
    [
      { reopen: true, final: false },
      "This pair was submitted in another tab or on another machine. 1 change made here is not part of it, and is kept in this browser. Reopen the pair to add the changes made here.",
      ["reopen", "discard"],
    ],
    [
      { reopen: false, final: true },
      "This pair was submitted in another tab or on another machine. It has a reference answer, so only the first submission counts. 1 change made here is not part of it and can't be added any more. It is kept in this browser until you discard it.",
      ["discard"],
    ],
    [
      { reopen: false, final: false },
      "This pair was submitted in another tab or on another machine. 1 change made here is not part of it, and is kept in this browser.",
      ["discard"],
    ],
  ]) {
    answering(({ method }) => (method === "GET" ? { body } : { status: 409, body: { error: { code: "submitted" } } }));
    const { store, session } = await opened({ status: "started" });
    await rest(10);
    assert.ok(store.readOnly);
    assert.equal(told(), said);
    assert.deepEqual(ways(), offered);
    assert.equal(requests.at(-1).url, "/assignment");
    session.onSubmittedElsewhere();
  }
  answering(({ method }) => ({ status: method === "GET" ? 500 : 409, body: { error: { code: "submitted" } } }));
  await opened({ status: "started" });
  await rest(10);
  assert.ok(ways().includes("reopen"), "whoever tries is told");
});

test("a reopening that is refused because the submission is final says so, and is not offered again", async () => {
  answering(({ method, url }) => {
    if (method === "GET") return { body: { reopen: true, final: false } };
    return url === "/reopen"
      ? { status: 403, body: { error: { code: "final", message: "counts", where: "p1", hint: "" } } }
      : { status: 409, body: { error: { code: "submitted" } } };
  });
  const { session } = await opened({ status: "started" });
  await rest(10);
  assert.ok(ways().includes("reopen"));
  await session.reopen();
  assert.equal(
    told(),
    "This pair was submitted in another tab or on another machine. It has a reference answer, so only the first submission counts. 1 change made here is not part of it and can't be added any more. It is kept in this browser until you discard it.",
  );
  assert.deepEqual(ways(), ["discard"]);
});

test("a draft that was closed is said to be gold, with what becomes of the change and the way to the adjudication page", async () => {
  answering(() => ({
    status: 409,
    body: { error: { code: "closed", message: "No draft is open.", where: "", hint: "" } },
  }));
  const { store, session } = await opened({ status: "started", adjudication: { regions: [] } });
  await rest(10);
  assert.deepEqual(
    [at("state").dataset.state, told()],
    [
      "gold",
      "The draft was closed and gold was created from it. 1 change made here was not saved and is not part of it. It can be made in the next draft.",
    ],
  );
  assert.deepEqual(
    [store.readOnly, at("done-words").textContent, ways()],
    [true, "The draft was closed and gold was created from it.", ["discard", "A"]],
  );
  assert.equal(at("save-problem").querySelector("a:not([hidden])").dataset.when, "gold");
  const before = requests.length;
  await session.sync.saveNow();
  assert.equal(requests.length, before, "it is not tried again");
});

test("a pair of a closed draft is not reopened in the next one", async () => {
  answering(() => ({
    status: 409,
    body: { error: { code: "closed", message: "not open any more", where: "", hint: "" } },
  }));
  const { session } = await opened(
    { status: "done", editable: false, reopen: true, adjudication: { regions: [] } },
    [],
  );
  asked.length = 0;
  await session.reopen();
  assert.deepEqual(
    [asked, at("state").dataset.state, told()],
    [[], "gold", "The draft was closed and gold was created from it."],
  );
});

test("ended access is shown as such, not as a missing pair", async () => {
  answering(() => ({ status: 404, body: { error: { code: "access-ended", message: "", where: "", hint: "" } } }));
  await opened({ status: "started" });
  await rest(10);
  assert.equal(
    told(),
    "Your access to this project has ended. Ask the lead of the project. 1 change is kept in this browser. It will be saved when you have access again and open this pair.",
  );
  assert.deepEqual(ways(), ["A"]);
  answering(() => ({ status: 404, body: { error: { code: "not-found", message: "", where: "", hint: "" } } }));
  await opened({ status: "started" });
  await rest(10);
  assert.equal(
    told(),
    "This pair is not assigned to you any more, or was deleted, perhaps with its project. Ask the lead. 1 change is kept in this browser.",
  );
});

const LOGGED_OUT = { status: 401, body: { error: { code: "not_authenticated", message: "", where: "", hint: "" } } };
const OTHER = { status: 403, body: { error: { code: "other-user", message: "", where: "bruno", hint: "" } } };
const loginLink = () => /** @type {HTMLElement} */ (at("save-problem").querySelector("a[data-when=login]"));

test("the log-in is offered only after asking who is logged in: the same person's work is sent, nobody else's", async () => {
  for (const [now, state, opens] of /** @type {const} */ ([
    [{ body: { revision: 2 } }, "saved", 0],
    [OTHER, "other", 0],
    [LOGGED_OUT, "login", 1],
  ])) {
    answering(() => LOGGED_OUT);
    const { journal } = await opened({ status: "started" });
    await rest(10);
    assert.equal(at("state").dataset.state, "login");
    answering(() => now);
    asked.length = 0;
    send(loginLink(), "click");
    await rest(10);
    assert.deepEqual([at("state").dataset.state, asked.length], [state, opens]);
    assert.equal(journal.pending().length, state === "saved" ? 0 : 1, "kept here until it is saved");
  }
  assert.match(told(), /You have been logged out/);
});

test("a page without changes asks the server who is logged in, when it is seen again", async () => {
  answering(() => LOGGED_OUT);
  const { session } = await opened({ status: "started" }, []);
  session.sync.setState("login");
  send(document, "visibilitychange");
  await rest(10);
  assert.deepEqual([at("state").dataset.state, requests.at(-1).method], ["login", "GET"]);
  answering(() => ({ status: 503 }));
  send(window, "focus");
  await rest(10);
  assert.equal(at("state").dataset.state, "login", "no answer changes nothing");
  answering(() => OTHER);
  send(window, "focus");
  await rest(10);
  assert.match(told(), /bruno is logged in in this browser now/);
  answering(() => ({}));
  send(window, "focus");
  await rest(10);
  assert.equal(at("state").dataset.state, "saved");
});

test("if the browser opens no tab, the log-in replaces the page and leads back to it", async () => {
  answering(() => LOGGED_OUT);
  await opened({ status: "started" });
  await rest(10);
  const { open } = globalThis;
  globalThis.open = () => null;
  Object.assign(location, { pathname: "/work/7/" });
  asked.length = 0;
  send(loginLink(), "click");
  await rest(10);
  globalThis.open = open;
  const [[kind, address]] = asked;
  assert.deepEqual([kind, new URL(address).searchParams.get("next")], ["assign", "/work/7/"]);
});

test("a verdict without a network can be sent by another page, and this one is told that it waits", async () => {
  answering(() => ({ status: 0 }));
  const { session, journal } = await opened({ status: "started", position: { n: 4, of: 9, done: 3 } });
  const waited = [];
  session.onVerdictQueued = async (verdict) => void waited.push(verdict);
  session.submit({ verdict: "flagged", reason: "broken" });
  await rest(10);
  assert.deepEqual(waited, ["flagged"]);
  assert.deepEqual(
    [journal.read("verdict"), journal.read("queued")],
    [
      { verdict: "flagged", reason: "broken" },
      {
        id: 7,
        n: 4,
        page: "/work/7/",
        urls: { annotation: "/annotation", submit: "/submit", assignment: "/assignment" },
      },
    ],
  );
  // A server that fails is no missing network: the next page would fail too.
  answering(() => ({ status: 500, body: {} }));
  const broken = await opened({ status: "started" });
  broken.session.onVerdictQueued = async (verdict) => void waited.push(verdict);
  broken.session.submit({ verdict: "submitted", reason: "" });
  await rest(10);
  assert.equal(waited.length, 1);
  const gold = await opened({ id: "gold/3", status: "started" });
  gold.session.submit({ verdict: "submitted", reason: "" });
  await rest(10);
  assert.equal(gold.journal.read("queued"), null, "a decision in adjudication is only sent by its own page");
  // Whatever tries again now arrives.
  answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : { status: "done", next: null } }));
});

const puts = (found) => found.filter(({ method }) => method === "PUT").length;
const comment = (after) => [{ kind: "comment", id: "", before: "", after }];

test("a pair without unsaved work is ready to be changed, and what is changed is saved", async () => {
  requests.length = 0;
  const { store, session, journal } = await opened({ status: "started" }, []);
  assert.deepEqual(
    [store.readOnly, at("done").hidden, at("verdicts").hidden, document.body.classList.contains("done")],
    [false, true, false, false],
  );
  assert.deepEqual([store.journal === journal, requests.length, session.hadWaitingVerdict], [true, 0, false]);
  store.commit(comment("more"));
  await session.sync.saveNow();
  assert.deepEqual([puts(requests), requests[0].body.comment, requests[0].body.active_seconds], [1, "more", 0]);
});

test("unsaved work of an earlier visit is there again, sent at once, and can be undone if its steps were kept", async () => {
  requests.length = 0;
  const { store } = await opened({ status: "started" });
  assert.deepEqual([[...store.doc.spans.keys()], store.history.canUndo], [["s1"], false]);
  await rest(10);
  assert.deepEqual(
    requests.map(({ method, body }) => [method, body.spans.spans.length]),
    [["PUT", 1]],
  );
  const journal = fresh();
  journal.writeStep(0, mark);
  journal.setSteps(1, 1, 1);
  const again = await opened({ status: "started" }, [mark], journal);
  assert.ok(again.store.history.canUndo);
  await rest(10);
});

test("the changes of a closed tab are added", async () => {
  const left = fresh();
  left.confirmSave(1, 0, (await opened({ status: "started" }, [])).store.serialize());
  left.append([{ kind: "read", id: "a:1", before: false, after: true }]);
  const { store } = await opened({ status: "started" }, [], fresh(), [left]);
  assert.deepEqual([store.doc.read.a.has(1), left.base()], [true, null]);
  await rest(10);
});

test("other tabs with the pair are reported, unless it is the preview of a scheme", async () => {
  const hidden = async (parts, alive) => (
    await opened({ status: "started", ...parts }, [], fresh(), [], alive), at("notice").hidden
  );
  assert.deepEqual(
    [await hidden({}, []), await hidden({}, ["other"]), await hidden({ id: "preview" }, ["other"])],
    [true, false, true],
  );
});

test("the active time of an earlier visit counts on, and is recorded when the page closes", async () => {
  const journal = fresh();
  journal.put("time", 40);
  const { session, store } = await opened({ status: "started" }, [], journal);
  assert.equal(session.clock.seconds, 40);
  requests.length = 0;
  session.clock.total = 70000;
  send(window, "pagehide");
  await rest(10);
  assert.equal(journal.read("time"), 70);
  assert.equal(requests.filter(({ body }) => body?.active_seconds === 70).length, 1, "much unsaved time is sent");
  store.readOnly = true;
  session.clock.total = 99000;
  session.onPageHidden();
  assert.equal(journal.read("time"), 70);
});

test("a key counts as activity until the page is hidden", async () => {
  const { session } = await opened({ status: "started" }, []);
  assert.ok(!session.clock.active);
  send(document.body, "keydown", { key: "a" });
  assert.ok(session.clock.active);
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  send(document, "visibilitychange");
  delete document.visibilityState;
  assert.ok(!session.clock.active);
});

test("with the network back, what is unsaved is sent", async () => {
  answering(() => ({ status: 0 }));
  const { session, store } = await opened({ status: "started" }, []);
  store.commit(comment("more"));
  await session.sync.saveNow();
  clearTimeout(session.sync.timer);
  assert.equal(session.sync.state, "offline");
  answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : {} }));
  send(window, "online");
  await rest(10);
  assert.equal(session.sync.state, "saved");
});

test("a pair that another tab submits is read-only here; unsaved changes are sent first, so that the server decides", async () => {
  const { session, store } = await opened({ status: "started" }, []);
  requests.length = 0;
  store.commit(comment("more"));
  session.onSubmittedElsewhere();
  await rest(10);
  assert.deepEqual([puts(requests), store.readOnly], [1, false]);
  session.onSubmittedElsewhere();
  assert.deepEqual(
    [store.readOnly, session.sync.state, document.body.classList.contains("done")],
    [true, "submitted", true],
  );
  session.sync.setState("saved");
  session.onSubmittedElsewhere();
  assert.equal(session.sync.state, "saved", "it is known already");
  requests.length = 0;
  session.submit({ verdict: "submitted", reason: "" });
  await rest(10);
  assert.deepEqual(requests, [], "a read-only pair is not submitted");
});

test("after a verdict the next pair opens, or the page that finds it; a qualification pair stays, with its reference", async () => {
  for (const [parts, data, verdict, went, accepted] of [
    [{}, { next: 9 }, "submitted", ["assign", "/work/9/"], ["submitted"]],
    [{}, { next: null }, "skipped", ["assign", "/next"], ["skipped"]],
    [{ phase: "qualification" }, { next: 9 }, "submitted", ["reload"], []],
    [{ phase: "qualification" }, { next: 9 }, "flagged", ["assign", "/work/9/"], ["flagged"]],
  ]) {
    const { session, store, journal } = await opened({ status: "started", ...parts }, []);
    for (const name of ["time", "reasons", "queued"]) journal.put(name, 1);
    const heard = [];
    session.onVerdictAccepted = (one) => heard.push(one);
    asked.length = 0;
    session.onSubmitted(data, verdict);
    assert.deepEqual([asked, heard, store.readOnly], [[went], accepted, true]);
    assert.deepEqual(
      ["time", "reasons", "queued"].map((name) => journal.read(name)),
      [null, null, null],
    );
  }
});

test("what was made here is discarded only if that is confirmed", async () => {
  const left = fresh();
  left.confirmSave(1, 0, {});
  const { session, journal } = await opened({ ...closed, status: "done" }, [mark], fresh(), [left]);
  const { confirm } = globalThis;
  asked.length = 0;
  globalThis.confirm = () => false;
  session.discard();
  assert.deepEqual([asked, journal.base() === null], [[], false]);
  globalThis.confirm = () => true;
  session.discard();
  globalThis.confirm = confirm;
  assert.deepEqual([asked, journal.base(), left.base()], [[["reload"]], null, null]);
});

test("a reopening that the server is too busy for is refused, not offline", async () => {
  answering(() => ({ status: 503, body: { error: { code: "busy", message: "Try again.", where: "", hint: "" } } }));
  const { session } = await opened({ ...closed, status: "done" }, []);
  asked.length = 0;
  await session.reopen();
  assert.deepEqual([asked, session.sync.state], [[], "refused"]);
  answering(() => ({ status: 409, body: { error: { code: "open", message: "", where: "", hint: "" } } }));
  await session.reopen();
  assert.deepEqual(asked, [["reload"]], "it has been reopened already");
  answering(({ method }) => ({ body: method === "PUT" ? { revision: 2 } : { status: "done", next: null } }));
});
