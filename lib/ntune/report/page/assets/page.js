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

// Tables sort by the column whose heading is pressed.
for (const table of all("table.sortable")) {
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

// Sections open where a link leads, and all of them for paper.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  if (target) target.scrollIntoView();
}
window.addEventListener("hashchange", openTarget);
for (const link of all("nav a")) link.addEventListener("click", () => setTimeout(openTarget, 0));
openTarget();
const paper = window.matchMedia("print");
let folded = null;  // for the time of printing
const foldForPaper = printing => {
  if (printing === (folded !== null)) return;
  if (printing) folded = all("details.section:not([open])");
  for (const section of folded) section.open = printing;
  if (!printing) folded = null;
};
if (paper.matches) foldForPaper(true);
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
    for (const svg of this.figures("parallel")) this.makeParallel(svg);
    for (const svg of this.figures("pairs")) this.makePairs(svg);
  }
  // The pictures of that kind of this objective; the first objective's name has a number where there are several.
  figures(kind) {
    const names = [kind + this.suffix, kind + "-" + (this.data.objective + 1)];
    return all("figure", this.within).filter(f => names.includes(f.dataset.figure))
      .flatMap(f => all("svg", f));
  }
  clear() {
    this.cell = this.run = this.low = this.high = this.box = this.runs = null;
    this.values = this.data.parameters.map(() => null);  // sets of allowed places
  }
  get active() {
    return [this.cell, this.run, this.low, this.high, this.box, this.runs, ...this.values].some(x => x !== null);
  }
  allowsPoint(places) {
    return this.values.every((set, k) => !set || set.has(places[k]));
  }
  allowsRun(cell, repeat, run) {
    return (this.cell === null || this.cell === cell) && (this.run === null || this.run === repeat + " " + run) &&
      (this.runs === null || this.runs.has(cell + " " + repeat + " " + run));
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
    document.addEventListener("keydown", event => { if (event.key === "Escape" && this.active) this.reset(); });
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
    if (this.runs !== null) parts.push(this.runs.size + " runs by worth");
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
    for (const svg of this.figures("parallel")) this.showParallel(svg, rows);
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

  makeParallel(svg) {
    const panel = svg.querySelector("[data-panel]");
    const frame = frameOf(panel), axes = this.data.parameters.length;
    const [, worthLow, worthHigh] = panel.dataset.panel.split(" ").map(Number);
    svg.evaluations = {frame};
    if (all("polyline[data-key]", svg).some(line => line.points.length !== axes + 1)) return;  // some are left out
    dragIn(svg, {...frame, x: frame.x - 12, width: frame.width + 12}, box => {
      if (!box) return this.reset();
      const k = Math.round(frame.data(0.5 * (box.x0 + box.x1), 0)[0]);
      const low = frame.data(0, box.y1)[1], high = frame.data(0, box.y0)[1];
      if (k < 0 || k > axes) return;
      if (k === axes) {
        const worth = y => worthLow + y * (worthHigh - worthLow);
        this.runs = new Set(all("polyline[data-key]", svg).filter(line => {
          const y = frame.data(0, line.points[axes].y)[1];
          return worth(y) >= worth(low) && worth(y) <= worth(high);
        }).map(line => line.dataset.key));
      } else {
        const last = Math.max(1, this.data.parameters[k].values.length - 1);
        this.values[k] = new Set(this.data.parameters[k].values.map((_, v) => v).filter(v => v / last >= low && v / last <= high));
      }
      this.show();
    }, 12);
  }
  showParallel(svg, rows) {
    const layer = layerOf(svg), frame = svg.evaluations.frame;
    for (const line of all("polyline[data-key]", svg)) {
      const [cell, repeat, run] = line.dataset.key.split(" ").map(Number);
      const places = this.data.parameters.map((p, k) =>
        Math.round(frame.data(0, line.points[Math.min(k, line.points.length - 1)].y)[1] * (p.values.length - 1)));
      line.classList.toggle("off", !(this.allowsRun(cell, repeat, run) && this.allowsPoint(places)));
    }
    if (!this.active) return;
    const seen = new Set(), parts = [];
    for (const row of rows) {
      const key = row.slice(6).join();
      if (seen.has(key) || seen.size >= 400) continue;
      seen.add(key);
      parts.push("M" + row.slice(6).map((v, k) =>
        frame.px(k, v / Math.max(1, this.data.parameters[k].values.length - 1)).map(x => x.toFixed(1)).join(" ")).join("L"));
    }
    const element = document.createElementNS(svg.namespaceURI, "path");
    element.setAttribute("class", "lines");
    element.setAttribute("d", parts.join(""));
    layer.append(element);
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
const choices = all("script.evaluations").map(script =>
  new Choice(JSON.parse(script.textContent), script.previousElementSibling));
