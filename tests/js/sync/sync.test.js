import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { detailOf, MAX_SAVE_DELAY, RETRY_DELAYS, SAVE_DELAY } from "../../../static/js/workspace/sync/sync.js";
import { settle, setup } from "./syncs.js";

test.afterEach(() => mock.timers.reset());

test("saved once after less than a second without changes, with the last state", async () => {
  const { server, sync, journal, change, pass } = setup();
  change("a");
  await pass(SAVE_DELAY - 10);
  change("ab");
  await pass(SAVE_DELAY - 10);
  assert.equal(server.requests.length, 0);
  await pass(10);
  assert.deepEqual(
    server.requests.map(([, , body]) => body),
    [{ revision: 1, comment: "ab" }],
  );
  assert.ok(SAVE_DELAY < 1000);
  assert.equal(sync.state, "saved");
  assert.deepEqual(journal.pending(), []);
});

test("continuous changes are saved too", async () => {
  const { server, change, pass } = setup();
  for (let ms = 0; ms <= MAX_SAVE_DELAY; ms += 500) {
    change(String(ms));
    await pass(500);
  }
  assert.ok(server.requests.length >= 1);
});

test("offline it says how much is kept, retries with growing delays, and sends everything when the network is back", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.mode = "offline";
  change("a");
  await pass(SAVE_DELAY);
  assert.equal(sync.state, "offline");
  change("b");
  assert.equal(sync.unsaved, 2);
  for (const wait of RETRY_DELAYS.slice(0, 3)) await pass(wait);
  assert.equal(server.requests.length, 4);
  server.mode = "ok";
  await sync.saveNow();
  assert.deepEqual([sync.unsaved, sync.state, server.revision], [0, "saved", 2]);
  assert.ok(seen.states.includes("offline"));
});

test("after a server error the save is retried automatically", async () => {
  const { server, sync, change, pass } = setup();
  server.mode = "broken";
  change("a");
  await pass(SAVE_DELAY);
  assert.equal(sync.state, "broken");
  server.mode = "ok";
  await pass(RETRY_DELAYS[0]);
  assert.equal(sync.state, "saved");
});

test("a full disk is said in the server's words, and the save is retried until there is room", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.mode = "storage";
  server.data = { error: { code: "disk-full", message: "The disk is full.", where: "", hint: "Tell somebody." } };
  change("a");
  await pass(SAVE_DELAY);
  change("b");
  assert.equal(seen.states.at(-1), "storage: The disk is full. Tell somebody.");
  await pass(RETRY_DELAYS[0]);
  assert.deepEqual([sync.state, sync.unsaved], ["storage", 2]);
  server.mode = "ok";
  await pass(RETRY_DELAYS[1]);
  assert.deepEqual([sync.unsaved, sync.state, server.revision], [0, "saved", 2]);
});

test("a busy server is retried with growing delays and the page says 'Saving' until the work is saved", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.mode = "busy";
  server.data = { error: { code: "busy", message: "The database is busy.", where: "", hint: "" } };
  change("a");
  await pass(SAVE_DELAY);
  change("b");
  await pass(SAVE_DELAY);
  assert.deepEqual([sync.state, server.requests.length], ["saving", 1]);
  for (const wait of RETRY_DELAYS.slice(0, 3)) await pass(wait);
  assert.equal(server.requests.length, 4);
  assert.deepEqual([...new Set(seen.states)], ["changed", "saving"]);
  server.mode = "ok";
  await pass(RETRY_DELAYS[3]);
  assert.deepEqual([sync.unsaved, sync.state, server.revision], [0, "saved", 2]);
  assert.deepEqual(server.requests.at(-1)[2], { revision: 1, comment: "b" });
});

test("a verdict that a busy server did not accept is kept and sent again", async () => {
  const { server, seen, sync, journal, pass } = setup();
  server.mode = "busy";
  await sync.submit({ verdict: "submitted", reason: "" });
  assert.equal(sync.state, "saving");
  assert.ok(journal.read("verdict"));
  server.mode = "ok";
  await pass(RETRY_DELAYS[0]);
  assert.deepEqual([sync.state, seen.submitted.length], ["saved", 1]);
});

test("an expired log-in loses nothing and causes no useless retries", async () => {
  const { server, sync, change, pass } = setup();
  server.mode = "login";
  change("a");
  await pass(SAVE_DELAY);
  change("b");
  await pass(60000);
  assert.deepEqual([sync.state, sync.unsaved, server.requests.length], ["login", 2, 1]);
  server.mode = "ok";
  await sync.saveNow();
  assert.deepEqual([sync.state, sync.unsaved], ["saved", 0]);
});

