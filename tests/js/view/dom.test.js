import assert from "node:assert/strict";
import { test } from "node:test";
import { at, media, write } from "../page.js";
import {
  focusOf,
  isOverlayOpen,
  labelChip,
  labelSign,
  make,
  requireElement,
  requireDialog,
  prefersReducedMotion,
  acceptsText,
} from "../../../static/js/workspace/view/dom.js";

test("an element gets the attributes and children that are not null", () => {
  const made = make(
    "button",
    { class: "plain", text: "Go", title: "Away", hidden: true, disabled: false, "data-n": 0, id: null },
    [null, " on", undefined],
  );
  assert.equal(made.outerHTML, '<button class="plain" title="Away" hidden="" data-n="0">Go on</button>');
});

test("an element of the template is found, or the error names it", () => {
  assert.equal(requireElement("texts").id, "texts");
  assert.equal(requireDialog("help").tagName, "DIALOG");
  assert.throws(() => requireElement("nowhere"), /#nowhere: templates/);
});

test("fields take text, boxes and buttons do not", () => {
  const input = (type) => make("input", { type });
  assert.deepEqual(
    ["text", "search", "number", "checkbox", "radio", "button", "range"].map((type) => acceptsText(input(type))),
    [true, true, true, false, false, false, false],
  );
  assert.ok(acceptsText(make("textarea")) && acceptsText(make("select")));
  assert.ok(!acceptsText(make("p")) && !acceptsText(null));
});

test("the focus determines what keys do", () => {
  const inTexts = at("texts").appendChild(make("p", {}, [make("span")]));
  const tick = at("texts").appendChild(make("button"));
  assert.equal(focusOf(at("pair-comment")), "field");
  assert.equal(focusOf(null), "page");
  assert.equal(focusOf(document.body), "page");
  assert.equal(focusOf(at("label-bar").appendChild(make("button"))), "bar");
  assert.equal(focusOf(inTexts.firstElementChild), "texts");
  assert.equal(focusOf(tick), "tick");
  assert.equal(focusOf(at("find-next")), "control");
  write();
});

test("the find bar, the drawer and, in a narrow window, the guidelines lie over the texts", () => {
  assert.ok(!isOverlayOpen());
  for (const id of ["find", "messages"]) {
    at(id).hidden = false;
    assert.ok(isOverlayOpen(), id);
    at(id).hidden = true;
  }
  at("guidelines").hidden = false;
  assert.ok(!isOverlayOpen());
  media.add("(max-width: 1100px)");
  assert.ok(isOverlayOpen());
  media.clear();
  at("guidelines").hidden = true;
  document.body.classList.add("span-list-open");
  assert.ok(isOverlayOpen());
  document.body.classList.remove("span-list-open");
});

test("motion is reduced if the system asks for it", () => {
  assert.ok(!prefersReducedMotion());
  media.add("(prefers-reduced-motion: reduce)");
  assert.ok(prefersReducedMotion());
  media.clear();
});

test("a label's sign is its hotkey, its first letter, or its key", () => {
  assert.equal(labelSign({ hotkey: "1", name: "Minor", key: "m" }), "1");
  assert.equal(labelSign({ hotkey: "", name: "𝒜lpha", key: "m" }), "𝒜");
  assert.equal(labelSign({ hotkey: "", name: "", key: "m" }), "m");
  assert.equal(labelSign(null), "");
  assert.equal(
    labelChip({ hotkey: "2", name: "x", key: "k", colour: "g2" }).outerHTML,
    '<span class="chip c-g2" aria-hidden="true">2</span>',
  );
  assert.equal(labelChip(null, "gone").textContent, "gone");
});
