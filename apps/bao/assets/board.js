// On the curves wins and losses, 1e9 less some moves, lie a little beyond all other values; the second is drawn on the scale of the first.
const curves = [data.scores, data.rival || []];
const bounds = curves.map(values => 1.25 * Math.max(1, ...values.map(Math.abs).filter(value => value < 9e8)));
curves.forEach((values, i) => values.forEach((value, t) => {
  values[t] = bounds[0] * Math.max(-1, Math.min(1, value / bounds[i]));
}));
const pits = [[], []], stores = [];
// Pits 0 to 7 are the front row from the owner's left, 8 to 15 the back row from his right. South sits below.
function place(player, pit) {
  const back = pit > 7, column = back ? 15 - pit : pit;
  return player === 0 ? [68 + 72 * column, back ? 382 : 296] : [68 + 72 * (7 - column), back ? 86 : 172];
}
// The stones of a pit lie as seeds of a sunflower do.
const seeds = count => Array.from({length: Math.min(count, 40)}, (_, i) => {
  const radius = (count > 20 ? 4.1 : 5.6) * Math.sqrt(i + 0.3), angle = 2.4 * i;
  return `M${(radius * Math.cos(angle) - 3).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
}).join("");
function make(board) {
  for (let player = 0; player < 2; ++player) {
    const side = ["one", "two"][player];
    stores.push(svgElement("text", board, {x: 40, y: player === 0 ? 476 : 24, class: "side " + side}));
    for (let pit = 0; pit < 16; ++pit) {
      const [x, y] = place(player, pit), group = svgElement("g", board, {transform: `translate(${x} ${y})`});
      const shape = svgElement("rect", group, {x: -29, y: -29, width: 58, height: 58, rx: pit === 4 ? 8 : 29});
      const stones = svgElement("path", group, {class: "stones"});
      const count = svgElement("text", group, {y: 48});
      pits[player].push({shape, stones, count});
    }
    for (const back of [false, true]) {
      const y = place(player, back ? 8 : 0)[1];
      svgElement("text", board, {x: 16, y: y + 6, class: "name"}).textContent = (player === 0 ? "AB" : "ab")[back ? 1 : 0];
    }
  }
  for (let column = 0; column < 8; ++column) {
    svgElement("text", board, {x: 68 + 72 * column, y: 450, class: "name"}).textContent = column + 1;
    svgElement("text", board, {x: 68 + 72 * column, y: 50, class: "name"}).textContent = 8 - column;
  }
}
function show(data, tick) {
  const now = data.boards[tick], before = tick > 0 ? data.boards[tick - 1] : now;
  for (let player = 0; player < 2; ++player) {
    pits[player].forEach(({shape, stones, count}, pit) => {
      const has = now[player][pit], had = before[player][pit], mover = data.movers[tick] + 1;
      const change = has > had ? " more" + mover : has < had ? " less" + mover : "";
      shape.setAttribute("class", "pit" + (pit === 4 && now[3][player] ? " owned" : "") + change);
      stones.setAttribute("d", seeds(has));
      count.textContent = has || "";
    });
    stores[player].textContent = `${["South", "North"][player]}, store ${now[2][player]}`;
    stores[player].setAttribute("class", `side ${["one", "two"][player]}${data.movers[tick] === player ? " turn" : ""}`);
  }
}
function info(data, tick) {
  const move = data.moves[tick];
  const values = data.values[move].map((text, i) => `\n${data.judges[i]}: ${text}`);
  return data.names[move] + (data.hands[tick] ? "\n" + data.hands[tick] : "") + values.join("");
}
