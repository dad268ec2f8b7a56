/** Shared by the tests: vectors, a small assignment, a storage, random choices from a seed. */

import { readFileSync } from "node:fs";

/** @param {string} name */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
}

/** A text whose tokens are its words, its paragraphs its lines, its sentences what ends with a full stop. */
export function textData(text, language = "en", direction = "ltr") {
  const points = [...text];
  const ranges = (test) => {
    const found = [];
    let start = -1;
    points.concat("\n").forEach((character, index) => {
      if (test(character) && start < 0) start = index;
      if (!test(character) && start >= 0) {
        found.push([start, index]);
        start = -1;
      }
    });
    return found;
  };
  return {
    language,
    direction,
    text,
    tokens: ranges((character) => !/\s/u.test(character)),
    paragraphs: ranges((character) => character !== "\n"),
    sentences: ranges((character) => character !== "\n" && character !== "."),
  };
}

export const GRADED = {
  name: "graded",
  labels: [1, 2, 3, 4, 5].map((n) => ({
    key: String(n),
    name: `L${n}`,
    description: "",
    colour: `g${n}`,
    hotkey: String(n),
    value: n,
  })),
  sides: ["a", "b"],
  links: true,
  discontinuous: true,
  overlap: true,
  default: "0",
  questions: [],
};

export const NEW = {
  ...GRADED,
  name: "xparade",
  labels: ["new", "inferable"].map((key, n) => ({
    key,
    name: key,
    description: "",
    colour: key,
    hotkey: String(n + 1),
    value: null,
  })),
  sides: ["b"],
  links: false,
  overlap: false,
  default: "same",
};

/** @param {Record<string, any>} [parts] */
export function assignment(parts = {}) {
  return {
    id: 7,
    phase: "main",
    status: "started",
    archived: false,
    editable: true,
    reopen: false,
    project: { slug: "p", name: "P", scheme: parts.scheme ?? GRADED },
    pair: {
      id: 1,
      external_id: "x",
      metadata: {},
      a: textData(parts.a ?? "The card is free.\nIt arrives within two weeks."),
      b: textData(parts.b ?? "Die Karte ist gratis.\nSie kommt nach einem Monat.", "de"),
      statement: null,
    },
    paragraph_alignment: parts.beads ?? [
      [[0], [0]],
      [[1], [1]],
    ],
    annotation: { ...annotation(), ...parts.annotation },
    highlights: parts.highlights ?? null,
    comparison: null,
    guideline: null,
    position: { n: 1, of: 1, done: 0 },
    limits: { verdicts: ["submitted"], skip_percent: null, skips_used: 0, skips_left: null },
    urls: {},
  };
}

export function annotation(spans = [], revision = 1) {
  return {
    revision,
    spans: { v: 1, spans },
    answers: {},
    verdict: "",
    reason: "",
    comment: "",
    read: { a: [], b: [] },
    active_seconds: 0,
    dismissed: [],
    unmarked: [],
    saved: null,
  };
}

/** The browser's storage, with a limit. */
export class FakeStorage {
  constructor(limit = Infinity) {
    this.items = new Map();
    this.limit = limit;
  }
  get length() {
    return this.items.size;
  }
  key(n) {
    return [...this.items.keys()][n] ?? null;
  }
  getItem(key) {
    return this.items.get(key) ?? null;
  }
  setItem(key, value) {
    const size = [...this.items].reduce((sum, [one, two]) => sum + one.length + two.length, 0);
    if (size + key.length + value.length > this.limit) throw new Error("QuotaExceededError");
    this.items.set(key, value);
  }
  removeItem(key) {
    this.items.delete(key);
  }
}

/** Numbers from a seed (mulberry32, public domain), so that a failing property can be repeated. */
export function random(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return Math.floor((((n ^ (n >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** A span of the first character of A. */
export const smallSpan = (id, label) => ({
  id,
  label,
  origin: "manual",
  comment: "",
  fragments: [{ side: "a", start: 0, end: 1 }],
});

/** A random change that fits the document. */
export function randomChange(doc, pick) {
  const id = String(pick(4));
  const has = doc.spans.get(id) ?? null;
  const kinds = [
    () => ({ kind: "span", id, before: has, after: pick(3) ? smallSpan(id, String(pick(5))) : null }),
    () => ({ kind: "answer", id: "q", before: doc.answers.q ?? "", after: pick(2) ? String(pick(3)) : "" }),
    () => ({ kind: "comment", id: "", before: doc.comment, after: String(pick(9)) }),
    () => ({ kind: "read", id: `b:${id}`, before: doc.read.b.has(Number(id)), after: pick(2) === 1 }),
    () => ({ kind: "dismissed", id, before: doc.dismissed.has(id), after: pick(2) === 1 }),
    () => ({ kind: "unmarked", id, before: doc.unmarked.has(id), after: pick(2) === 1 }),
  ];
  return kinds[pick(kinds.length)]();
}

/** All sentences of an object, however deep. */
export const sentences = (parts) =>
  Object.values(parts).flatMap((one) => (typeof one === "object" ? sentences(one) : one));