test("newer work elsewhere is never overwritten: it is passed on, and nothing is sent until a choice is made", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.revision = 5;
  change("mine");
  await pass(SAVE_DELAY);
  assert.deepEqual(seen.conflicts, [{ revision: 5 }]);
  change("mine too");
  await pass(60000);
  assert.deepEqual([sync.state, server.requests.length], ["conflict", 1]);
  sync.state = "changed";
  await sync.resolve(5, false, {});
  assert.deepEqual([sync.state, server.revision], ["saved", 6]);
  assert.equal(server.requests[1][2].comment, "mine too");
});

test("taking the other version sends nothing", async () => {
  const { server, sync, journal, change, pass } = setup();
  server.revision = 5;
  change("mine");
  await pass(SAVE_DELAY);
  sync.state = "changed";
  await sync.resolve(5, true, { comment: "theirs" });
  assert.deepEqual([sync.unsaved, server.requests.length, sync.revision], [0, 1, 5]);
  assert.deepEqual(journal.base().doc, { comment: "theirs" });
});

test("what the server does not accept is shown, with location and reason, and stays here", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.mode = "refused";
  server.data = { error: { code: "spans", message: "cuts a token", where: "spans[0]", hint: "" } };
  change("a");
  await pass(SAVE_DELAY);
  assert.equal(seen.states.at(-1), "refused: spans[0] · cuts a token");
  assert.equal(sync.unsaved, 1);
});

test("a change made during a save is saved by the next", async () => {
  const { server, sync, change, pass } = setup();
  const { request } = sync.port;
  let release = () => {};
  sync.port.request = async (...all) => {
    if (server.requests.length === 0) await new Promise((resolve) => (release = resolve));
    return request(...all);
  };
  change("a");
  await pass(SAVE_DELAY);
  change("b");
  release();
  await settle();
  await settle();
  assert.equal(sync.unsaved, 1);
  await pass(SAVE_DELAY);
  assert.deepEqual([sync.unsaved, server.requests.at(-1)[2].comment], [0, "b"]);
});

test("a verdict is sent after the work, names its revision, and waits for the network", async () => {
  const { server, seen, sync, journal, change } = setup();
  server.mode = "offline";
  change("a");
  await sync.submit({ verdict: "submitted", reason: "" });
  assert.deepEqual(journal.read("verdict"), { verdict: "submitted", reason: "" });
  server.mode = "ok";
  server.requests.length = 0;
  await sync.saveNow();
  assert.deepEqual(
    server.requests.map(([method]) => method),
    ["PUT", "POST"],
  );
  assert.equal(server.requests[1][2].revision, 2);
  assert.deepEqual(seen.submitted, [{ status: "done", next: 8 }]);
  assert.equal(journal.read("verdict"), null);
});

test("a refused verdict is shown and not sent again automatically", async () => {
  const { server, seen, sync, journal } = setup();
  server.mode = "refused";
  server.data = { error: { code: "limit", message: "No more skips", where: "", hint: "" } };
  await sync.submit({ verdict: "skipped", reason: "" });
  assert.equal(journal.read("verdict"), null);
  assert.equal(seen.states.at(-1), "refused: No more skips");
});

test("a verdict that a closed phase refuses is kept, and nothing is sent again until the pair is opened again", async () => {
  for (const refuses of ["PUT", "POST"]) {
    mock.timers.reset();
    const { server, seen, sync, journal, change } = setup();
    const { request } = sync.port;
    sync.port.request = async (method, ...rest) => {
      const answer = await request(method, ...rest);
      return method === refuses
        ? {
            outcome: "refused",
            data: {
              error: {
                code: "phase-closed",
                message: "The main phase is closed.",
                where: "",
                hint: "Ask a lead to reopen it.",
              },
            },
          }
        : answer;
    };
    change("a");
    await sync.submit({ verdict: "submitted", reason: "" });
    assert.deepEqual(
      [journal.read("verdict"), sync.state, seen.submitted],
      [{ verdict: "submitted", reason: "" }, "closed", []],
    );
    server.requests.length = 0;
    await sync.saveNow(true);
    assert.deepEqual(server.requests, []);
  }
});

test("the parts of a refusal are told apart by a dot, except after a full stop", () => {
  const told = (where, message, hint) => detailOf("refused", { error: { code: "x", where, message, hint } });
  assert.equal(
    told("", "The main phase is closed.", "Ask a lead to reopen it."),
    "The main phase is closed. Ask a lead to reopen it.",
  );
  assert.equal(told("p1", "It has no answer yet.", ""), "p1 · It has no answer yet.");
});

