import assert from "node:assert/strict";
import { test } from "node:test";
import "../page.js";
import {
  assetUrls,
  buildId,
  isHashed,
  newestAnnotation,
  stampKeptAt,
} from "../../../static/js/workspace/model/offline-pages.js";
import { annotation } from "../helpers.js";

const HERE = "https://site.org/projects/p/work/7/";

test("scripts, styles and images of the site are needed; pages, the API and other sites are not", () => {
  const page = document.createElement("div");
  page.innerHTML =
    '<script src="/static/js/main.0123456789ab.js"></script><script>inline()</script><link rel="icon" href="/static/icon.svg"><link rel="modulepreload" href="/static/js/a.js"><link rel="next" href="/static/x.js">';
  const loaded = [
    "https://site.org/static/js/a.js",
    "https://other.org/b.js",
    "https://site.org/api/next/",
    "https://site.org/projects/p/work/worker.js",
    "https://site.org/language/de.0123456789ab.js",
  ];
  assert.deepEqual(
    assetUrls(page, loaded, HERE).map((one) => one.replace("https://site.org", "")),
    ["/language/de.0123456789ab.js", "/static/icon.svg", "/static/js/a.js", "/static/js/main.0123456789ab.js"],
  );
});

test("a deployment gives the addresses another name, in whatever order; names that never change say nothing", () => {
  const [old, next, plain] = [
    "https://s.org/main.0123456789ab.js",
    "https://s.org/main.ba9876543210.js",
    "https://s.org/main.js",
  ];
  assert.deepEqual([old, plain, "https://s.org/x.0123.js"].map(isHashed), [true, false, false]);
  assert.notEqual(buildId([old]), buildId([next]));
  assert.equal(buildId([old]), buildId([old, plain]));
  assert.match(buildId([old]), /^[0-9a-z]+$/);
});

test("a kept page says so once, at its root", () => {
  assert.equal(
    stampKeptAt('<!DOCTYPE html>\n<html lang="en"><p>&lt;html</p>', 5),
    '<!DOCTYPE html>\n<html data-kept="5" lang="en"><p>&lt;html</p>',
  );
});

test("a kept page has what was saved after it was kept, never what is older", () => {
  const page = annotation([], 2);
  const base = (revision) => ({ revision, clock: 1, doc: { comment: `of ${revision}` } });
  assert.equal(newestAnnotation(page, [null, base(1), base(2)]), page);
  const { revision, comment, spans } = newestAnnotation(page, [base(3), base(5), base(4), null]);
  assert.deepEqual([revision, comment, spans], [5, "of 5", page.spans]);
});
