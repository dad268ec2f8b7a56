/**
 * The workspace's page in node, for tests of what needs elements: import this before any module of `static/js`.
 *
 * The elements are those of the templates (all branches, without Django's tags), in happy-dom. It has no layout, so
 * words get positions by a rule: five per line, 60 wide and 20 high, each row of paragraphs 100 below the previous one,
 * side B 500 to the right of A. Nothing is translated.
 */

import { readFileSync } from "node:fs";
import { Window } from "#happy-dom"; // by `npm test` one file of its 600 modules: half of the time of a test file
import { assignment } from "./helpers.js";

const read = (name) => readFileSync(new URL(`../../templates/${name}`, import.meta.url), "utf8");
const OPEN = /\{%\s*block (\w+)[^%]*%\}/;

/** The content of a template's blocks, filled into the template it extends, without Django's tags. */
function html(name, given = {}) {
  let source = read(name);
  const parent = /\{%\s*extends "([^"]+)"\s*%\}/.exec(source)?.[1];
  const blocks = {};
  for (let found = OPEN.exec(source); found; found = OPEN.exec(source)) {
    const end = closing(source, found.index);
    const inner = source.slice(found.index + found[0].length, end.from);
    blocks[found[1]] = (given[found[1]] ?? inner).replace(/\{\{ block\.super \}\}/g, inner);
    source =
      source.slice(0, found.index) + (parent && parent !== "base.html" ? "" : blocks[found[1]]) + source.slice(end.to);
  }
  if (parent && parent !== "base.html") return html(parent, { ...blocks, ...given });
  return source
    .replace(/\{%\s*include "([^"]+)"[^%]*%\}/g, (_, other) => html(other))
    .replace(/\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}/gs, "");
}

/** Where the block that opens at an offset ends. */
function closing(source, at) {
  const tags = /\{%\s*(block \w+|endblock)[^%]*%\}/g;
  tags.lastIndex = at;
  let depth = 0;
  for (let found = tags.exec(source); found; found = tags.exec(source)) {
    depth += found[1] === "endblock" ? -1 : 1;
    if (!depth) return { from: found.index, to: tags.lastIndex };
  }
  throw new Error("a block is not closed");
}

const window = new Window({ url: "http://127.0.0.1/work/7/", width: 1440, height: 400 });
const { document } = window;

/** Put a template's elements on the page, with an assignment. */
export function write(template = "annotation/workspace.html", data = assignment()) {
  document.head.innerHTML = '<meta name="user" content="3"><meta name="csrf-token" content="token">';
  document.body.innerHTML = html(template);
  for (const script of document.querySelectorAll("script[type='application/json']")) script.textContent = "{}";
  const packed = structuredClone(data);
  for (const side of [packed.pair.a, packed.pair.b])
    for (const name of ["tokens", "sentences", "paragraphs"]) side[name] = flat(side[name]);
  if (packed.highlights) packed.highlights.edges = flat(packed.highlights.edges);
  for (const [id, content] of [
    ["assignment", packed],
    ["own-preferences", {}],
  ]) {
    const script = document.createElement("script");
    script.type = "application/json";
    script.id = id;
    script.textContent = JSON.stringify(content);
    document.body.append(script);
  }
}

/** Ranges as `annotation/text/packed_ranges.py` writes them. */
function flat(ranges) {
  let last = 0;
  return ranges.flatMap(([from, to]) => {
    const parts = [from - last, to - from];
    last = to;
    return parts;
  });
}

/** What a request was answered, in order; each answer is `{status, body}`. @type {{method: string, url: string, body: any}[]} */
export const requests = [];
/** @type {(request: {method: string, url: string, body: any}) => {status?: number, body?: any}} */
let answer = () => ({ body: {} });
/** Answer every request from now on. */
export const answering = (by) => (answer = by);

/** Media queries that match now, and all that were requested. */
export const media = new Set();
export const queries = {};
/** Elements with a position of their own. @type {Map<any, [number, number, number, number]>} left, top, width, height */
export const boxes = new Map();

const LINE = 5;
function box(element) {
  if (boxes.has(element)) return boxes.get(element);
  const left = element.closest(".col.b") ? 500 : 0;
  const para = element.closest(".para");
  const row = Number(element.closest("[data-row]")?.dataset.row ?? 0);
  const top =
    30 + 100 * row - (document.getElementById("texts")?.scrollTop ?? 0) - (element.closest(".col")?.scrollTop ?? 0);
  if (element.classList.contains("token")) {
    const n = [...para.querySelectorAll(".token")].indexOf(element);
    return [left + 60 * (n % LINE), top + 20 * Math.floor(n / LINE), 50, 20];
  }
  if (element.classList.contains("para"))
    return [left, top, 300, 20 * Math.max(1, Math.ceil(para.querySelectorAll(".token").length / LINE))];
  if (element.classList.contains("cell")) return [left, top, 300, 100];
  if (element.classList.contains("side")) return [left, 0, 300, 20];
  if (element.classList.contains("col")) return [left, 0, 300, 400];
  if (["texts", "sheet", "main", "connectors"].includes(element.id)) return [0, 0, 900, 400];
  return [0, 0, 0, 0];
}
function rect(element) {
  const [left, top, width, height] = box(element);
  return { left, top, width, height, right: left + width, bottom: top + height, x: left, y: top };
}
const inside = (element, x, y) => {
  const { left, top, right, bottom } = rect(element);
  return x >= left && x < right && y >= top && y < bottom;
};

