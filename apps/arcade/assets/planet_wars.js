const centre = 250, ring = 175;
let planets = [], focus = [], transfers = [], buffers = [], largest = 1, most = 31;
function place(i, n, radius) {
  const angle = 2 * Math.PI * i / n - Math.PI / 2;
  return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)];
}
const sizeOf = ships => 7 + most * Math.sqrt(Math.abs(ships) / largest);
function make(board, data) {
  const n = data.growth.length;
  byId("plans").hidden = !data.ahead;
  for (const ships of data.ships) for (const x of ships) largest = Math.max(largest, Math.abs(x));
  most = Math.min(most, Math.PI * ring / n - 8);
  svgElement("circle", board, {cx: centre, cy: centre, r: ring, class: "ring"});
  for (let i = 0; i < 2; ++i) {
    const label = svgElement("text", board, {x: centre, y: centre - 42 + 64 * i, class: "label" + (i + 1)});
    label.textContent = "buffer " + (i + 1);
    buffers.push(svgElement("text", board, {x: centre, y: centre - 19 + 64 * i}));
    transfers.push(svgElement("line", board, {class: "transfer " + ["one", "two"][i]}));
  }
  for (let i = 0; i < n; ++i) {
    const [x, y] = place(i, n, ring), [u, v] = place(i, n, ring + most + 29);  // outside of both rings
    const side = Math.sign(Math.round(2 * (u - centre) / ring));
    const circle = svgElement("circle", board, {cx: x, cy: y});
    const ships = svgElement("text", board, {x: x, y: y});
    svgElement("text", board, {x: u, y: v, class: "small",
      style: "text-anchor: " + ["end", "middle", "start"][side + 1]}).textContent = i + ": +" + data.growth[i];
    planets.push({circle, ships});
  }
  for (const name of ["one", "two"]) focus.push(svgElement("circle", board, {class: "focus " + name, style: "fill: none"}));
}
function show(data, tick) {
  const n = planets.length;
  data.ships[tick].forEach((ships, i) => {
    const owner = ships > 0 ? "one" : ships < 0 ? "two" : "none";
    set(planets[i].circle, {r: sizeOf(ships), class: "planet " + owner});
    planets[i].ships.textContent = (Math.abs(ships) / 10).toFixed(1);
  });
  for (let p = 0; p < 2; ++p) {
    const at = data.focus[tick][p], [x, y] = place(at, n, ring);
    set(focus[p], {cx: x, cy: y, r: sizeOf(data.ships[tick][at]) + 4 + 5 * p});
    buffers[p].textContent = (data.buffers[tick][p] / 10).toFixed(1);
    const action = tick > 0 ? data.actions[tick - 1][p] : 4;
    const from = tick > 0 ? data.focus[tick - 1][p] : 0;
    const [u, v] = place(from, n, 65), [s, t] = place(from, n, ring - sizeOf(data.ships[tick][from]));
    hide(transfers[p], action !== 2 && action !== 3);
    set(transfers[p], {x1: u, y1: v, x2: s, y2: t});
  }
}
const actionSigns = ["→", "←", "+", "−", "·"];
function plan(board, data, tick) {
  byId("plans").replaceChildren(...(tick < 0 ? [] : data.plans[tick]).map((text, i) => {
    const line = document.createElement("div");
    line.className = "key" + (i + 1);
    line.textContent = i + 1 + ": " + text.split("").map(a => actionSigns[a]).join("");
    return line;
  }));
}
const actionNames = ["next", "previous", "load", "unload", "nothing"];
function info(data, tick) {
  if (tick === 0) return "";
  const [one, two] = data.actions[tick - 1];
  return "1: " + actionNames[one] + ", 2: " + actionNames[two];
}
