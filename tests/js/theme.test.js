import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, requests, rest, send } from "./page.js";

const root = document.documentElement;
root.dataset.user = "3";
root.dataset.preferences = "/preferences";
root.dataset.theme = "light";
localStorage.setItem("diptych/theme/3", "dark");
document.cookie = "csrftoken=abc";
document.body.innerHTML =
  '<button data-theme-switch data-system="As the system" data-light="Light" data-dark="Dark"></button><p>text</p>';
const button = document.querySelector("button");
await import("../../static/js/theme.js");

test("the theme that this user chose in this browser is set before the first paint", () => {
  assert.equal(root.dataset.theme, "dark");
  send(document, "DOMContentLoaded");
  assert.equal(button.textContent, "Dark");
});

test("the switch cycles, is stored for this user and for pages without a log-in, and is sent", async () => {
  button.click();
  assert.deepEqual([root.dataset.theme, button.textContent], [undefined, "As the system"]);
  assert.deepEqual(
    ["diptych/theme/3", "diptych/theme"].map((key) => localStorage.getItem(key)),
    ["system", "system"],
  );
  button.click();
  assert.deepEqual([root.dataset.theme, button.textContent], ["light", "Light"]);
  await rest();
  assert.deepEqual(
    requests.map(({ method, url, body }) => [method, url, body]),
    [
      ["PUT", "/preferences", { theme: "system" }],
      ["PUT", "/preferences", { theme: "light" }],
    ],
  );
  document.querySelector("p").click();
  assert.equal(root.dataset.theme, "light", "only the switch switches");
});

test("without a network the choice applies here; without an address nothing is sent", async () => {
  answering(() => ({ status: 0 }));
  button.click();
  await rest();
  assert.equal(root.dataset.theme, "dark");
  delete root.dataset.preferences;
  const { length } = requests;
  button.click();
  assert.equal(requests.length, length);
});

test("the server's value takes precedence over this browser's; blocked storage does no harm", async () => {
  root.dataset.ownTheme = "light";
  root.dataset.preferences = "/preferences";
  await import("../../static/js/theme.js?again");
  assert.equal(root.dataset.theme, "light");
  delete root.dataset.ownTheme;
  root.dataset.theme = "dark";
  const kept = globalThis.localStorage;
  Object.defineProperty(globalThis, "localStorage", {
    get: () => {
      throw new Error("closed");
    },
    configurable: true,
  });
  await import("../../static/js/theme.js?closed");
  assert.equal(root.dataset.theme, "dark");
  Object.defineProperty(globalThis, "localStorage", { value: kept, configurable: true });
});
