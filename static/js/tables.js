/**
 * Sorting, filtering and copying of every `<table data-table>`. A cell is sorted by its `data-sort`, otherwise by the
 * number at its start (in the format of the page's language), otherwise by its text. Without this script the tables are
 * plain but complete.
 */

/** The page's texts for the tools, from `<meta name="table-words" data-…>`. */
const words = /** @type {HTMLElement | null} */ (document.querySelector("meta[name=table-words]"))?.dataset ?? {};
const language = document.documentElement.lang || "en";
const collator = new Intl.Collator(language, { numeric: true });
const parts = new Intl.NumberFormat(language).formatToParts(1234567.8);
const [group, decimal] = ["group", "decimal"].map((type) => parts.find((part) => part.type === type)?.value ?? "");
/** Tables with at least this many rows have a filter field. */
const MIN_FILTER_ROWS = 12;

/** @param {string} text @returns {number} The number in a cell, alone or before an interval; otherwise NaN. */
function numberIn(text) {
  const plain = text
    .replace(/[\s%]/g, "")
    .replaceAll(group || " ", "")
    .replace(decimal || ".", ".")
    .replace("−", "-");
  return Number(/^-?\d+(\.\d+)?(?=$|\[)/.exec(plain)?.[0] ?? Number.NaN);
}

/** @param {HTMLTableCellElement | undefined} cell @returns {{ words: string, value: number }} */
function sortKey(cell) {
  const [key, words] = [cell?.dataset.sort, cell?.innerText.trim() ?? ""];
  return key === undefined ? { words, value: numberIn(words) } : { words: key, value: key ? Number(key) : Number.NaN };
}

/** @param {HTMLTableCellElement | undefined} one @param {HTMLTableCellElement | undefined} other */
function compareCells(one, other) {
  const [a, b] = [sortKey(one), sortKey(other)];
  return Number.isNaN(a.value) || Number.isNaN(b.value) ? collator.compare(a.words, b.words) : a.value - b.value;
}

/** @param {HTMLTableElement} table @param {number} column @param {boolean} down */
function sortRows(table, column, down) {
  for (const body of table.tBodies) {
    const rows = [...body.rows];
    rows.sort((one, other) => compareCells(one.cells[column], other.cells[column]) * (down ? -1 : 1));
    body.append(...rows);
  }
}

/** @param {HTMLTableElement} table */
function addSorting(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  for (const [column, head] of heads.entries()) {
    if (!head.innerText.trim() || head.querySelector(".sr-only")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortRows(table, column, down);
    });
  }
}

/** @param {string} text @returns {string} A cell in CSV; what a spreadsheet would treat as a formula is marked as text. */
function csvCell(text) {
  const safe = /^[=+\-@]/.test(text) && !/^[+-]?[\d.,]+%?( \[.*\])?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {HTMLTableElement} table @returns {string} The visible rows as CSV. */
function tableCsv(table) {
  const rows = [...table.rows].filter((row) => !row.hidden);
  return rows.map((row) => [...row.cells].map((each) => csvCell(each.innerText.trim())).join(",")).join("\n");
}

/** @param {HTMLTableElement} table */
function createTools(table) {
  const bar = document.createElement("div");
  bar.className = "table-tools";
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  if (rows.length >= MIN_FILTER_ROWS) {
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = field.ariaLabel = words.filter ?? "Filter";
    field.addEventListener("input", () => {
      const query = field.value.trim().toLocaleLowerCase();
      for (const row of rows) row.hidden = !(row.textContent ?? "").toLocaleLowerCase().includes(query);
    });
    bar.append(field);
  }
  const copy = document.createElement("button");
  copy.type = "button";
  copy.className = "plain quiet";
  copy.textContent = words.copy ?? "Copy as CSV";
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(tableCsv(table));
    copy.textContent = words.copied ?? "Copied";
  });
  bar.append(copy);
  return bar;
}

/** @param {HTMLTableElement} table */
function enhance(table) {
  // A page that has a frame for it scrolls the table without this script too.
  const existing = table.parentElement?.matches(".table") ? table.parentElement : null;
  const frame = existing ?? document.createElement("div");
  frame.className = "table";
  // Scrollable tables can be reached by keyboard.
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", words.table ?? "Table");
  if (!existing) {
    table.before(frame);
    frame.append(table);
  }
  frame.before(createTools(table));
  addSorting(table);
}

for (const table of document.querySelectorAll("table[data-table]")) {
  if (table instanceof HTMLTableElement && table.tBodies[0]?.rows.length) enhance(table);
}
