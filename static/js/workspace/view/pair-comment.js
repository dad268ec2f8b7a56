/** The comment to the lead: a field whose content is part of the annotation, saved and undone like everything else. */

import { requireElement } from "./dom.js";

/** @param {import("../model/store.js").Store} store @param {() => void} back Moves the focus back to the texts. */
export function connectPairComment(store, back) {
  const field = /** @type {HTMLInputElement} */ (requireElement("pair-comment"));
  const draw = () => {
    if (field.value !== store.doc.comment) field.value = store.doc.comment;
    // On a phone the field is visible while it has the focus or a content.
    document.body.classList.toggle("editing-comment", field.value !== "" || document.activeElement === field);
  };
  field.addEventListener("input", () => {
    const { comment } = store.doc;
    if (field.value !== comment)
      store.commit([{ kind: "comment", id: "", before: comment, after: field.value }], { group: "pair comment" });
  });
  // As with comments on spans: after Enter, the next key is meant for the texts.
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    back();
  });
  field.addEventListener("blur", draw);
  store.on("doc", draw);
  draw();
}
