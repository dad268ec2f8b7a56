// Lets users drop files on a file field, and highlights the field while files are dragged over it.

for (const area of document.querySelectorAll("[data-drop]")) {
  const input = area.querySelector("input[type=file]");
  if (!(input instanceof HTMLInputElement)) continue;
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    const files = event instanceof DragEvent ? event.dataTransfer?.files : undefined;
    if (!files?.length) return;
    input.files = files;
    input.focus();
  });
}
