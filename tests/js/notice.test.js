import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

document.cookie = "csrftoken=fresh";
document.body.innerHTML =
  '<main><form><input name="csrfmiddlewaretoken" value="old"><textarea></textarea></form><form id="bare"></form><section hx-trigger="every 2s"></section></main>';
await import("../../static/js/notice.js");
const notice = document.querySelector("[role=alert]");
const polling = document.querySelector("section");
const writing = document.querySelector("form");

/** Whether htmx would send it, and the token that it would send. */
function asks(elt, token = "old") {
  const formData = new FormData();
  if (token) formData.set("csrfmiddlewaretoken", token);
  const event = new CustomEvent("htmx:configRequest", { detail: { elt, formData }, bubbles: true, cancelable: true });
  return [elt.dispatchEvent(event), formData.get("csrfmiddlewaretoken")];
}

function answered(status, text = "", header = text ? "1" : null) {
  const xhr = {
    status,
    responseText: text,
    getResponseHeader: (name) => (name === "X-Diptych-Notice" ? header : null),
  };
  document.body.dispatchEvent(new CustomEvent("htmx:beforeOnLoad", { detail: { xhr }, bubbles: true }));
}

const shown = () => [notice.hidden, notice.textContent];

test("nothing is shown until something is refused", () => {
  assert.equal(notice.nextElementSibling.tagName, "MAIN");
  assert.deepEqual(shown(), [true, ""]);
});

test("an expired log-in is shown, polling waits for it, and the page stays", () => {
  answered(401, "<p>Logged out</p>\n");
  assert.deepEqual(shown(), [false, "Logged out"]);
  assert.deepEqual([asks(polling)[0], asks(writing)[0]], [false, true]);
});

test("it is shown once, however often it is refused", () => {
  const said = notice.firstChild;
  answered(401, "<p>Logged out</p>\n");
  assert.equal(notice.firstChild, said);
});

test("polling continues after a log-in in another tab", async () => {
  new BroadcastChannel("diptych/login").postMessage("done");
  for (let i = 0; i < 50 && !notice.hidden; i += 1) await new Promise((done) => setTimeout(done, 10));
  assert.deepEqual([...shown(), asks(polling)[0]], [true, "", true]);
});

test("a busy request is repeated, and the notice disappears with the first response", () => {
  answered(503, "<p>Busy</p>");
  assert.deepEqual([...shown(), asks(polling)[0]], [false, "Busy", true]);
  answered(500);
  assert.deepEqual(shown(), [false, "Busy"], "an error without words of its own");
  answered(200);
  assert.deepEqual(shown(), [true, ""]);
});

test("forms are sent with the token of the last log-in", () => {
  assert.deepEqual([asks(writing)[1], asks(writing, "")[1]], ["fresh", null]);
  for (const form of document.querySelectorAll("form"))
    form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  assert.equal(writing.querySelector("input").value, "fresh");
  document.cookie = "csrftoken=; max-age=0";
  assert.equal(asks(writing)[1], "old");
});

/** Whether a form is sent when it is submitted, by a button if one is given. */
function sent(form, button = null) {
  const event = new Event("submit", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "submitter", { value: button });
  return form.dispatchEvent(event);
}
const form = (attributes = {}) => {
  const made = document.createElement("form");
  for (const [name, value] of Object.entries({ method: "post", ...attributes })) made.setAttribute(name, value);
  document.querySelector("main").append(made);
  return made;
};

test("a form is not submitted twice while the server is slow, but again if no page came, or another was seen", () => {
  const { now } = performance;
  let time = 1000;
  performance.now = () => time;
  const slow = form();
  const at = (ms) => ((time = 1000 + ms), sent(slow));
  assert.deepEqual([at(0), at(1), at(4999), at(5000), at(5001)], [true, false, false, true, false]);
  assert.ok(sent(form()), "each form by itself");
  dispatchEvent(new Event("pageshow"));
  assert.ok(at(5002));
  performance.now = now;
});

test("a search, a preview in a frame and a form that a script sends can be submitted at once again", () => {
  const button = document.createElement("button");
  button.setAttribute("formtarget", "preview");
  const scripted = form();
  scripted.addEventListener("submit", (event) => event.preventDefault(), { once: true });
  assert.ok(!sent(scripted));
  for (const [one, by] of [
    [scripted, null],
    [form({ method: "get" }), null],
    [form({ target: "preview" }), null],
    [form(), button],
  ]) {
    assert.ok(sent(one, by));
    assert.equal(sent(one, by), one !== scripted);
  }
});
