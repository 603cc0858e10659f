const size = 62, edge = 96;
const tiles = [];
let pushes;
function make(board) {
  for (let square = 0; square < 16; ++square) {
    svgElement("rect", board, {x: edge + size * (square % 4), y: edge + size * Math.floor(square / 4), width: size, height: size, class: "square"});
  }
  for (let tile = 1; tile < 10; ++tile) {
    const group = svgElement("g", board);
    svgElement("rect", group, {x: 3, y: 3, width: size - 6, height: size - 6, rx: 6});
    svgElement("text", group, {x: size / 2, y: size / 2 + 11, class: "number"}).textContent = tile;
    tiles.push(group);
  }
  pushes = svgElement("g", board);
}
// An arrow beside the line, at the side from where it is pushed: rows are lines 0 to 3, columns 4 to 7.
function push([line, forward, value, distance], made) {
  const group = svgElement("g", pushes, {class: made ? "push made" : "push"});
  const near = edge - 8, far = edge + 4 * size + 8, middle = edge + size * (line % 4) + size / 2;
  const row = line < 4, at = forward ? near : far, turn = row ? (forward ? 0 : 180) : forward ? 90 : 270;
  const [x, y] = row ? [at, middle] : [middle, at];
  svgElement("path", group, {d: "M-16 -8L0 0L-16 8Z", transform: `translate(${x} ${y}) rotate(${turn})`});
  const [u, v] = row ? [x + (forward ? -54 : 54), y - 2] : [x, forward ? y - 38 : y + 32];
  svgElement("text", group, {x: u, y: v}).textContent = Number(value).toFixed(Math.abs(value) < 100 ? 2 : 0);
  svgElement("text", group, {x: u, y: v + 17}).textContent = "→ " + distance;
}
function show(data, tick) {
  data.squares[tick].forEach((tile, square) => {
    if (tile === 0) return;
    const home = square === 4 * Math.floor((tile - 1) / 3) + (tile - 1) % 3;
    tiles[tile - 1].setAttribute("class", home ? "tile home" : "tile");
    tiles[tile - 1].setAttribute("style", `transform: translate(${edge + size * (square % 4)}px, ${edge + size * Math.floor(square / 4)}px)`);
  });
  pushes.replaceChildren();
  for (const move of data.moves[tick]) push(move, move[0] === data.lines[tick]);
}
const info = (data, tick) => data.texts[tick];
