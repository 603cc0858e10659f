const radii = [30, 20, 10];
const edges = [1, 0.8, 0.95, 0.98, 0.72, 0.94, 1, 0.84, 1, 0.96, 0.74, 0.93, 0.88];
const phases = ["", "waiting to start", "life lost", "level cleared", "game over"];
let rocks = [], missiles = [], ship, hull, flame, notice, worlds = [], board;
const rockPath = radius => "M" + edges.map((edge, i) => {
  const angle = 2 * Math.PI * i / edges.length;
  return (radius * edge * Math.sin(angle)).toFixed(1) + " " + (-radius * edge * Math.cos(angle)).toFixed(1);
}).join("L") + "Z";
function make(svg, data) {
  board = svg;
  for (const world of data.worlds) worlds.push(world === 0 ? worlds[worlds.length - 1] : world);
  ship = svgElement("g", board);
  flame = svgElement("path", ship, {class: "flame", d: "M-5 9L0 18L5 9"});
  hull = svgElement("path", ship, {class: "ship", d: "M0 -14L9 11L0 6L-9 11Z"});
  notice = svgElement("text", board, {x: 320, y: 60});
}
function pooled(pool, i, make) {
  while (pool.length <= i) pool.push(make());
  hide(pool[i], false);
  return pool[i];
}
function show(data, tick) {
  const [x, y, heading, rockList, missileList] = worlds[tick];
  const [phase, , , action] = data.states[tick];
  for (let i = 0; 3 * i < rockList.length; ++i) {
    const size = rockList[3 * i + 2];
    const rock = pooled(rocks, i, () => svgElement("path", board, {class: "rock"}));
    if (rock.dataset.size !== String(size)) {
      rock.dataset.size = size;
      rock.setAttribute("d", rockPath(radii[size]));
    }
    rock.setAttribute("transform", `translate(${rockList[3 * i] / 10} ${rockList[3 * i + 1] / 10})`);
  }
  for (let i = rockList.length / 3; i < rocks.length; ++i) hide(rocks[i], true);
  for (let i = 0; 2 * i < missileList.length; ++i) {
    set(pooled(missiles, i, () => svgElement("circle", board, {class: "missile", r: 3.5})),
      {cx: missileList[2 * i] / 10, cy: missileList[2 * i + 1] / 10});
  }
  for (let i = missileList.length / 2; i < missiles.length; ++i) hide(missiles[i], true);
  ship.setAttribute("transform", `translate(${x / 10} ${y / 10}) rotate(${15 * heading})`);
  hull.setAttribute("class", phase === 2 || phase === 4 ? "ship lost" : "ship");
  hide(flame, phase !== 0 || action < 0 || Math.floor(action / 3) % 2 === 0);
  notice.textContent = phases[phase];
}
let course;
function plan(board, data, tick) {
  if (!course) course = svgElement("path", board, {class: "course"});
  const places = tick < 0 ? [] : data.courses[tick];
  let path = "";
  for (let i = 0; i + 1 < places.length; i += 2) {
    // Over an edge of the world the course goes on at the other side.
    const far = i === 0 || Math.hypot(places[i] - places[i - 2], places[i + 1] - places[i - 1]) > 2000;
    path += (far ? "M" : "L") + places[i] / 10 + " " + places[i + 1] / 10;
  }
  course.setAttribute("d", path);
}
function info(data, tick) {
  const [, lives, level] = data.states[tick];
  return "Lives " + lives + ", level " + level;
}
