/** Messages as the server has them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, requests } from "../page.js";
import { Threads } from "../../../static/js/workspace/sync/threads.js";

const thread = (id, more = {}) => ({
  id,
  new: false,
  resolved: false,
  waiting_for: "lead",
  messages: [{ id: 10 * id }],
  ...more,
});

test("threads are loaded, opened, answered and resolved, and each answer takes its place in the list", async () => {
  const threads = new Threads("/api/m/", 7, true);
  requests.length = 0;
  answering(() => ({ body: { threads: [thread(1), thread(2)] } }));
  assert.equal(await threads.load(), "");
  answering(({ url }) => ({ body: url === "/api/m/" ? thread(3) : thread(2, { resolved: true }) }));
  assert.equal(await threads.startThread("Why?", { span: "s1", words: [{ side: "a", start: 0, end: 3 }] }), "");
  await threads.answer(2, "So.");
  await threads.resolve(2, true);
  assert.deepEqual(
    threads.list.map(({ id, resolved }) => [id, resolved]),
    [
      [3, false],
      [1, false],
      [2, true],
    ],
  );
  assert.deepEqual(requests, [
    { method: "GET", url: "/api/m/?assignment=7&size=50", body: undefined },
    {
      method: "POST",
      url: "/api/m/",
      body: { assignment: 7, text: "Why?", span: "s1", words: [{ side: "a", start: 0, end: 3 }] },
    },
    { method: "POST", url: "/api/m/2/", body: { text: "So." } },
    { method: "PUT", url: "/api/m/2/resolved/", body: { resolved: true } },
  ]);
});

test("either side has read a thread up to the last message listed, and says so once", async () => {
  for (const mine of [true, false]) {
    const threads = new Threads("/api/m/", 7, mine);
    threads.list = [thread(1, { new: true }), thread(2), thread(3, { new: true })];
    requests.length = 0;
    answering(() => ({ body: thread(1) }));
    for (const id of [1, 1, 2, 9]) await threads.read(id);
    assert.deepEqual(
      requests.map(({ url, body }) => [url, body]),
      [["/api/m/1/read/", { last: 10 }]],
    );
  }
});

test("the number is of what an annotator has not read, and of what no lead has answered", () => {
  const list = [
    thread(1, { new: true, waiting_for: "annotator" }),
    thread(2),
    thread(3),
    thread(4, { resolved: true }),
  ];
  assert.equal(Object.assign(new Threads("", 7, true), { list }).unreadCount, 1);
  assert.equal(Object.assign(new Threads("", 7, false), { list }).unreadCount, 2);
});

test("what goes wrong is said, and nothing in the list changes", async () => {
  const threads = new Threads("/api/m/", 7, true);
  threads.list = [thread(1)];
  const said = async (status, body) => {
    answering(() => ({ status, body }));
    return threads.answer(1, "x");
  };
  assert.match(await said(0), /can't be reached/);
  assert.match(await said(401, {}), /not logged in/);
  assert.match(await said(500, {}), /Try again in a moment/);
  assert.equal(await said(409, { error: { code: "archived", message: "Archived.", hint: "Ask." } }), "Archived. Ask.");
  assert.equal(await said(422, { error: { code: "x", message: "Too long.", hint: "" } }), "Too long.");
  assert.deepEqual(threads.list, [thread(1)]);
});

test("what an annotator has not read comes first", async () => {
  answering(() => ({ body: { threads: [thread(1), thread(2, { new: true }), thread(3), thread(4, { new: true })] } }));
  for (const [mine, order] of [
    [true, [2, 4, 1, 3]],
    [false, [1, 2, 3, 4]],
  ]) {
    const threads = new Threads("/api/m/", 7, mine);
    await threads.load();
    assert.deepEqual(
      threads.list.map(({ id }) => id),
      order,
    );
  }
});

test("a span that the server does not have is not named, and its words are sent all the same", async () => {
  const threads = new Threads("/api/m/", 7, true);
  const about = { span: "s1", words: [{ side: "a", start: 0, end: 3 }] };
  const refused = (where) => ({ status: 422, body: { error: { code: "invalid", message: "No.", hint: "", where } } });
  requests.length = 0;
  answering(({ body }) => (body.span ? refused("span") : { body: thread(3) }));
  assert.equal(await threads.startThread("Why?", about), "");
  assert.deepEqual(
    requests.map(({ body }) => body),
    [
      { assignment: 7, text: "Why?", ...about },
      { assignment: 7, text: "Why?", ...about, span: "" },
    ],
  );
  assert.deepEqual(
    threads.list.map(({ id }) => id),
    [3],
  );
  requests.length = 0;
  answering(() => refused("text"));
  assert.deepEqual([await threads.startThread("Why?", about), requests.length], ["No.", 1]);
});
