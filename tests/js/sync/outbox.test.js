/** Verdicts given without a network are sent with their work, once, and whatever is refused comes back with the reason. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, requests, rest, send } from "../page.js";
import { annotation, FakeStorage } from "../helpers.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import {
  Outbox,
  queuedVerdicts,
  refusedVerdicts,
  withdrawQueuedVerdict,
} from "../../../static/js/workspace/sync/outbox.js";

/** Names of locks that other tabs hold. @type {Set<string>} */
const open = new Set();
const locks = { request: async (name, _options, call) => call(open.has(name) ? null : { name }) };
Object.defineProperty(navigator, "locks", { value: locks, configurable: true });

const SPAN = { id: "s1", label: "2", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] };
const urls = (id) => ({ annotation: `/${id}/annotation`, submit: `/${id}/submit`, assignment: `/${id}/assignment` });

/** What a closed page left: one unsaved span and a verdict. */
function left(storage, id, { person = "3", verdict = "submitted" } = {}) {
  const journal = new Journal(storage, `${person}/${id}`, "t");
  journal.confirmSave(1, 0, annotation());
  journal.append([{ kind: "span", id: "s1", before: null, after: SPAN }]);
  journal.put("time", 40);
  journal.put("verdict", { verdict, reason: "" });
  journal.put("queued", { id, n: id, page: `/work/${id}/`, urls: urls(id) });
  return journal;
}

/** A server that accepts everything, or answers some addresses otherwise. */
function serve(other = {}) {
  requests.length = 0;
  answering(
    ({ method, url }) => other[url] ?? { body: method === "PUT" ? { revision: 2 } : { status: "done", next: null } },
  );
}
const refusal = (status, code, more = {}) => ({
  status,
  body: { error: { code, message: `${code}.`, where: "", hint: "" }, ...more },
});
const asked = () => requests.map(({ method, url }) => `${method} ${url}`);

function outbox(storage, own = null) {
  const changes = [];
  return { box: new Outbox(storage, "3", own, (change) => changes.push(change)), changes, last: () => changes.at(-1) };
}

test("work and verdict are sent in order, and nothing is left to send", async () => {
  const storage = new FakeStorage();
  const journal = left(storage, 7);
  left(storage, 8);
  serve();
  const { box, last } = outbox(storage);
  await box.start();
  assert.deepEqual(asked(), ["PUT /7/annotation", "POST /7/submit", "PUT /8/annotation", "POST /8/submit"]);
  const { body } = requests[0];
  assert.deepEqual([body.revision, body.spans.spans.map(({ id }) => id), body.active_seconds], [1, ["s1"], 40]);
  assert.deepEqual(requests[1].body, { revision: 2, verdict: "submitted", reason: "" });
  assert.deepEqual(last(), { waiting: 0, returned: [], sent: 2 });
  assert.deepEqual(
    [journal.read("verdict"), journal.read("queued"), new Journal(storage, "3/7", "t").pending()],
    [null, null, []],
  );
  await box.run();
  assert.equal(requests.length, 4, "once");
});

test("other people's, the page's own and those of open tabs are not sent", async () => {
  const storage = new FakeStorage();
  left(storage, 7);
  left(storage, 8);
  left(storage, 9, { person: "33" });
  open.add("diptych/3/8/t");
  serve();
  const { box, last } = outbox(storage, 7);
  await box.run();
  clearTimeout(box.timer);
  assert.deepEqual([asked(), last().waiting], [[], 1]);
  open.clear();
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  await box.run();
  clearTimeout(box.timer);
  assert.deepEqual(asked(), [], "without locks, another tab might send it too");
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
});

test("without a network everything stays, and is sent when it is back", async () => {
  const storage = new FakeStorage();
  for (const id of [7, 8]) left(storage, id);
  for (const answer of [
    { status: 0 },
    { status: 503, body: {} },
    { status: 401, body: {} },
    { status: 500, body: {} },
  ]) {
    serve({ "/7/annotation": answer });
    const { box, last } = outbox(storage);
    await box.run();
    clearTimeout(box.timer);
    assert.deepEqual(
      [asked(), last()],
      [["PUT /7/annotation"], { waiting: 2, returned: [], sent: 0 }],
      "the next would fail too",
    );
  }
  serve();
  const { box, last } = outbox(storage);
  await box.start();
  left(storage, 9);
  send(globalThis.window, "online");
  await rest(20);
  assert.deepEqual([last().waiting, last().sent], [0, 3]);
});

test("what is refused comes back with its state and reason; work and, where it may count later, the verdict are kept", async () => {
  const cases = [
    ["conflict", { "/7/annotation": refusal(409, "conflict", { annotation: annotation([], 4) }) }, null],
    ["closed", { "/7/submit": refusal(403, "phase-closed") }, { verdict: "submitted", reason: "" }],
    ["archived", { "/7/annotation": refusal(409, "archived") }, { verdict: "submitted", reason: "" }],
    ["refused", { "/7/submit": refusal(403, "skips") }, null],
    ["reassigned", { "/7/annotation": refusal(409, "reassigned") }, null],
    [
      "submitted",
      {
        "/7/annotation": refusal(409, "submitted"),
        "/7/assignment": { body: { annotation: { ...annotation(), verdict: "submitted" } } },
      },
      null,
    ],
  ];
  for (const [state, other, verdict] of cases) {
    const storage = new FakeStorage();
    const journal = left(storage, 7);
    serve(other);
    const { box, last } = outbox(storage);
    await box.run();
    assert.deepEqual(
      [last().waiting, last().returned.map((one) => [one.id, one.n, one.page, one.state])],
      [0, [[7, 7, "/work/7/", state]]],
    );
    assert.deepEqual([journal.read("verdict"), queuedVerdicts(storage, "3")], [verdict, []], state);
    if (state === "refused") assert.equal(last().returned[0].detail, "skips.");
    if (!["closed", "refused"].includes(state))
      assert.equal(new Journal(storage, "3/7", "t").pending().length, 1, `${state}: the work is kept`);
    await box.run();
    assert.equal(asked().filter((one) => one.startsWith("P")).length <= 2, true, "not sent again by itself");
    assert.deepEqual(refusedVerdicts(storage, "4"), []);
  }
});

test("a verdict that had arrived, of which only the answer was lost, is no conflict", async () => {
  const storage = new FakeStorage();
  const journal = left(storage, 7);
  serve({
    "/7/annotation": refusal(409, "submitted"),
    "/7/assignment": { body: { annotation: { ...annotation([SPAN], 3), verdict: "submitted" } } },
  });
  const { box, last } = outbox(storage);
  await box.run();
  assert.deepEqual([last(), journal.read("verdict")], [{ waiting: 0, returned: [], sent: 1 }, null]);
});

test("a verdict is taken back before it is sent; an entry without a known state is left alone", () => {
  const storage = new FakeStorage();
  const journal = left(storage, 7);
  assert.deepEqual(
    [
      withdrawQueuedVerdict(storage, "3", 8),
      withdrawQueuedVerdict(storage, "3", 7),
      withdrawQueuedVerdict(storage, "3", 7),
    ],
    [false, true, false],
  );
  assert.deepEqual([journal.read("verdict"), journal.pending().length], [null, 1]);
  const other = left(storage, 9);
  other.drop("base");
  assert.deepEqual(queuedVerdicts(storage, "3"), []);
});
