/** A page of the workspace with a `Session` that was started. */

import { at } from "../page.js";
import { built } from "../built.js";
import { FakeStorage } from "../helpers.js";
import { Clock } from "../../../static/js/workspace/model/clock.js";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { Session } from "../../../static/js/workspace/sync/session.js";
import { Notice } from "../../../static/js/workspace/view/notice.js";

const URLS = {
  assignment: "/assignment",
  annotation: "/annotation",
  submit: "/submit",
  reopen: "/reopen",
  page: "/work/7/",
  next_page: "/next",
};
export const mark = [
  {
    kind: "span",
    id: "s1",
    before: null,
    after: { id: "s1", label: "1", origin: "manual", comment: "", fragments: [{ side: "a", start: 0, end: 3 }] },
  },
];

/** The last page's session: what it sends later, as a retry, would be taken for a request of the next page. @type {Session | undefined} */
let last;

export const fresh = () => new Journal(new FakeStorage(), "3/7", "t");

/** A page with one change in its journal that was never saved. @param {Record<string, any>} parts */
export async function opened(parts, changes = [mark], journal = fresh(), others = [], alive = []) {
  const { store, actions, say } = built({ more: { urls: URLS, ...parts } });
  journal.confirmSave(store.assignment.annotation.revision, 0, store.serialize());
  for (const patch of changes) journal.append(patch);
  const session = new Session(store, "3/7", new Clock(0), new Notice(), actions, say);
  if (last) last.sync.port.request = () => new Promise(() => {});
  last = session;
  await session.start(Promise.resolve({ journal, others, alive }));
  return { store, session, journal, actions };
}
export const told = () => at("state-detail").textContent;
export const ways = () =>
  [...at("save-problem").querySelectorAll("[data-when]")]
    .filter((way) => !way.hidden)
    .map((way) => way.dataset.command ?? way.tagName);
export const closed = { editable: false, reopen: false, final: false };
