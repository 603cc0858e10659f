"use strict";
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

// Values on hovering or touching a mark, and by the arrow keys on a picture.
const tip = document.getElementById("tip");
function placeTip(text, x, y) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  const above = y + 18 + box.height > window.innerHeight;
  tip.style.left = Math.max(4, Math.min(x + 14, window.innerWidth - box.width - 6)) + "px";
  tip.style.top = (above ? y - box.height - 12 : y + 18) + "px";
}
const tipOf = mark => mark.getAttribute("data-tip") + (mark.dataset.more || "");
function showTip(event) {
  const mark = event.target.closest ? event.target.closest("[data-tip]") : null;
  const point = mark ? null : nearestEvaluation(event);
  placeTip(mark ? tipOf(mark) : point, event.clientX, event.clientY);
}
document.addEventListener("pointermove", showTip);
document.addEventListener("pointerdown", showTip);
document.addEventListener("scroll", () => { tip.hidden = true; }, {passive: true});
function makeFigures() {
  for (const svg of all("svg.fig")) {
    const marks = all("[data-tip]", svg);
    if (marks.length === 0) continue;
    svg.setAttribute("tabindex", "0");
    let at = -1;
    svg.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (event.key === "Enter" && at >= 0) marks[at].dispatchEvent(new MouseEvent("click", {bubbles: true}));
      if (!step) return;
      event.preventDefault();
      if (at >= 0) marks[at].classList.remove("lit");
      at = (at + step + marks.length) % marks.length;
      marks[at].classList.add("lit");
      const box = marks[at].getBoundingClientRect();
      placeTip(tipOf(marks[at]), box.left + box.width / 2, box.top + box.height / 2);
    });
    svg.addEventListener("blur", () => {
      if (at >= 0) marks[at].classList.remove("lit");
      at = -1;
      tip.hidden = true;
    });
  }
}

