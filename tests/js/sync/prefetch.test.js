/** What is fetched ahead and kept: the next pairs of one person, with their scripts, of one build. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, requests } from "../page.js";
import { annotation, assignment, FakeStorage } from "../helpers.js";
import { CACHE_PREFIX, PagePrefetcher } from "../../../static/js/workspace/sync/prefetch.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";

const HERE = "https://site.org";
const URLS = { page: "/projects/p/work/7/", next: "/next/", next_page: "/projects/p/work/" };
const page = (id) => `/projects/p/work/${id}/`;

/** The browser's caches. */
class Caches {
  constructor() {
    this.all = new Map();
  }
  keys = async () => [...this.all.keys()];
  delete = async (name) => this.all.delete(name);
  open = async (name) => {
    if (!this.all.has(name)) this.all.set(name, new Map());
    const entries = this.all.get(name);
    const key = (address) => new URL(address, HERE).href;
    return {
      keys: async () => [...entries.keys()].map((url) => ({ url })),
      match: async (address) => entries.get(key(address))?.clone(),
      put: async (address, response) => void entries.set(key(address), response),
      add: async (address) => void entries.set(key(address), new Response("part")),
      delete: async (address) => entries.delete(key(address)),
    };
  };
  kept = () =>
    [...this.all].flatMap(([name, entries]) => [...entries.keys()].map((url) => `${name} ${new URL(url).pathname}`));
}

/** A browser and a server in which the pages `upcoming` follow. */
function setup({ upcoming = [8, 9], may = "3", build = "0123456789ab", data = assignment() } = {}) {
  const caches = new Caches();
  const registered = [];
  const fetched = [];
  Object.assign(data, { urls: URLS });
  globalThis.caches = caches;
  globalThis.isSecureContext = true;
  globalThis.location = { href: `${HERE}${URLS.page}` };
  globalThis.performance.getEntriesByType = () => [{ name: `${HERE}/static/js/main.${build}.js` }];
  document.head.innerHTML = "";
  Object.defineProperty(navigator, "serviceWorker", {
    value: { register: async (...how) => (registered.push(how), {}) },
    configurable: true,
  });
  const server = { text: `<html lang="en"><script src="/static/js/main.${build}.js"></script>`, may, status: 200 };
  answering(() => ({ body: { assignment: 7, upcoming } }));
  const ask = globalThis.fetch;
  globalThis.fetch = async (url, how) => {
    if (url.startsWith("/next")) return ask(url, how);
    fetched.push([url, how.headers["X-Diptych-User"]]);
    return new Response(server.text, {
      status: server.status,
      headers: {
        "X-Diptych-Keep": server.may,
        "Content-Encoding": "gzip",
        "Content-Security-Policy": "script-src 'nonce-x'",
      },
    });
  };
  const storage = new FakeStorage();
  return {
    caches,
    registered,
    fetched,
    server,
    storage,
    ahead: new PagePrefetcher(storage, "3", data),
    end: () => (globalThis.fetch = ask),
  };
}

test("this pair, the next ones and the scripts are kept, with the headers of the page and a mark", async () => {
  const { ahead, caches, registered, fetched, end } = setup();
  assert.equal(await ahead.start(), true);
  assert.deepEqual(registered, [["/projects/p/work/worker.js", { updateViaCache: "none" }]]);
  assert.equal(requests.at(-1).url, "/next/?after=7");
  assert.deepEqual(
    fetched,
    [7, 8, 9].map((id) => [page(id), "3"]),
  );
  const [name] = await caches.keys();
  assert.ok(name.startsWith(`${CACHE_PREFIX}3/`));
  assert.deepEqual(
    caches.kept().map((one) => one.slice(name.length + 1)),
    ["/static/js/main.0123456789ab.js", page(7), page(8), page(9)],
  );
  const kept = await (await caches.open(name)).match(page(8));
  assert.match(await kept.text(), /^<html data-kept="\d+" lang/);
  assert.deepEqual(
    [kept.headers.get("Content-Security-Policy"), kept.headers.get("Content-Encoding")],
    ["script-src 'nonce-x'", null],
  );
  await ahead.start();
  assert.equal(fetched.length, 3, "what is kept is not fetched again");
  assert.equal(await ahead.nextCachedPage(), page(8));
  await ahead.deleteOwnPage();
  assert.ok(!caches.kept().some((one) => one.endsWith(page(7))));
  end();
});

test("what is done is deleted, what waits to be sent stays, and is not opened next", async () => {
  const { ahead, caches, storage, end } = setup();
  await ahead.start();
  const journal = new Journal(storage, "3/8", "t");
  journal.confirmSave(1, 0, annotation());
  journal.put("verdict", { verdict: "submitted", reason: "" });
  journal.put("queued", { id: 8, n: 2, page: page(8), urls: {} });
  assert.equal(await ahead.nextCachedPage(), page(9));
  answering(() => ({ body: { assignment: 9, upcoming: [9, 10] } }));
  await ahead.fetchMissing();
  const paths = caches.kept().map((one) => one.split(" ")[1]);
  assert.deepEqual(paths.filter((one) => one.includes("/work/")).sort(), [page(10), page(7), page(8), page(9)]);
  journal.drop("verdict");
  await ahead.fetchMissing();
  assert.ok(!caches.kept().some((one) => one.endsWith(page(8))));
  end();
});

test("nothing of another person, another build, a refusal or a read-only page is kept", async () => {
  for (const [how, expected] of [
    [{ may: "4" }, 0],
    [{ may: "" }, 0],
    [{ data: { ...assignment(), editable: false } }, 2],
  ]) {
    const { ahead, caches, end } = setup(how);
    await ahead.start();
    assert.equal(caches.kept().filter((one) => one.includes("/work/")).length, expected);
    end();
  }
  const { ahead, caches, server, end } = setup();
  server.text = "<html><script src='/static/js/main.ffffffffffff.js'></script>";
  await ahead.start();
  assert.equal(caches.kept().filter((one) => one.includes("/work/")).length, 0);
  server.status = 500;
  await ahead.fetchMissing();
  assert.equal(await ahead.nextCachedPage(), null);
  end();
});

test("the pages of other people and of earlier builds are deleted", async () => {
  const { ahead, caches, end } = setup();
  for (const name of [`${CACHE_PREFIX}4/x`, `${CACHE_PREFIX}3/old`, "other"]) await caches.open(name);
  await ahead.start();
  assert.deepEqual(
    (await caches.keys()).map((name) => name.split("/").slice(0, 3).join("/")),
    ["other", "diptych/kept/3"],
  );
  await caches.open(`${CACHE_PREFIX}4/x`);
  assert.equal(await ahead.nextCachedPage(), null, "whose they are is unknown then");
  end();
});

test("where nothing can be kept, nothing is asked for", async () => {
  const { ahead, registered, end } = setup();
  const before = requests.length;
  globalThis.isSecureContext = false;
  assert.deepEqual([await ahead.start(), await ahead.nextCachedPage()], [false, null]);
  globalThis.isSecureContext = true;
  navigator.connection = { saveData: true };
  assert.equal(await ahead.start(), false);
  delete navigator.connection;
  Object.defineProperty(navigator, "serviceWorker", {
    value: { register: async () => Promise.reject(new Error("blocked")) },
    configurable: true,
  });
  assert.equal(await ahead.start(), false);
  Object.defineProperty(navigator, "serviceWorker", { value: { register: async () => undefined }, configurable: true });
  assert.equal(await ahead.start(), false);
  assert.deepEqual([registered.length, requests.length], [0, before]);
  end();
});
