/** The comment to the lead: a field whose words are part of the work, saved and undone like everything else. */

import { need } from "./dom.js";

/** @param {import("./store.js").Store} store */
export function connectRemark(store) {
  const field = /** @type {HTMLInputElement} */ (need("remark"));
  const draw = () => {
    if (field.value !== store.doc.comment) field.value = store.doc.comment;
  };
  field.addEventListener("input", () => {
    const { comment } = store.doc;
    if (field.value !== comment) store.commit([{ kind: "comment", id: "", before: comment, after: field.value }], { group: "remark" });
  });
  store.on("doc", draw);
  draw();
}
