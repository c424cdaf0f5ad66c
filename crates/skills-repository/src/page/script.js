"use strict";
// A link to a group that is folded unfolds it. Without scripts the link leads to its heading.
(() => {
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.localName !== "details") return;
    for (let group = target; group; group = group.parentElement.closest("details")) group.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  // A second click on a link changes no hash.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) unfold();
  });
  unfold();
})();
(() => {
  const table = document.getElementById("skill-table");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const form = document.querySelector("form.filter");
  const field = document.getElementById("filter");
  const matches = document.getElementById("matches");
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      if (!row.hidden) shown += 1;
    });
    matches.textContent = words.length ? `${shown} of ${rows.length}` : "";
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", filter);
  if (field.value) filter();

  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent;
  };
  const order = new Intl.Collator("en", { numeric: true });
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers begin with the largest.
      const first = head.classList.contains("n") || head.dataset.first === "most" ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const way = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way);
      const sign = way === "ascending" ? 1 : -1;
      const sorted = rows.slice().sort((a, b) => sign * order.compare(value(a, column), value(b, column)));
      body.append(...sorted);
    });
  });
})();