const { prototype } = window.Element;
Object.defineProperties(prototype, {
  getBoundingClientRect: {
    value() {
      return rect(this);
    },
    configurable: true,
  },
  getClientRects: {
    value() {
      return [rect(this)];
    },
    configurable: true,
  },
  scrollBy: {
    value({ top }) {
      this.scrollTop += top;
    },
    configurable: true,
  },
  scrollTo: {
    value({ top }) {
      this.scrollTop = top;
    },
    configurable: true,
  },
  scrollIntoView: { value() {}, configurable: true },
  setPointerCapture: {
    value(id) {
      this.captured = id;
    },
    configurable: true,
  },
  hasPointerCapture: {
    value(id) {
      return this.captured === id;
    },
    configurable: true,
  },
});
for (const [name, at] of [
  ["Width", 2],
  ["Height", 3],
])
  for (const kind of ["offset", "client"])
    for (const of of [window.Element, window.HTMLElement])
      Object.defineProperty(of.prototype, `${kind}${name}`, {
        get() {
          return box(this)[at];
        },
        configurable: true,
      });
Object.defineProperty(window.HTMLTableSectionElement.prototype, "rows", {
  get() {
    return this.querySelectorAll("tr");
  },
});
Object.defineProperty(document, "fonts", { value: new window.EventTarget(), configurable: true });
document.elementFromPoint = (x, y) =>
  [".handle:not([hidden])", ".token", ".para", ".cell", ".col", "#texts"]
    .flatMap((kind) => [...document.querySelectorAll(kind)])
    .find((one) => inside(one, x, y)) ?? null;

/** Requested animation frames; `frame()` runs one. */
let frames = [];
export function frame() {
  const now = frames;
  frames = [];
  for (const one of now) one(performance.now());
}
/** Wait for promises and timers of 0 ms. */
export const rest = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

/** Observed by a ResizeObserver: `resized(element)` reports that an element has another size. */
const resizing = [];
export const resized = (element) => {
  for (const { call, of } of resizing) if (of.has(element)) call([{ target: element }]);
};

/** Elements observed by an IntersectionObserver; `sighted(elements)` reports that they are in view. */
const watching = [];
export const sighted = (elements, isIntersecting = true) => {
  for (const { call, of } of watching)
    call(elements.filter((target) => of.has(target)).map((target) => ({ target, isIntersecting })));
};

const channels = new Set();
class Channel extends window.EventTarget {
  constructor(name) {
    super();
    this.name = name;
    channels.add(this);
  }
  postMessage(data) {
    for (const one of channels)
      if (one !== this && one.name === this.name) one.dispatchEvent(new window.MessageEvent("message", { data }));
  }
}

/** Requests to the browser: pages opened, reloads, questions. */
export const asked = [];
const every = globalThis.setInterval;
const own = {
  window,
  document,
  navigator: { clipboard: { writeText: async (words) => void asked.push(["copy", words]) }, language: "en" },
  location: {
    assign: (url) => asked.push(["assign", url]),
    reload: () => asked.push(["reload"]),
    href: window.location.href,
  },
  confirm: (words) => (asked.push(["confirm", words]), true),
  open: (url) => (asked.push(["open", url]), {}),
  matchMedia: (query) =>
    (queries[query] ??= Object.defineProperty(new window.EventTarget(), "matches", { get: () => media.has(query) })),
  requestAnimationFrame: (call) => frames.push(call),
  IntersectionObserver: class {
    constructor(call) {
      watching.push({ call, of: (this.of = new Set()) });
    }
    observe(element) {
      this.of.add(element);
    }
    unobserve(element) {
      this.of.delete(element);
    }
    disconnect() {
      this.of.clear();
    }
  },
  ResizeObserver: class {
    constructor(call) {
      resizing.push({ call, of: (this.of = new Set()) });
    }
    observe(element) {
      this.of.add(element);
    }
  },
  BroadcastChannel: Channel,
  CSS: { highlights: new Map() },
  Highlight: class {
    constructor(...ranges) {
      this.ranges = ranges;
    }
  },
  innerHeight: 400,
  innerWidth: 1440,
  opener: null,
  close: () => asked.push(["close"]),
  setInterval: (...given) => every(...given).unref(),
  fetch: async (url, { method = "GET", body } = {}) => {
    const request = { method, url, body: body === undefined ? undefined : JSON.parse(body) };
    requests.push(request);
    const { status = 200, body: said = {} } = answer(request);
    if (status === 0) throw new TypeError("offline");
    return new Response(JSON.stringify(said), { status, headers: { "content-type": "application/json" } });
  },
};
for (const name of Object.getOwnPropertyNames(window))
  if (/^[A-Z]/.test(name) && !(name in globalThis) && typeof window[name] === "function") own[name] ??= window[name];
for (const name of ["Event", "EventTarget", "MessageEvent", "CustomEvent"]) own[name] = window[name];
for (const name of [
  "getComputedStyle",
  "getSelection",
  "localStorage",
  "sessionStorage",
  "addEventListener",
  "removeEventListener",
  "dispatchEvent",
])
  own[name] ??= typeof window[name] === "function" ? window[name].bind(window) : window[name];
for (const [name, value] of Object.entries(own))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

write();

/** Send an event to an element. */
export function send(target, type, how = {}) {
  const kinds = { key: "KeyboardEvent", poi: "PointerEvent", mou: "MouseEvent", cli: "MouseEvent" };
  const event = new window[kinds[type.slice(0, 3)] ?? "Event"](type, { bubbles: true, cancelable: true, ...how });
  target.dispatchEvent(event);
  return event;
}
/** Press a key on an element. */
export const press = (target, key, how = {}) =>
  send(target, "keydown", { key, code: how.code ?? (key.length === 1 ? `Key${key.toUpperCase()}` : key), ...how });
/** @param {string} id */
export const at = (id) => document.getElementById(id);
/** The words of an element, spaces made one. */
export const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
