/** The comment to the lead: a field whose words are part of the work, saved and undone like everything else. */

import { need } from "./dom.js";

/** @param {import("../model/store.js").Store} store @param {() => void} back Puts the focus back on the texts. */
export function connectRemark(store, back) {
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
  // As in the comment on a span: the comment is written, and the next key is meant for the texts.
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    back();
  });
  field.addEventListener("blur", draw);
  store.on("doc", draw);
  draw();
}
