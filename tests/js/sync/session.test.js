/** From opening a pair to the verdict, with what an earlier visit, other tabs and the network leave; and log-ins. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, requests, rest, send } from "../page.js";
import { closed, fresh, mark, opened, told } from "./sessions.js";

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
