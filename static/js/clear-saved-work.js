/**
 * On pages without a log-in: deletes the pairs that were kept for working offline, and what this browser remembers of
 * saved work. Unsaved changes stay.
 */

import { clearSavedJournals } from "./workspace/sync/journal.js";
import { storage } from "./workspace/sync/storage.js";

await clearSavedJournals(storage);
const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
await Promise.all(names.filter((name) => name.startsWith("diptych/kept/")).map((name) => caches.delete(name)));
const workers = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
await Promise.all(
  workers.filter(({ scope }) => /\/projects\/[^/]+\/work\/$/.test(scope)).map((one) => one.unregister()),
);
