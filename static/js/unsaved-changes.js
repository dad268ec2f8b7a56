/** On the page that says why a pair can't be opened: the unsaved changes that this browser keeps, and a button to discard them. */

import { Journal, tabsOf } from "./workspace/sync/journal.js";
import { countUnsaved } from "./workspace/sync/resume.js";
import { storage } from "./workspace/sync/storage.js";

const element = document.getElementById("unsaved-changes");
const { scope = "", one = "", other = "", confirm: question = "" } = element?.dataset ?? {};
const journals = tabsOf(storage, scope).map((tab) => new Journal(storage, scope, tab));
const { changes } = countUnsaved(journals.flatMap((journal) => (journal.base() ? journal.pending() : [])));
if (element && changes) {
  const words = new Intl.PluralRules(document.documentElement.lang || "en").select(changes) === "one" ? one : other;
  element.prepend(words.replace("{n}", String(changes)), " ");
  element.hidden = false;
  element.querySelector("button")?.addEventListener("click", () => {
    if (!confirm(question)) return;
    for (const journal of journals) journal.clear();
    element.hidden = true;
  });
}
