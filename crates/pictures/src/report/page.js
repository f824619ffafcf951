"use strict";
// Sorts a table by the clicked column: numbers by value, text by the alphabet, empty cells last; again: downwards.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const table = head.closest("table");
    const body = table.tBodies[0];
    const column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("n");
    const key = (row) => {
      const cell = row.cells[column];
      return numeric ? (cell.dataset.v === undefined ? null : Number(cell.dataset.v)) : cell.textContent || null;
    };
    const compare = (a, b) => (numeric ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    const rows = Array.from(body.rows, (row) => ({ row, key: key(row) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return down ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    for (const { row } of rows) body.append(row);
  });
}
