/** Taking back the last submission: only the server decides whether a pair can be changed again. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, requests, rest, words } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { UndoSubmission } from "../../../static/js/workspace/input/undo-submission.js";

const URLS = { page: "/work/7/", reopen: "/reopen/7" };
const refusal = (code, message) => ({ error: { code, message, where: "", hint: "" } });

/** A page of the assignment `id`, in the tab that has `storage`. */
function page(storage, id = 7, n = 1, journals = new FakeStorage()) {
  const made = built({
    more: { id, position: { n, of: 9, done: 0 }, urls: { ...URLS, page: `/work/${id}/`, reopen: `/reopen/${id}` } },
  });
  const failed = [];
  const session = {
    reopenable: { reopen: false, final: false },
    onVerdictAccepted: () => {},
    reopen: async () => void failed.push("reopened here"),
    sync: { onFailure: (answer) => failed.push(answer.outcome) },
  };
  const undo = new UndoSubmission(made.store, session, { tabStorage: storage, storage: journals }, "3", made.say);
  return { ...made, session, undo, failed };
}
const shown = () =>
  at("last-submission").hidden
    ? ""
    : `${words(at("last-submission-words"))}${at("undo-submission").hidden ? "" : " [take back]"}`;
const left = (storage, verdict = "submitted") => page(storage).session.onVerdictAccepted(verdict);

test("the page after a submission offers to take it back; the pair is reopened and opened again", async () => {
  const storage = new FakeStorage();
  assert.equal((page(storage), shown()), "");
  left(storage);
  const { undo } = page(storage, 8, 2);
  assert.equal(shown(), "Pair 1 submitted [take back]");
  answering(() => ({ body: { status: "started", revision: 3 } }));
  await undo.undo();
  assert.deepEqual([requests.at(-1).url, asked.at(-1)], ["/reopen/7", ["assign", "/work/7/"]]);
  page(storage, 7);
  assert.equal(shown(), "Pair 1 is open again. Submit it when you are done.");
  page(storage, 7);
  assert.equal(shown(), "", "said once");
});

test("a pair that was reopened in the meantime is opened; other verdicts are named", async () => {
  for (const [verdict, name] of [
    ["rejected", "submitted as not comparable"],
    ["flagged", "flagged"],
    ["skipped", "skipped"],
  ]) {
    const storage = new FakeStorage();
    left(storage, verdict);
    const { undo } = page(storage, 8);
    assert.equal(shown(), `Pair 1 ${name} [take back]`);
    answering(() => ({ status: 409, body: refusal("not-submitted", "This pair is not submitted.") }));
    await undo.undo();
    assert.deepEqual(asked.at(-1), ["assign", "/work/7/"]);
  }
});

test("what the server refuses is explained and not offered again; without an answer it is", async () => {
  const storage = new FakeStorage();
  left(storage);
  const { undo, said } = page(storage, 8);
  answering(() => ({ status: 0 }));
  const before = asked.length;
  await undo.undo();
  assert.equal(
    shown(),
    "The submission of pair 1 can't be undone. The server is not responding. Try again later. [take back]",
  );
  answering(() => ({
    status: 403,
    body: refusal("final", "This pair has a reference answer, so only your first submission counts."),
  }));
  await undo.undo();
  assert.equal(
    shown(),
    "The submission of pair 1 can't be undone. This pair has a reference answer, so only your first submission counts.",
  );
  assert.equal(said.at(-1), shown());
  await undo.undo();
  assert.equal(said.at(-1), "No pair was submitted in this tab before this one");
  assert.equal(asked.length, before, "the page stays");
});

test("a missing log-in is the page's own trouble; only the pair of the page is reopened on the page itself", async () => {
  const storage = new FakeStorage();
  left(storage);
  const { undo, failed, store, session } = page(storage, 8);
  answering(() => ({ status: 401, body: {} }));
  await undo.undo();
  assert.deepEqual([failed, shown()], [["login"], "Pair 1 submitted [take back]"]);
  store.readOnly = true;
  session.reopenable.reopen = true;
  await undo.undo();
  assert.deepEqual(failed, ["login", "reopened here"]);
});

test("the offer goes with the first change, or by its button; reading ticks leave it", async () => {
  const storage = new FakeStorage();
  left(storage);
  const { store, add, span } = page(storage, 8);
  store.commit([{ kind: "read", id: "a:0", before: false, after: true }], { silent: true });
  assert.notEqual(shown(), "");
  add(span("s1", "1", [0]));
  assert.equal(shown(), "");
  page(storage, 8);
  at("last-submission-close").focus();
  at("last-submission-close").click();
  assert.deepEqual([shown(), document.activeElement], ["", at("main")]);
  await rest();
});

test("without storage nothing is offered, and broken entries are no obstacle", () => {
  left(new FakeStorage(0));
  const storage = new FakeStorage();
  storage.setItem("diptych/last/3", "{");
  page(storage, 8);
  assert.equal(shown(), "");
});

test("a verdict that has not been sent is taken back without asking anyone", async () => {
  const [storage, journals] = [new FakeStorage(), new FakeStorage()];
  left(storage);
  const { undo } = page(storage, 8, 2, journals);
  const journal = new Journal(journals, "3/7", "t");
  journal.confirmSave(1, 0, {});
  journal.put("verdict", { verdict: "submitted", reason: "" });
  journal.put("queued", { id: 7, n: 1, page: "/work/7/", urls: {} });
  const before = requests.length;
  await undo.undo();
  assert.deepEqual(
    [requests.length, asked.at(-1), journal.read("verdict"), journal.read("queued")],
    [before, ["assign", "/work/7/"], null, null],
  );
});
