/** The comment to the lead: a field whose words are part of the work, saved and undone like everything else. */

import { need } from "./dom.js";

/** @param {import("./store.js").Store} store */
export function connectRemark(store) {
  const field = /** @type {HTMLInputElement} */ (need("remark"));
  const draw = () => {
    if (field.value !== store.doc.comment) field.value = store.doc.comment;
    // On a phone the field is there while it is written in, and where it says something.
    document.body.classList.toggle("remarking", field.value !== "" || document.activeElement === field);
  };
  field.addEventListener("input", () => {
    const { comment } = store.doc;
    if (field.value !== comment) store.commit([{ kind: "comment", id: "", before: comment, after: field.value }], { group: "remark" });
  });
  field.addEventListener("blur", draw);
  store.on("doc", draw);
  draw();
}
