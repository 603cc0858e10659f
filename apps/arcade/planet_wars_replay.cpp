// Planet Wars for a browser: planets in a ring, buffers in the middle.

#include <string>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "apps/arcade/replay_page.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

constexpr const char* kPlanetWarsStyle = R"css(
#board { max-height: 60vh; }
#board text { fill: var(--ink); text-anchor: middle; dominant-baseline: central;
  font: 16px system-ui, sans-serif; }
#board .small { fill: var(--soft); font-size: 14px; }
.ring { fill: none; stroke: var(--line); }
.planet { stroke-width: 2; fill-opacity: 0.25; }
.one { fill: var(--one); stroke: var(--one); }
.two { fill: var(--two); stroke: var(--two); stroke-dasharray: 5 3; }
.none { fill: var(--soft); stroke: var(--soft); }
.focus { fill: none; stroke-width: 3; }
.transfer { stroke-width: 4; stroke-linecap: round; }
#board .label1 { fill: var(--one); font-weight: 600; }
#board .label2 { fill: var(--two); font-weight: 600; }
.key1 { color: var(--one); font-weight: 600; }
.key2 { color: var(--two); font-weight: 600; }
)css";

constexpr const char* kPlanetWarsScript = R"js(
const centre = 250, ring = 175;
let planets = [], focus = [], transfers = [], buffers = [], largest = 1, most = 31;
function place(i, n, radius) {
  const angle = 2 * Math.PI * i / n - Math.PI / 2;
  return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)];
}
const sizeOf = ships => 7 + most * Math.sqrt(Math.abs(ships) / largest);
function make(board, data) {
  const n = data.growth.length;
  for (const ships of data.ships) for (const x of ships) largest = Math.max(largest, Math.abs(x));
  most = Math.min(most, Math.PI * ring / n - 8);
  svgElement("circle", board, {cx: centre, cy: centre, r: ring, class: "ring"});
  for (let i = 0; i < 2; ++i) {
    const label = svgElement("text", board, {x: centre, y: centre - 34 + 56 * i, class: "label" + (i + 1)});
    label.textContent = "buffer " + (i + 1);
    buffers.push(svgElement("text", board, {x: centre, y: centre - 16 + 56 * i}));
    transfers.push(svgElement("line", board, {class: "transfer " + ["one", "two"][i]}));
  }
  for (let i = 0; i < n; ++i) {
    const [x, y] = place(i, n, ring), [u, v] = place(i, n, ring + 46);
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
let planTexts = [];
function plan(board, data, tick) {
  if (planTexts.length === 0) {
    for (let i = 0; i < 2; ++i) planTexts.push(svgElement("text", board, {x: centre, y: centre + 62 + 20 * i, class: "small label" + (i + 1)}));
  }
  planTexts.forEach((text, i) => {
    text.textContent = tick < 0 ? "" : data.plans[tick][i].split("").map(a => actionSigns[a]).join(" ");
  });
}
const actionNames = ["next", "previous", "load", "unload", "nothing"];
function info(data, tick) {
  if (tick === 0) return "";
  const [one, two] = data.actions[tick - 1];
  return "1: " + actionNames[one] + ", 2: " + actionNames[two];
}
)js";

/// What the players mean to do, a digit a tick, and the scores if player 1 does it.
void add_plans(Json& data, const Recording<PlanetWars>& game) {
  constexpr std::size_t kMostTicks = 20;
  for (std::size_t tick = 0; tick < game.plans.size(); ++tick) {
    Json texts = Json::array();
    for (const std::vector<int>& plan : game.plans[tick]) {
      std::string text;
      for (const int action : plan) {
        if (text.size() < kMostTicks) text += static_cast<char>('0' + action);
      }
      texts.push_back(text);
    }
    data["plans"].push_back(std::move(texts));
    Json scores = Json::array();
    for (const PlanetWars& state : planned_states(game, tick, 0, kMostTicks)) {
      scores.push_back(state.score(0));
    }
    data["ahead"].push_back(std::move(scores));
  }
}

Json data_of(const Recording<PlanetWars>& game) {
  Json data;
  const PlanetWars& start = game.states.front();
  for (int i = 0; i < start.planets(); ++i) {
    data["growth"].push_back(number_text(tenths(100.0 * start.growth(i)) / 1000.0));
  }
  for (const PlanetWars& state : game.states) {
    data["scores"].push_back(state.score(0));
    data["focus"].push_back({state.focus(0), state.focus(1)});
    data["buffers"].push_back({tenths(state.buffer(0)), tenths(state.buffer(1))});
    Json ships = Json::array();
    for (int i = 0; i < state.planets(); ++i) ships.push_back(tenths(state.ships(i)));
    data["ships"].push_back(std::move(ships));
  }
  data["actions"] = game.actions;
  if (!game.plans.empty()) add_plans(data, game);
  return data;
}

}  // namespace

std::string replay_page(const Recording<PlanetWars>& game, const std::string& players) {
  const auto name = [&](std::size_t i) { return html_text(printable(game.players[i].text)); };
  return page_text(
      {.title = "Planet Wars",
       .players = players,
       .end = end_text(game),
       .view_box = "-45 12 590 476",
       .legend = fmt::format(
           "<span class=\"key1\">Player 1: {}</span> (solid), "
           "<span class=\"key2\">player 2: {}</span> (dashed). A planet's size is "
           "its ships, a ring around it a player's focus, a bar to the middle a "
           "transfer from or to the buffer. Outside: number and growth a tick. "
           "Score: ten times player 1's lead in ships.{}",
           name(0), name(1),
           game.plans.empty()
               ? ""
               : " In the middle the plans, a sign a tick: → ← move the focus, + loads, "
                 "− unloads, · waits. Dashes: the score by player 1's plan."),
       .style = kPlanetWarsStyle,
       .script = kPlanetWarsScript,
       .data = data_of(game)});
}

}  // namespace ntune::arcade
