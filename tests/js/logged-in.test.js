import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "./page.js";

const heard = [];
new BroadcastChannel("diptych/login").addEventListener("message", ({ data }) => heard.push(data));

test("tabs that wait for a log-in are notified, and only a tab that was opened for it closes", async () => {
  await import("../../static/js/logged-in.js");
  assert.deepEqual([heard, asked], [["done"], []]);
  globalThis.opener = {};
  await import("../../static/js/logged-in.js?opened");
  assert.deepEqual([heard, asked], [["done", "done"], [["close"]]]);
});
