/** A pair that is or becomes read-only: what the page says, and what it keeps. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, requests, rest } from "../page.js";
import { closed, opened, told, ways } from "./sessions.js";

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
