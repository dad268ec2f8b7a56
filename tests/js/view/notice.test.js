/** The save status, and what can be done about trouble. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, at, rest, send } from "../page.js";
import { built } from "../built.js";
import { Notice } from "../../../static/js/workspace/view/notice.js";

test("the state is one word; trouble is explained, with the matching links and buttons", async () => {
  built();
  const notice = new Notice();
  const facts = { detail: "", unsaved: 0, ticks: 0, waiting: false, reopens: true, final: false };
  const ways = () =>
    [...at("save-problem").querySelectorAll("[data-when]")]
      .filter((way) => !way.hidden)
      .map((way) => way.id || way.dataset.command);
  notice.show("saved", facts, false);
  assert.deepEqual(
    [at("state").textContent, at("state").dataset.state, at("state-detail").textContent, ways()],
    ["Saved", "saved", "", []],
  );
  notice.show("offline", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Offline, 2 changes kept here");
  notice.show("offline", facts, true);
  assert.equal(at("state").textContent, "Offline");
  notice.show("refused", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Not accepted", "what was refused doesn't wait here");
  assert.ok(
    at("state-detail").textContent.endsWith(
      "This browser can't store your changes: keep the page open until they are saved.",
    ),
  );
  notice.show("login", facts, false);
  assert.ok(ways().includes("login"));
  const login = at("login");
  asked.length = 0;
  login.href = "/login/";
  assert.ok(send(login, "click").defaultPrevented);
  await rest();
  assert.equal(asked[0][0], "open");
  notice.show("submitted", { ...facts, unsaved: 1 }, false);
  assert.ok(ways().includes("reopen") && ways().includes("discard"));
  notice.show("submitted", { ...facts, unsaved: 1, reopens: false }, false);
  assert.ok(!ways().includes("reopen"));
  notice.show("submitted", facts, false);
  assert.ok(!ways().includes("discard"), "there is nothing to give up");
  notice.show("saving", facts, false);
  assert.notEqual(at("state-detail").textContent, "", "until it is saved");
  notice.show("saved", facts, false);
  assert.equal(at("state-detail").textContent, "");
  notice.note = "sent on another version";
  notice.show("saved", facts, false);
  assert.equal(at("state-detail").textContent, "sent on another version");
});

const FACTS = { detail: "", unsaved: 0, ticks: 0, waiting: false, reopens: true, final: false };

test("every state has its word, and is on the page for styles", () => {
  built();
  const notice = new Notice();
  const states = [
    "saved",
    "saving",
    "offline",
    "broken",
    "login",
    "storage",
    "reassigned",
    "submitted",
    "closed",
    "archived",
    "gold",
    "ended",
    "conflict",
    "refused",
    "gone",
  ];
  const words = states.map(
    (state) => (
      notice.show(state, FACTS, false), assert.equal(at("state").dataset.state, state), at("state").textContent
    ),
  );
  assert.ok(words.every(Boolean));
  assert.deepEqual(
    words.filter((one, n) => words.indexOf(one) !== n),
    [],
    "no two of them the same",
  );
});

test("without changes kept here, nothing is offered to be discarded", () => {
  built();
  const notice = new Notice();
  const offered = (unsaved) => (
    notice.show("submitted", { ...FACTS, unsaved }, false),
    !at("save-problem").querySelector("[data-command=discard]").hidden
  );
  assert.deepEqual([0, 1].map(offered), [false, true]);
});

test("another module's message is replaced by news alone, and never removed", () => {
  built();
  const notice = new Notice();
  notice.show("offline", FACTS, false);
  const news = at("state-detail").textContent;
  at("state-detail").textContent = "two questions are open";
  notice.show("offline", FACTS, false);
  notice.show("saved", FACTS, false);
  assert.equal(at("state-detail").textContent, "two questions are open");
  notice.show("gone", FACTS, false);
  assert.ok(![news, "two questions are open"].includes(at("state-detail").textContent));
});

test("the log-in opens in a new tab after asking who is logged in, or here, leading back, if there is none", async () => {
  built();
  const notice = new Notice();
  const link = at("login");
  link.href = "/login/?x=1";
  link.hidden = false;
  const order = [];
  notice.beforeLogIn = async () => void order.push("asked");
  const { open } = globalThis;
  Object.assign(location, { pathname: "/work/7/" });
  for (const opens of [true, false]) {
    globalThis.open = (...given) => (order.push(["open", new URL(given[0]).pathname, given[1]]), opens ? {} : null);
    asked.length = 0;
    await notice.logInInNewTab(link);
    assert.deepEqual(order.splice(0), ["asked", ["open", "/login/", "diptych-login"]]);
    assert.deepEqual(
      asked.map(([how, url]) => [how, new URL(url).search]),
      opens ? [] : [["assign", "?x=1&next=%2Fwork%2F7%2F"]],
    );
  }
  link.hidden = true;
  await notice.logInInNewTab(link);
  globalThis.open = open;
  assert.deepEqual([order, asked.length], [["asked"], 1], "whoever is logged in by now need not log in");
});
