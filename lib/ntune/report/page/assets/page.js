"use strict";
// Values on hovering or touching a mark.
const tip = document.getElementById("tip");
function showTip(event) {
  const mark = event.target.closest ? event.target.closest("[data-tip]") : null;
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = mark.getAttribute("data-tip");
  const box = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 6);
  const above = event.clientY + 18 + box.height > window.innerHeight;
  tip.style.left = Math.max(4, left) + "px";
  tip.style.top = (above ? event.clientY - box.height - 12 : event.clientY + 18) + "px";
}
document.addEventListener("pointermove", showTip);
document.addEventListener("pointerdown", showTip);
document.addEventListener("scroll", () => { tip.hidden = true; }, {passive: true});

// Tables sort by the column whose heading is pressed.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const rising = heading.getAttribute("aria-sort") === "descending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const key = row => {
        const cell = row.cells[column];
        const data = cell.querySelector("data");
        const text = data ? data.value : cell.textContent.trim();
        return text !== "" && !isNaN(text) ? Number(text) : text;
      };
      const rows = Array.from(table.tBodies[0].rows);
      const order = (a, b) => {
        const x = key(a), y = key(b);
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;  // words last
        const sign = rising ? 1 : -1;
        return typeof x === "number" ? sign * (x - y) : sign * x.localeCompare(y);
      };
      table.tBodies[0].append(...rows.sort(order));
    });
  });
}

// Parallel coordinates: dragging along an axis leaves the lines that pass there. A page may be without D3.
if (typeof d3 !== "undefined") d3.selectAll("svg.parallel").each(function () {
  const svg = d3.select(this);
  const placesOf = line => line.getAttribute("points").split(" ").map(place => place.split(",").map(Number));
  const lines = svg.selectAll("polyline[data-tip]").nodes().map(node => ({node, places: placesOf(node)}));
  if (lines.length === 0) return;
  const axes = svg.selectAll("polyline:not([data-tip])").nodes().map(placesOf);
  const chosen = new Map();
  const show = () => {
    for (const {node, places} of lines) {
      const passes = Array.from(chosen).every(([k, [low, high]]) => places[k][1] >= low && places[k][1] <= high);
      node.classList.toggle("off", !passes);
    }
  };
  axes.forEach((places, k) => {
    const x = places[0][0];
    const top = Math.min(places[0][1], places[1][1]) - 5, bottom = Math.max(places[0][1], places[1][1]) + 5;
    const brush = d3.brushY().extent([[x - 9, top], [x + 9, bottom]]).on("brush end", () => {
      const range = d3.event.selection;
      if (range) chosen.set(k, range); else chosen.delete(k);
      show();
    });
    svg.append("g").attr("class", "brush").call(brush);
  });
});
