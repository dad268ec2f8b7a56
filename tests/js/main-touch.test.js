/** The page of a scheme with questions alone, on a touch screen, of a pair with more spans than the list shows at first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, asked, at, media, requests, rest, write } from "./page.js";
import { RATING } from "./built.js";
import { annotation, assignment } from "./helpers.js";

const span = (n) => ({
  id: `s${n}`,
  label: "1",
  origin: "manual",
  comment: "",
  fragments: [{ side: "a", start: 0, end: 3 }],
});
const DATA = assignment({
  scheme: { ...RATING, discontinuous: true },
  annotation: annotation(Array.from({ length: 45 }, (_, n) => span(n))),
});
DATA.reopen = true;
DATA.comparison = { gold: [], feedback: "Well done." };
DATA.urls = {
  annotation: "/annotation",
  submit: "/submit",
  assignment: "/assignment",
  reopen: "/reopen",
  page: "/work/7/",
  next_page: "/next",
  project: "/project",
};
write("annotation/workspace.html", DATA);
media.add("(hover: none) and (pointer: coarse)");
answering(() => ({ body: {} }));
const { workspace } = await import("../../static/js/workspace/main.js");
await rest(20);

test("the lead's feedback is shown", () => {
  assert.ok(at("comparison").textContent.includes("Well done."));
});

test("on a touch screen taps are expected from the beginning", () => {
  assert.equal(workspace.store.device, "touch");
});

test("the help lists what this scheme has, and nothing of spans", () => {
  workspace.commands.help();
  const listed = [...at("help-list").querySelectorAll("dd")].map((one) => one.textContent);
  assert.ok(listed.includes("Answer the question") && listed.includes("Go to the next question"));
  assert.deepEqual(
    listed.filter((one) => /label|fragment|span|suggestion/i.test(one)),
    ["List of spans"],
  );
});

test("before printing, all spans are listed", () => {
  const listed = () => at("spans").children.length;
  assert.equal(listed(), 40);
  dispatchEvent(new Event("beforeprint"));
  assert.equal(listed(), 45);
});

test("the button that reopens a pair does", async () => {
  requests.length = asked.length = 0;
  workspace.store.readOnly = true;
  document.querySelector("[data-command=reopen]").click();
  await rest();
  assert.deepEqual([requests.map(({ method, url }) => [method, url]), asked], [[["POST", "/reopen"]], [["reload"]]]);
});