test("a verdict is not sent while there are unsaved changes: changes made during the save are sent first", async () => {
  const { server, seen, sync, change, pass } = setup();
  const { request } = sync.port;
  let release = () => {};
  sync.port.request = async (...all) => {
    if (server.requests.length === 0) await new Promise((resolve) => (release = resolve));
    return request(...all);
  };
  change("a");
  const submitted = sync.submit({ verdict: "submitted", reason: "" });
  await settle();
  change("ab");
  release();
  await submitted;
  assert.deepEqual(
    server.requests.map(([method]) => method),
    ["PUT"],
  );
  assert.deepEqual([sync.unsaved, seen.submitted.length], [1, 0]);
  await pass(SAVE_DELAY);
  assert.deepEqual(
    server.requests.map(([method, , body]) => [method, body.revision, body.comment]),
    [
      ["PUT", 1, "a"],
      ["PUT", 2, "ab"],
      ["POST", 3, undefined],
    ],
  );
  assert.equal(seen.submitted.length, 1);
});

test("a verdict is not sent while there are unsaved changes: nor after a failed save of any kind", async () => {
  for (const mode of ["offline", "broken", "busy", "login", "refused", "gone"]) {
    const { server, sync, change } = setup();
    server.mode = mode;
    change("a");
    await sync.submit({ verdict: "submitted", reason: "" });
    assert.deepEqual(
      server.requests.map(([method]) => method),
      ["PUT"],
      mode,
    );
    assert.deepEqual(sync.verdict, { verdict: "submitted", reason: "" }, mode);
    mock.timers.reset();
  }
});

test("a waiting verdict is not sent after a conflict: it was given on another version", async () => {
  const { server, seen, sync, journal, change, pass } = setup();
  server.mode = "offline";
  change("mine");
  await sync.submit({ verdict: "submitted", reason: "" });
  server.mode = "ok";
  server.revision = 5;
  await sync.saveNow();
  assert.deepEqual([sync.state, seen.conflicts.length, journal.read("verdict")], ["conflict", 1, null]);
  sync.state = "changed";
  await sync.resolve(5, false, {});
  await pass(60000);
  assert.deepEqual([sync.state, server.revision], ["saved", 6]);
  assert.ok(
    server.requests.every(([method]) => method === "PUT"),
    "the work is saved, and not submitted",
  );
  assert.deepEqual(seen.submitted, []);
});

test("a reassigned pair: the work stays here and is not sent again", async () => {
  for (const [mode, code] of [
    ["conflict", "reassigned"],
    ["refused", "not-yours"],
  ]) {
    const { server, sync, journal, change, pass } = setup();
    server.mode = mode;
    server.data = { error: { code, message: "Somebody else has it." } };
    change("a");
    journal.put("verdict", { verdict: "flagged", reason: "x" });
    await pass(SAVE_DELAY);
    assert.deepEqual([sync.state, sync.unsaved, journal.read("verdict")], ["reassigned", 1, null]);
    change("ab");
    await sync.saveNow();
    await pass(60000);
    assert.deepEqual([sync.state, server.requests.length], ["reassigned", 1]);
    mock.timers.reset();
  }
});

test("a pair that was submitted elsewhere: the work stays here, is not sent again and again, and the waiting verdict is dropped", async () => {
  for (const data of [
    { error: { code: "submitted" } },
    { error: { code: "decided" } },
    { error: { code: "conflict" }, annotation: { revision: 3, verdict: "submitted" } },
  ]) {
    const { server, seen, sync, journal, change, pass } = setup();
    server.mode = "conflict";
    server.data = data;
    change("a");
    journal.put("verdict", { verdict: "flagged", reason: "x" });
    await pass(SAVE_DELAY);
    assert.deepEqual([sync.state, sync.unsaved, journal.read("verdict")], ["submitted", 1, null]);
    assert.deepEqual(seen.conflicts, []);
    change("ab");
    await sync.saveNow();
    await pass(60000);
    assert.deepEqual([sync.state, server.requests.length], ["submitted", 1]);
    mock.timers.reset();
  }
});

test("someone else logged in: their name is shown, nothing is sent until they have logged out, then everything is", async () => {
  const { server, seen, sync, change, pass } = setup();
  server.mode = "other";
  server.data = { error: { code: "other-user", message: "m", where: "berta", hint: "h" } };
  change("a");
  await pass(SAVE_DELAY);
  change("b");
  await pass(60000);
  assert.deepEqual([sync.state, sync.unsaved, server.requests.length], ["other", 2, 1]);
  assert.ok(seen.states.includes("other: berta"));
  // Their name is still shown after another change.
  assert.equal(seen.states.at(-1), "other: berta");
  server.mode = "ok";
  await sync.saveNow();
  assert.deepEqual([sync.state, sync.unsaved], ["saved", 0]);
});

test("an expired log-in is shown in the page's own words, not in the server's", async () => {
  const { server, seen, change, pass } = setup();
  server.mode = "login";
  server.data = {
    error: { code: "not_authenticated", message: "Authentication credentials were not provided.", where: "", hint: "" },
  };
  change("a");
  await pass(SAVE_DELAY);
  assert.equal(seen.states.at(-1), "login");
});
