// The board is told its rows, and changes the cells that differ. What a person has typed, ticked or
// filtered stays, and stands in the address.
const byId = id => document.getElementById(id);
const known = new Map();  // from a study's key to its row: {element, cells, note, tick}
const hash = new URLSearchParams(location.hash.slice(1));
const ticked = new Set(hash.getAll("tick"));
byId("filter").value = hash.get("filter") || "";

function keepInAddress() {
  const now = new URLSearchParams();
  if (byId("filter").value) now.set("filter", byId("filter").value);
  for (const key of ticked) now.append("tick", key);
  history.replaceState(null, "", now.toString() ? "#" + now : location.pathname);
  byId("compare").disabled = ticked.size !== 2;
}
function applyFilter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(word => word);
  for (const row of known.values()) {
    const text = (row.element.textContent + " " + row.note.value).toLowerCase();
    row.element.hidden = !words.every(word => text.includes(word));
  }
}
byId("filter").addEventListener("input", () => { keepInAddress(); applyFilter(); });
byId("compare").addEventListener("click", () => {
  location.href = "compare?" + new URLSearchParams(Array.from(ticked, key => ["of", key]));
});

async function saveNote(key, row) {
  const text = row.note.value;
  if (text === row.saved) return;
  const answer = await fetch("note?" + new URLSearchParams({of: key}),
    {method: "POST", headers: {"Content-Type": "text/plain", "X-Ntune": "note"}, body: text}).catch(() => null);
  if (answer && answer.ok) row.saved = text;
  byId("said").textContent = answer && answer.ok ? "" : "The note was not kept: " + (answer ? await answer.text() : "ntune watch has ended.");
}
function makeRow(key) {
  const element = document.createElement("tr");
  const tick = Object.assign(document.createElement("input"), {type: "checkbox", checked: ticked.has(key)});
  tick.setAttribute("aria-label", "compare " + key);
  tick.addEventListener("change", () => {
    if (tick.checked) ticked.add(key); else ticked.delete(key);
    keepInAddress();
  });
  const note = Object.assign(document.createElement("input"), {type: "text", maxLength: 1000, className: "note"});
  note.setAttribute("aria-label", "note on " + key);
  const row = {element, cells: [], note, tick, saved: ""};
  note.addEventListener("change", () => saveNote(key, row));
  element.insertCell().append(tick);
  for (let i = 0; i < 6; ++i) element.insertCell();
  element.insertCell().append(note);
  return row;
}
function take(news) {
  if (byId("counts").innerHTML !== news.counts) byId("counts").innerHTML = news.counts;
  document.title = (news.urgent > 0 ? "(" + news.urgent + ") " : "") + byId("rows").closest("body").querySelector("h1").textContent;
  const body = byId("rows"), keys = new Set();
  news.rows.forEach(({key, cells, note}, place) => {
    keys.add(key);
    if (!known.has(key)) known.set(key, makeRow(key));
    const row = known.get(key);
    cells.forEach((cell, i) => {
      if (row.cells[i] === cell) return;
      row.cells[i] = cell;
      row.element.cells[i + 1].innerHTML = cell;
    });
    if (document.activeElement !== row.note && row.note.value === row.saved) row.note.value = row.saved = note;
    if (body.rows[place] !== row.element) body.insertBefore(row.element, body.rows[place] || null);
  });
  for (const [key, row] of known) {
    if (keys.has(key)) continue;
    row.element.remove();
    known.delete(key);
    ticked.delete(key);
  }
  keepInAddress();
  applyFilter();
  byId("said").textContent = news.rows.length ? "" : "There is no study below this folder yet; it appears here by itself.";
}
keepInAddress();
follow(take, text => { byId("said").textContent = text; });
