/** E opens the next pair, as in the workspace: it clicks the page's first such button, which then shows the key. */

const button = document.querySelector("a[data-next]");
if (button instanceof HTMLAnchorElement) {
  button.querySelector("kbd")?.removeAttribute("hidden");
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const writing = target instanceof HTMLElement && target.matches("input, select, textarea");
    if (writing || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "e")
      return;
    event.preventDefault();
    button.click();
  });
}
