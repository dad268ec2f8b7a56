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
  const ways = () => [...at("save-problem").querySelectorAll("[data-when]")].filter((way) => !way.hidden).map((way) => way.id || way.dataset.command);
  notice.show("saved", facts, false);
  assert.deepEqual([at("state").textContent, at("state").dataset.state, at("state-detail").textContent, ways()], ["Saved", "saved", "", []]);
  notice.show("offline", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Offline, 2 changes kept here");
  notice.show("offline", facts, true);
  assert.equal(at("state").textContent, "Offline");
  notice.show("refused", { ...facts, unsaved: 2 }, true);
  assert.equal(at("state").textContent, "Not accepted", "what was refused doesn't wait here");
  assert.ok(at("state-detail").textContent.endsWith("This browser can't store your changes: keep the page open until they are saved."));
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