// Tables sort by the column whose heading is pressed.
function makeTables() {
  for (const table of all("table.sortable")) {
    const headings = Array.from(table.tHead.rows[0].cells);
    headings.forEach((heading, column) => {
      if (!heading.textContent || table.tBodies[0].rows.length < 2) return;  // there is nothing to sort
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
}

// Sections open where a link leads, and all of them for paper.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0]));
  for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  if (target) target.scrollIntoView();
}
window.addEventListener("hashchange", openTarget);
document.addEventListener("click", event => {
  if (event.target.closest && event.target.closest("nav a")) setTimeout(openTarget, 0);
});
const paper = window.matchMedia("print");
let folded = null;  // for the time of printing
let callTables = [];
const foldForPaper = printing => {
  if (printing === (folded !== null)) return;
  if (printing) folded = all("details.section:not([open])");
  for (const section of folded) section.open = printing;
  for (const table of callTables) table.print(printing);
  if (!printing) folded = null;
};
// Browsers count the pages after `beforeprint`, and before they change the medium.
window.addEventListener("beforeprint", () => foldForPaper(true));
window.addEventListener("afterprint", () => foldForPaper(false));
paper.addEventListener("change", event => foldForPaper(event.matches));

// Figures are saved as pictures or numbers, in light colours.
function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
function pictureOf(figure) {
  const svg = figure.querySelector("svg.wide").cloneNode(true);
  const size = svg.viewBox.baseVal;
  for (const layer of all(".layer", svg)) layer.remove();
  for (const mark of all("[data-tip]", svg)) {
    const title = document.createElementNS(svg.namespaceURI, "title");
    title.textContent = mark.getAttribute("data-tip");
    mark.append(title);
  }
  for (const mark of all("*", svg)) {
    for (const name of mark.getAttributeNames()) if (name.startsWith("data-")) mark.removeAttribute(name);
    mark.classList.remove("off", "lit");
  }
  const style = document.createElementNS(svg.namespaceURI, "style");
  style.textContent = document.getElementById("figure-style").content.textContent;
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  ground.setAttribute("class", "pg");
  ground.setAttribute("width", size.width);
  ground.setAttribute("height", size.height);
  svg.prepend(style, ground);
  svg.removeAttribute("class");
  svg.removeAttribute("tabindex");
  svg.setAttribute("xmlns", svg.namespaceURI);
  return {text: new XMLSerializer().serializeToString(svg), width: size.width, height: size.height};
}
function savePng(name, picture) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * picture.width;
    canvas.height = 2 * picture.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save(name, blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(picture.text);
}
const fileName = (figure, ending) =>
  (document.title + "_" + figure.dataset.figure).replace(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 80) + ending;
document.addEventListener("click", event => {
  const button = event.target.closest ? event.target.closest("button[data-save], button[data-copy]") : null;
  if (!button) return;
  if (button.dataset.copy) {
    navigator.clipboard.writeText(button.dataset.copy).then(() => { button.textContent = "Copied"; },
      () => { button.textContent = button.dataset.copy; });
    return;
  }
  const figure = button.closest("figure");
  if (button.dataset.save === "CSV") {
    save(fileName(figure, ".csv"), new Blob([figure.querySelector("template.data").content.textContent],
      {type: "text/csv"}));
  } else if (button.dataset.save === "SVG") {
    save(fileName(figure, ".svg"), new Blob([pictureOf(figure).text], {type: "image/svg+xml"}));
  } else {
    savePng(fileName(figure, ".png"), pictureOf(figure));
  }
});

// One choice of evaluations for all figures of an objective: by cell, run, value and parameters.
class Choice {
  constructor(data, form) {
    this.data = data;
    this.form = form;
    this.within = form.closest("details.study") || document;
    this.suffix = data.objective === 0 ? "" : "-" + (data.objective + 1);
    this.clear();
    this.makeForm();
    for (const svg of this.figures("history")) this.makeHistory(svg);
    for (const svg of this.figures("tried")) this.makeTried(svg);
    for (const svg of this.figures("pairs")) this.makePairs(svg);
  }
  // The pictures of that kind of this objective; the first objective's name has a number where there are several.
  figures(kind) {
    const names = [kind + this.suffix, kind + "-" + (this.data.objective + 1)];
    return all("figure", this.within).filter(f => names.includes(f.dataset.figure))
      .flatMap(f => all("svg", f));
  }
  clear() {
    this.cell = this.run = this.low = this.high = this.box = null;
    this.values = this.data.parameters.map(() => null);  // sets of allowed places
  }
  get active() {
    return [this.cell, this.run, this.low, this.high, this.box, ...this.values].some(x => x !== null);
  }
  allowsPoint(places) {
    return this.values.every((set, k) => !set || set.has(places[k]));
  }
  allowsRun(cell, repeat, run) {
    return (this.cell === null || this.cell === cell) && (this.run === null || this.run === repeat + " " + run);
  }
  allows(row) {
    const [cell, repeat, run, index, value, height] = row;
    if (!this.allowsRun(cell, repeat, run)) return false;
    if (this.low !== null && !(value >= this.low)) return false;
    if (this.high !== null && (value === null || value > this.high)) return false;
    // By where it is drawn: heights differ a little from values that are few, and failures have one.
    const box = this.box;
    if (box && (index < box.first || index > box.last || height < box.low || height > box.high)) return false;
    return this.allowsPoint(row.slice(6));
  }

  makeForm() {
    const data = this.data, form = this.form;
    const add = (label, control, act) => {
      const element = document.createElement("label");
      element.append(label, control);
      form.append(element);
      for (const kind of ["input", "change"]) {
        control.addEventListener(kind, () => { act(control.value); this.show(); });
      }
      return control;
    };
    const menu = entries => {
      const select = document.createElement("select");
      select.add(new Option("all", ""));
      for (const [value, text] of entries) select.add(new Option(text, value));
      return select;
    };
    const number = text => text === "" || isNaN(text) ? null : Number(text);
    this.controls = [];
    if (data.cells.length > 1) {
      this.cellMenu = add("Cell", menu(data.cells.map(c => [c.cell, c.name])),
        value => { this.cell = value === "" ? null : Number(value); });
    }
    const runs = Array.from(new Set(data.rows.map(row => row[1] + " " + row[2])))
      .sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
    if (runs.length > 1 && runs.length <= 500) {
      const name = run => runs.some(r => !r.startsWith("0 ")) ? "repeat " + run.replace(" ", ", run ") : "run " + run.slice(2);
      this.runMenu = add("Run", menu(runs.map(run => [run, name(run)])), value => { this.run = value || null; });
    }
    const field = () => Object.assign(document.createElement("input"), {type: "number", step: "any"});
    this.lowField = add("Value from", field(), value => { this.low = number(value); });
    this.highField = add("to", field(), value => { this.high = number(value); });
    this.menus = data.parameters.slice(0, 12).map((parameter, k) =>
      add(parameter.name, menu(parameter.labels.map((label, g) => [g, label])), value => {
        this.values[k] = value === "" ? null : this.group(k, Number(value));
      }));
    const button = Object.assign(document.createElement("button"), {type: "button", textContent: "Show all"});
    button.addEventListener("click", () => this.reset());
    form.append(button);
    form.hidden = false;
    form.addEventListener("submit", event => event.preventDefault());
  }
  /** The places of a group of values of parameter k. */
  group(k, g) {
    const set = new Set();
    this.data.parameters[k].groups.forEach((group, place) => { if (group === g) set.add(place); });
    return set;
  }
  reset() {
    this.clear();
    this.show();
  }
  showForm() {
    if (this.cellMenu) this.cellMenu.value = this.cell === null ? "" : this.cell;
    if (this.runMenu) this.runMenu.value = this.run === null ? "" : this.run;
    const set = (field, value) => { if (document.activeElement !== field) field.value = value === null ? "" : Number(value.toPrecision(4)); };
    set(this.lowField, this.low);
    set(this.highField, this.high);
    this.menus.forEach((select, k) => {
      const groups = this.values[k] && new Set(Array.from(this.values[k], place => this.data.parameters[k].groups[place]));
      select.value = groups && groups.size === 1 ? Array.from(groups)[0] : "";
    });
  }
  describe(rows) {
    const parts = [];
    if (this.box) parts.push("those of the box, " + this.box.first + " to " + this.box.last);
    this.values.forEach((set, k) => {
      if (!set) return;
      const parameter = this.data.parameters[k], names = Array.from(set, place => parameter.values[place]);
      parts.push(parameter.name + ": " + (names.length > 3 ? names[0] + " … " + names[names.length - 1] : names.join(", ")));
    });
    return rows.length + " of " + this.data.rows.length + " evaluations" + (parts.length ? "; " + parts.join("; ") : "");
  }

  /** All figures, after a change. */
  show() {
    const rows = this.active ? this.data.rows.filter(row => this.allows(row)) : this.data.rows;
    this.showForm();
    const bar = document.getElementById("chosen");
    bar.hidden = !this.active;
    if (this.active) {
      const button = Object.assign(document.createElement("button"), {type: "button", textContent: "Show all (Esc)"});
      button.addEventListener("click", () => this.reset());
      bar.replaceChildren(this.describe(rows) + " ", button);
      bar.dataset.rows = rows.length;
    }
    for (const svg of this.figures("history")) this.showHistory(svg, rows);
    for (const svg of this.figures("tried")) this.showTried(svg, rows);
    for (const svg of this.figures("pairs")) this.showPairs(svg, rows);
  }

  makeHistory(svg) {
    const frame = frameOf(svg.querySelector("[data-panel=history]"));
    svg.evaluations = {choice: this, frame};
    dragIn(svg, frame, box => {
      if (!box) return this.reset();
      const [x0, y0] = frame.data(box.x0, box.y1), [x1, y1] = frame.data(box.x1, box.y0);
      this.box = {first: Math.ceil(x0 - 0.5), last: Math.floor(x1 - 0.5), low: y0, high: y1};
      this.show();
    });
  }
  showHistory(svg, rows) {
    const layer = layerOf(svg), frame = svg.evaluations.frame;
    for (const dots of all("path.d", svg)) dots.classList.toggle("off", this.active);
    if (!this.active) return;
    const path = rows.map(row => { const [x, y] = frame.px(row[3] + 0.5, row[5]); return "M" + x.toFixed(1) + " " + y.toFixed(1) + "h0"; });
    const element = document.createElementNS(svg.namespaceURI, "path");
    element.setAttribute("class", "picked");
    element.setAttribute("stroke-width", "3.4");
    element.setAttribute("d", path.join(""));
    layer.append(element);
  }
  /** What the evaluation near a pointer is, or null. */
  near(x, y, frame) {
    let best = null, least = 64;
    for (const row of this.data.rows) {
      if (this.active && !this.allows(row)) continue;
      const [px, py] = frame.px(row[3] + 0.5, row[5]);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) { least = distance; best = row; }
    }
    if (!best) return null;
    const values = this.data.parameters.map((p, k) => p.name + " = " + p.values[best[6 + k]]).join(", ");
    const cell = this.data.cells.length > 1 ? this.data.cells.find(c => c.cell === best[0]).name + ", " : "";
    return cell + "run " + best[2] + ", evaluation " + best[3] + ": " + (best[4] === null ? "failed" : best[4]) + "; " + values;
  }

  /** The places of the values of a line whose corners stand on the parameters' axes. */
  placesOf(line, frame) {
    return this.data.parameters.map((p, k) =>
      Math.round(frame.data(0, line.points[Math.min(k, line.points.length - 1)].y)[1] * (p.values.length - 1)));
  }
  /** Dragging on one of `count` axes chooses there: act(axis, box). */
  dragOnAxes(svg, frame, count, act) {
    dragIn(svg, {...frame, x: frame.x - 12, width: frame.width + 12}, box => {
      if (!box) return this.reset();
      const k = Math.round(frame.data(0.5 * (box.x0 + box.x1), 0)[0]);
      if (k < 0 || k >= count) return;
      act(k, box);
      this.show();
    }, 12);
  }
  chooseOnAxis(k, frame, box) {
    const low = frame.data(0, box.y1)[1], high = frame.data(0, box.y0)[1], values = this.data.parameters[k].values;
    const last = Math.max(1, values.length - 1);
    this.values[k] = new Set(values.map((_, v) => v).filter(v => v / last >= low && v / last <= high));
  }

  /** The settings that were tried: those with a chosen call stay. An axis chooses by dragging. */
  makeTried(svg) {
    const frame = frameOf(svg.querySelector("[data-panel]"));
    const lines = all("polyline[data-key]", svg).map(line => [line, this.placesOf(line, frame).join()]);
    svg.evaluations = {frame, lines};
    this.dragOnAxes(svg, frame, this.data.parameters.length, (k, box) => this.chooseOnAxis(k, frame, box));
  }
  showTried(svg, rows) {
    const chosen = new Set(rows.map(row => row.slice(6).join()));
    for (const [line, key] of svg.evaluations.lines) line.classList.toggle("off", this.active && !chosen.has(key));
  }

  makePairs(svg) {
    for (const panel of all("[data-panel^='pair ']", svg)) {
      const [a, b] = panel.dataset.panel.split(" ").slice(1).map(Number)
        .map(index => this.data.parameters.findIndex(p => p.index === index));
      for (const cell of all("rect[data-key]", panel)) {
        const [g, h] = cell.dataset.key.split(" ").map(Number);
        cell.pair = {a, b, g, h};
        cell.addEventListener("click", () => {
          const again = cell.classList.contains("asked");
          this.values[a] = again ? null : this.group(a, g);
          this.values[b] = again ? null : this.group(b, h);
          for (const other of all("rect.asked", svg)) other.classList.remove("asked");
          cell.classList.toggle("asked", !again);
          this.show();
        });
      }
    }
  }
  showPairs(svg, rows) {
    for (const cell of all("rect[data-key]", svg)) {
      const {a, b, g, h} = cell.pair;
      const A = this.data.parameters[a].groups, B = this.data.parameters[b].groups;
      let n = 0, sum = 0;
      for (const row of rows) {
        if (row[4] === null || A[row[6 + a]] !== g || B[row[6 + b]] !== h) continue;
        ++n;
        sum += row[4];
      }
      cell.classList.toggle("off", this.active && n === 0);
      if (!this.active) cell.classList.remove("asked");
      cell.dataset.more = this.active ? "; of those chosen: n " + n + (n > 0 ? ", mean " + Number((sum / n).toPrecision(4)) : "") : "";
    }
  }
}

// Between the pixels of a picture and the numbers of its axes.
function frameOf(panel) {
  const [x, y, width, height] = panel.dataset.area.split(" ").map(Number);
  const [left, right, bottom, top] = panel.dataset.ends.split(" ").map(Number);
  return {x, y, width, height,
    px: (u, v) => [x + width * (u - left) / (right - left), y + height * (1 - (v - bottom) / (top - bottom))],
    data: (px, py) => [left + (px - x) / width * (right - left), bottom + (1 - (py - y) / height) * (top - bottom)]};
}
function layerOf(svg) {
  const old = svg.querySelector(".layer");
  if (old) old.remove();
  const layer = document.createElementNS(svg.namespaceURI, "g");
  layer.setAttribute("class", "layer");
  svg.append(layer);
  return layer;
}
function placeIn(svg, event) {
  const box = svg.getBoundingClientRect(), size = svg.viewBox.baseVal;
  return [(event.clientX - box.left) * size.width / box.width, (event.clientY - box.top) * size.height / box.height];
}
// Calls act with the box that was dragged, or with null after a click beside all marks. `narrow`: half the width of the box,
// where it is drawn along an axis.
function dragIn(svg, frame, act, narrow) {
  let start = null, shade = null;
  const boxTo = event => {
    const [x, y] = placeIn(svg, event);
    const within = (value, low, size) => Math.max(low, Math.min(low + size, value));
    const [x0, x1] = narrow ? [start[0] - narrow, start[0] + narrow] : [start[0], within(x, frame.x, frame.width)].sort((a, b) => a - b);
    const [y0, y1] = [start[1], within(y, frame.y, frame.height)].sort((a, b) => a - b);
    return {x0, x1, y0, y1};
  };
  svg.addEventListener("pointerdown", event => {
    const [x, y] = placeIn(svg, event);
    if (event.button !== 0 || x < frame.x || x > frame.x + frame.width || y < frame.y || y > frame.y + frame.height) return;
    start = [x, y];
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", event => {
    if (!start) return;
    const box = boxTo(event);
    if (!shade) {
      shade = document.createElementNS(svg.namespaceURI, "rect");
      shade.setAttribute("class", "selection layer-shade");
      svg.append(shade);
    }
    for (const [name, value] of [["x", box.x0], ["y", box.y0], ["width", box.x1 - box.x0], ["height", box.y1 - box.y0]]) {
      shade.setAttribute(name, value);
    }
  });
  const end = event => {
    if (!start) return;
    const box = boxTo(event), size = Math.abs(box.y1 - box.y0) + (narrow ? 0 : Math.abs(box.x1 - box.x0));
    start = null;
    if (shade) shade.remove();
    shade = null;
    if (event.type === "pointercancel") return;
    if (size > 4) act(box); else if (!event.target.closest || !event.target.closest("[data-tip]")) act(null);
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
}
function nearestEvaluation(event) {
  const svg = event.target.closest ? event.target.closest("svg.history") : null;
  if (!svg || !svg.evaluations) return null;
  const [x, y] = placeIn(svg, event);
  return svg.evaluations.choice.near(x, y, svg.evaluations.frame);
}
let choices = [];
document.addEventListener("keydown", event => {
  if (event.key === "Escape") for (const choice of choices) if (choice.active) choice.reset();
});

// The table of calls. It draws the rows that are in sight, sorts, filters and opens one; what was chosen stands in the address.
class CallTable {
  constructor(host) {
    this.host = host;
    this.data = JSON.parse(host.querySelector("script").textContent);
    this.fields = Object.fromEntries(this.data.fields.map((field, i) => [field, i]));
    this.settings = this.data.points.map(point => point.map((v, k) => v === null ? "" : this.data.parameters[k].name + " " + this.valueText(k, v)).filter(Boolean).join(", "));
    const kept = new URLSearchParams(location.hash.startsWith("#" + host.id + "?") ? location.hash.split("?")[1] : "");
    this.sorted = kept.get("sort");
    this.rising = kept.get("order") !== "down";
    this.text = kept.get("text") || "";
    this.failedOnly = kept.has("failed");
    this.point = kept.has("setting") ? Number(kept.get("setting")) : null;
    this.opened = kept.has("call") ? Number(kept.get("call")) : null;
    this.make();
    new ResizeObserver(() => this.layOut()).observe(this.box);
  }
  get(row, field) {
    const at = this.fields[field];
    return at === undefined ? null : row[at];
  }
  valueText(k, v) {
    const value = this.data.parameters[k].values[v];
    return Array.isArray(value) ? value[0] : value;
  }
  setting(row, field = "point") {
    const point = this.get(row, field);
    return point === null ? "" : this.settings[point];
  }
  /** The command that makes the call again. */
  command(row) {
    const words = this.data.points[this.get(row, "point")].map((v, k) => {
      if (v === null) return "";
      const value = this.data.parameters[k].values[v];
      return " --set " + (Array.isArray(value) ? value[1] : this.data.parameters[k].name + "=" + value);
    });
    const quoted = word => /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
    const instance = this.get(row, "instance");
    return "ntune eval study.yaml" + words.join("") + (instance === null ? "" : " --instance " + quoted(this.data.instances[instance])) + " --times 1";
  }

  make() {
    const element = (name, properties = {}, ...children) => {
      const made = Object.assign(document.createElement(name), properties);
      made.append(...children);
      return made;
    };
    this.element = element;
    const form = element("form", {className: "filters"});
    form.addEventListener("submit", event => event.preventDefault());
    const search = element("input", {type: "search", value: this.text, className: "long"});
    search.addEventListener("input", () => { this.text = search.value; this.choose(); });
    form.append(element("label", {}, "Search", search));
    if (this.data.rows.some(row => this.get(row, "value") === null)) {
      const failed = element("input", {type: "checkbox", checked: this.failedOnly});
      failed.addEventListener("change", () => { this.failedOnly = failed.checked; this.choose(); });
      form.append(element("label", {className: "tick"}, failed, "failed only"));
    }
    this.one = element("button", {type: "button", hidden: true});
    this.one.addEventListener("click", () => { this.point = null; this.choose(); });
    this.count = element("output");
    form.append(this.one, this.count);
    this.head = element("thead");
    this.body = element("tbody");
    this.group = element("colgroup");
    this.table = element("table", {}, this.group, this.head, this.body);
    this.table.setAttribute("aria-label", "All calls");
    this.box = element("div", {className: "box", tabIndex: 0}, this.table);
    this.box.setAttribute("role", "region");
    this.box.setAttribute("aria-label", "All calls");
    this.box.addEventListener("scroll", () => this.draw(), {passive: true});
    this.detail = element("div", {className: "call", hidden: true});
    this.host.append(form, this.box, element("p", {className: "paper"}), this.detail);
    this.body.addEventListener("click", event => {
      const row = event.target.closest("tr[data-row]");
      if (row) this.open(Number(row.dataset.row));
    });
    this.choose();
  }
  /** A column: heading, what a cell shows, by what it sorts, and how wide it may be. */
  columnsFor(width) {
    const has = field => field in this.fields;
    const columns = [], data = this.data;
    const add = (name, title, key, shown, most) => columns.push({name, title, key, shown: shown || key, most: most || 12});
    const words = (field, list) => row => { const v = this.get(row, field); return v === null ? "" : list ? list[v] : v; };
    add("number", "call", row => this.get(row, "number"));
    if (has("cell")) add("cell", "cell", words("cell", data.cells), null, 20);
    for (const field of ["repeat", "run"]) if (has(field)) add(field, field, words(field));
    if (has("purpose")) add("purpose", "for", words("purpose"));
    const varied = data.parameters.map((p, k) => k).filter(k => data.parameters[k].values.length > 1);
    const room = 8 * (varied.reduce((sum, k) => sum + 4 + Math.max(data.parameters[k].name.length, ...data.parameters[k].values.map((_, v) => this.valueText(k, v).length)), 0));
    if (varied.length && varied.length <= 8 && room < 0.5 * width && !has("against")) {
      for (const k of varied) {
        const place = row => data.points[this.get(row, "point")][k];
        add("p" + k, data.parameters[k].name, place, row => { const v = place(row); return v === null ? "" : this.valueText(k, v); }, 20);
      }
    } else {
      add("point", "setting", row => this.setting(row), null, 400);
    }
    if (has("against")) add("against", "against", row => this.setting(row, "against"), null, 400);
    if (has("instance")) add("instance", "instance", words("instance", data.instances), null, 24);
    for (const [field, title] of [["value", data.value], ["cost", "cost used"], ["seconds", "seconds"]]) {
      if (has(field)) add(field, title, row => this.get(row, field), row => this.number(field, this.get(row, field)));
    }
    if (has("ending")) add("ending", "end", words("ending"));
    return columns;
  }
  /** As many decimals for all numbers of a column as the largest needs for four digits. */
  number(field, value) {
    if (value === null) return "";
    this.decimals = this.decimals || {};
    if (!(field in this.decimals)) {
      const numbers = this.data.rows.map(row => this.get(row, field)).filter(x => x !== null);
      const largest = numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const whole = numbers.every(Number.isInteger);
      let n = whole || largest === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(largest)));
      while (n > 0 && n < 8 && numbers.every(x => Math.abs(x - x.toFixed(n - 1)) < 1e-4 * 10 ** -n)) --n;
      this.decimals[field] = {largest, n};
    }
    const {largest, n} = this.decimals[field];
    if (Math.abs(value) < 1e-12 * largest) return "0";
    return largest >= 1e9 || n > 7 ? String(Number(value.toPrecision(4))) : value.toFixed(n).replace(/^-(0\.?0*)$/, "$1");
  }

  /** The rows that pass the filters, in their order. */
  choose() {
    const wanted = this.text.trim().toLowerCase(), rows = this.data.rows;
    const about = row => [this.get(row, "number"), this.get(row, "purpose"), this.setting(row), this.setting(row, "against"),
      this.get(row, "instance") === null ? "" : this.data.instances[this.get(row, "instance")], this.get(row, "ending"),
      this.get(row, "failure") === null ? "" : this.data.failures[this.get(row, "failure")].join(" ")].join(" \n").toLowerCase();
    this.order = [];
    for (let i = 0; i < rows.length; ++i) {
      const row = rows[i];
      if (this.failedOnly && this.get(row, "value") !== null) continue;
      if (this.point !== null && this.get(row, "point") !== this.point) continue;
      if (wanted && !about(row).includes(wanted)) continue;
      this.order.push(i);
    }
    this.one.hidden = this.point === null;
    this.one.textContent = this.point === null ? "" : "Only " + this.settings[this.point].slice(0, 60) + " ✕";
    const n = x => x.toLocaleString("en");
    this.count.textContent = this.order.length === rows.length ? n(rows.length) + (rows.length === 1 ? " call" : " calls") : n(this.order.length) + " of " + n(rows.length) + " calls";
    this.sort();
  }
  sort() {
    const column = this.sorted && this.columnsFor(1e9).concat(this.columnsFor(0)).find(c => c.name === this.sorted);
    if (column) {
      const keys = this.data.rows.map(column.key), sign = this.rising ? 1 : -1;
      const none = key => key === null || key === "";
      this.order.sort((a, b) => {
        const x = keys[a], y = keys[b];
        if (none(x) || none(y)) return none(x) - none(y) || a - b;  // what has none stands last
        const more = typeof x === "number" ? x - y : x < y ? -1 : x > y ? 1 : 0;
        return sign * more || a - b;
      });
    } else {
      this.order.sort((a, b) => a - b);
    }
    this.box.scrollTop = 0;
    this.keep();
    this.layOut();
    this.showDetail();
  }
  layOut() {
    const width = this.box.clientWidth;
    if (width === 0) return;
    const columns = this.columnsFor(width), sample = this.data.rows.slice(0, 1000);
    const pixels = columns.map(column => Math.max(7.6 * Math.min(20, column.title.length) + 36, 7.4 * Math.min(column.most,
      sample.reduce((most, row) => Math.max(most, String(column.shown(row) ?? "").length), 0)) + 16));
    // Long ones share what the others leave; then a row is at most a little wider than its box, and texts end in dots.
    const long = columns.map(column => column.most > 100);
    const others = pixels.reduce((sum, p, i) => sum + (long[i] ? 0 : p), 0);
    const share = Math.max(120, (width - others) / Math.max(1, long.filter(Boolean).length));
    pixels.forEach((p, i) => { if (long[i]) pixels[i] = Math.min(p, share); });
    const sum = pixels.reduce((a, b) => a + b, 0), scale = Math.min(1.25 * width / sum, Math.max(1, Math.min(1.5, width / sum)));
    this.group.replaceChildren(...pixels.map(p => this.element("col", {style: "width: " + Math.floor(p * scale) + "px"})));
    this.table.style.width = Math.floor(sum * scale) + "px";
    this.columns = columns;
    this.head.replaceChildren(this.element("tr", {}, ...columns.map(column => {
      const heading = this.element("th", {scope: "col"}, this.element("button", {type: "button", textContent: column.title, title: column.title}));
      if (sample.some(row => !/^[-\d.,]*$/.test(String(column.shown(row) ?? "")))) heading.className = "words";
      if (column.name === this.sorted) heading.setAttribute("aria-sort", this.rising ? "ascending" : "descending");
      heading.firstChild.addEventListener("click", () => {
        this.rising = this.sorted === column.name ? !this.rising : true;
        this.sorted = column.name;
        this.sort();
      });
      return heading;
    })));
    this.drawn = null;
    this.draw();
  }
  /** On paper the first rows of the order that was chosen. */
  print(printing) {
    this.onPaper = printing;
    this.layOut();
    const left = this.order.length - 100;
    this.host.querySelector(".paper").textContent = left > 0 ? left.toLocaleString("en") + " more calls stand in the page; ntune export writes all of them." : "";
  }
  draw() {
    const height = 28, around = 8;
    if (!this.columns) return;
    const seen = Math.ceil((this.box.clientHeight || 400) / height);
    const first = this.onPaper ? 0 : Math.max(0, Math.floor(this.box.scrollTop / height) - around);
    const last = Math.min(this.order.length, this.onPaper ? 100 : first + seen + 2 * around);
    const drawn = first + " " + last;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const space = rows => this.element("tr", {className: "space", style: "height: " + rows * height + "px"});
    const rows = [];
    for (let i = first; i < last; ++i) {
      const row = this.data.rows[this.order[i]], line = this.element("tr");
      line.dataset.row = this.order[i];
      if (this.get(row, "value") === null) line.className = "failed";
      if (this.get(row, "number") === this.opened) line.classList.add("chosen");
      this.columns.forEach((column, c) => {
        const text = String(column.shown(row) ?? ""), cell = this.element("td", {title: text.length > 12 ? text : ""});
        if (c === 0) cell.append(this.element("button", {type: "button", textContent: text}));
        else cell.textContent = text;
        if (!/^[-\d.,]*$/.test(text)) cell.className = "words";
        line.append(cell);
      });
      rows.push(line);
    }
    this.body.replaceChildren(space(first), ...rows, space(this.onPaper ? 0 : this.order.length - last));
  }

  open(i) {
    const number = this.get(this.data.rows[i], "number");
    this.opened = this.opened === number ? null : number;
    for (const line of this.body.rows) line.classList.toggle("chosen", this.opened !== null && Number(line.dataset.row) === i);
    this.keep();
    this.showDetail();
  }
  showDetail() {
    const row = this.opened === null ? null : this.data.rows.find(one => this.get(one, "number") === this.opened);
    this.detail.hidden = !row;
    if (!row) return;
    const list = this.element("dl", {className: "facts"}), element = this.element;
    const add = (name, ...value) => list.append(element("div", {}, element("dt", {textContent: name}), element("dd", {}, ...value)));
    const text = (field, list) => { const v = this.get(row, field); return v === null ? null : list ? list[v] : String(v); };
    add("call", this.opened + (text("purpose") ? ", " + text("purpose") : "") + (text("run") ? ", run " + text("run") : ""));
    if (text("cell", this.data.cells)) add("cell", text("cell", this.data.cells));
    add("setting", this.setting(row));
    for (const [name, shown] of [["against", this.setting(row, "against")], ["instance", text("instance", this.data.instances)], ["seed", text("seed")],
      [this.data.value, text("value")], ["cost used", text("cost")], ["seconds", text("seconds")], ["end", text("ending")],
      ["failure", (text("failure", this.data.failures) || [])[0]]]) if (shown) add(name, shown);
    const copy = (words, name) => {
      const button = element("button", {type: "button", textContent: "Copy"});
      button.dataset.copy = words;
      add(name, element("code", {textContent: words}), " ", button);
    };
    const very = (text("failure", this.data.failures) || [])[1];
    if (very) copy(very, "the very call");
    if (this.data.evaluable) copy(this.command(row), "the setting again");
    const same = element("button", {type: "button", textContent: "All calls of this setting"});
    same.addEventListener("click", () => { this.point = this.get(row, "point"); this.choose(); });
    const close = element("button", {type: "button", textContent: "Close"});
    close.addEventListener("click", () => { this.opened = null; this.drawn = null; this.draw(); this.keep(); this.showDetail(); });
    this.detail.replaceChildren(list, element("p", {className: "save"}, same, " ", close));
  }
  /** What was chosen, in the address: it survives that the page is loaded again. */
  keep() {
    const kept = new URLSearchParams();
    if (this.sorted) kept.set("sort", this.sorted);
    if (this.sorted && !this.rising) kept.set("order", "down");
    if (this.text) kept.set("text", this.text);
    if (this.failedOnly) kept.set("failed", "");
    if (this.point !== null) kept.set("setting", this.point);
    if (this.opened !== null) kept.set("call", this.opened);
    const mine = "#" + this.host.id + "?", words = kept.toString();
    if (words) history.replaceState(null, "", mine + words);
    else if (location.hash.startsWith(mine)) history.replaceState(null, "", location.pathname + location.search);
  }
}

/** Brings what stands in the page to life: when it is loaded, and when its parts were replaced. */
function startPage() {
  makeFigures();
  makeTables();
  document.getElementById("chosen").hidden = true;
  choices = all("script.evaluations").map(script =>
    new Choice(JSON.parse(script.textContent), script.previousElementSibling));
  // A link to a table of calls needs its name.
  const calls = all(".calls");
  calls.forEach((host, place) => { host.id = "calls-" + (place + 1); });
  callTables = calls.map(host => new CallTable(host));
}
startPage();
openTarget();
if (paper.matches) foldForPaper(true);
