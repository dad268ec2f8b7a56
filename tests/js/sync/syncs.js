/** A `Sync` with a server of predefined responses. */

import { mock } from "node:test";
import { Journal } from "../../../static/js/workspace/sync/journal.js";
import { Sync } from "../../../static/js/workspace/sync/sync.js";
import { FakeStorage } from "../helpers.js";

export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A server with predefined responses, and a page around the sync. */
export function setup(revision = 1) {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const server = { revision, requests: [], mode: "ok" };
  const seen = { states: [], conflicts: [], submitted: [] };
  const page = { doc: { comment: "" } };
  const journal = new Journal(new FakeStorage(), 7, "t");
  journal.confirmSave(revision, 0, {});
  const port = {
    journal,
    urls: { annotation: "/annotation/", submit: "/submit/" },
    snapshot: () => ({ ...page.doc }),
    onState: (state, detail) => seen.states.push(detail ? `${state}: ${detail}` : state),
    onConflict: (theirs) => seen.conflicts.push(theirs),
    onSubmitted: (data) => seen.submitted.push(data),
    onSaved: () => {},
    request: async (method, url, body) => {
      server.requests.push([method, url, body]);
      if (server.mode !== "ok") return { outcome: server.mode, data: server.data ?? null };
      if (method === "PUT") {
        if (body.revision !== server.revision)
          return { outcome: "conflict", data: { annotation: { revision: server.revision } } };
        server.revision += 1;
        return { outcome: "ok", data: { revision: server.revision } };
      }
      return { outcome: "ok", data: { status: "done", next: 8 } };
    },
  };
  const sync = new Sync(port, revision, 0);
  const change = (comment) => {
    page.doc = { comment };
    journal.append([{ kind: "comment", id: "", before: "", after: comment }]);
    sync.onChange();
  };
  const pass = async (ms) => {
    mock.timers.tick(ms);
    await settle();
  };
  return { server, seen, sync, journal, change, pass };
}
