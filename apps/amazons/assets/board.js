// A cell of 440 x 220 for each board: its squares at the left, its thermograph at the right.
const cells = [], squareSize = side => 180 / side;
const narrow = matchMedia("(max-width: 40rem)");
function layOut(board) {
  const columns = narrow.matches || cells.length < 3 ? 1 : 2, rows = Math.ceil(cells.length / columns);
  set(board, {viewBox: `0 0 ${440 * columns} ${220 * rows}`});
  cells.forEach(({group}, i) => set(group, {transform: `translate(${440 * (i % columns)} ${220 * Math.floor(i / columns)})`}));
}
// The part of the plane that holds the thermographs of one board throughout the game, in whole numbers.
function frameOf(states) {
  const points = states.flatMap(state => [state.mast, ...(state.walls || []).flat()]);
  const values = points.map(([value]) => value), low = Math.floor(Math.min(...values)) - 1;
  return {low, high: Math.ceil(Math.max(...values)) + 1, top: Math.ceil(Math.max(0, ...points.map(p => p[1]))) + 1};
}
function make(board, data) {
  data.boards[0].forEach((_, i) => {
    const group = svgElement("g", board), frame = frameOf(data.boards.map(sum => sum[i]));
    svgElement("rect", group, {x: 3, y: 3, width: 434, height: 214, rx: 8, class: "cell"});
    const title = svgElement("text", group, {x: 20, y: 20}), squares = svgElement("g", group);
    const plot = svgElement("g", group);
    cells.push({group, title, squares, plot, frame, at: ([value, temperature]) =>
      [240 + 180 * (frame.high - value) / (frame.high - frame.low), 188 - 156 * (temperature + 1) / (frame.top + 1)]});
  });
  layOut(board);
  narrow.addEventListener("change", () => layOut(board));
}
function drawSquares(cell, state, side, move) {
  const size = squareSize(side), g = cell.squares;
  g.replaceChildren();
  state.squares.split("/").forEach((rank, row) => [...rank].forEach((square, file) => {
    const number = (side - 1 - row) * side + file, x = 20 + size * file, y = 30 + size * row, middle = [x + size / 2, y + size / 2];
    const mark = square === "#" ? " burnt" : "", moved = move.indexOf(number);
    svgElement("rect", g, {x, y, width: size, height: size, class: "square" + mark});
    if (square === "B" || square === "W") svgElement("circle", g, {cx: middle[0], cy: middle[1], r: size * 0.33, class: square === "B" ? "black" : "white"});
    const inset = {x: x + 3, y: y + 3, width: size - 6, height: size - 6, fill: "none"};
    if (number === move[2]) svgElement("path", g, {class: "arrow", d: `M${x + 8} ${y + 8}l${size - 16} ${size - 16}m0 ${16 - size}l${16 - size} ${size - 16}`});
    else if (moved >= 0) svgElement("rect", g, {...inset, class: moved === 0 ? "from" : "to"});
  }));
}
function drawThermograph(cell, state) {
  const {frame, at, plot} = cell, line = points => points.map(point => at(point).join(",")).join(" ");
  plot.replaceChildren();
  svgElement("path", plot, {class: "axes", d: `M240 32V188H420`});
  const width = frame.high - frame.low, every = Math.ceil(width / 6), tall = Math.ceil((frame.top + 1) / 5);
  for (let value = frame.low; value <= frame.high; value += every) svgElement("text", plot, {x: at([value, -1])[0], y: 204, class: "axis"}).textContent = value;
  for (let t = -1; t <= frame.top; t += tall) svgElement("text", plot, {x: 228, y: at([0, t])[1] + 4, class: "axis"}).textContent = t;
  const [mean, temperature] = state.mast;
  svgElement("polyline", plot, {class: state.walls ? "mast" : "mast about", points: line([[mean, Math.min(temperature, frame.top)], [mean, frame.top]])});
  (state.walls || []).forEach((wall, i) => svgElement("polyline", plot, {class: "wall" + (i + 1), points: line(wall)}));
}
function show(data, tick) {
  data.boards[tick].forEach((state, i) => {
    const cell = cells[i], played = tick > 0 && data.played[tick] === i;
    cell.group.setAttribute("class", played && cells.length > 1 ? "played" : "");
    cell.title.textContent = `${cells.length > 1 ? `Board ${i + 1}: ` : ""}mean ${state.mean}, temperature ${state.temperature}`;
    drawSquares(cell, state, data.side, played ? data.squares[tick] : []);
    drawThermograph(cell, state);
  });
}
const info = (data, tick) => data.texts[tick];
