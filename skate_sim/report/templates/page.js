"use strict";
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const texts = !head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : texts; // numbers begin with the largest
      const key = (row) => row.cells[column].dataset.key;
      const compare = texts
        ? (a, b) => a.cells[column].textContent.localeCompare(b.cells[column].textContent, undefined, { numeric: true })
        : (a, b) => Number(key(a)) - Number(key(b));
      const all = [...body.rows];
      const sorted = all.filter((row) => texts || key(row) !== undefined).sort((a, b) => (up ? compare(a, b) : compare(b, a)));
      const rest = all.filter((row) => !sorted.includes(row)); // a cell without a number stays at the end
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...sorted, ...rest);
    });
  });
}
const openTarget = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
