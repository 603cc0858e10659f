// Asteroids for a browser.

#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "apps/arcade/replay_page.h"

namespace ntune::arcade {

namespace {

constexpr const char* kAsteroidsStyle = R"css(
.rock { fill: var(--soft); fill-opacity: 0.18; stroke: var(--ink); stroke-width: 1.5; }
.missile { fill: var(--two); }
.ship { fill: var(--one); fill-opacity: 0.3; stroke: var(--one); stroke-width: 2; stroke-linejoin: round; }
.lost { stroke-dasharray: 3 3; fill-opacity: 0; }
.course { fill: none; stroke: var(--one); stroke-width: 1.5; stroke-dasharray: 5 4; }
.flame { fill: none; stroke: var(--two); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
#board text { fill: var(--soft); font: 22px system-ui, sans-serif; text-anchor: middle; }
)css";

constexpr const char* kAsteroidsScript = R"js(
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
)js";

/// Number of the text for what goes on, by the last phase that was no waiting.
int notice_of(AsteroidsPhase phase, int before) {
  switch (phase) {
    case AsteroidsPhase::kPlaying:
      return 0;
    case AsteroidsPhase::kWaitingToStart:
      return 1;
    case AsteroidsPhase::kLifeLost:
      return 2;
    case AsteroidsPhase::kLevelCleared:
      return 3;
    case AsteroidsPhase::kGameOver:
      return 4;
    case AsteroidsPhase::kWaiting:
    case AsteroidsPhase::kReEntry:
      break;
  }
  return before;
}

int tenths_of(float coordinate) { return tenths(static_cast<double>(coordinate)); }

/// [ship x, ship y, heading, [rock x, y, size, …], [missile x, y, …]] in tenths of pixels.
Json world_of(const Asteroids& state) {
  Json rocks = Json::array();
  for (int i = 0; i < state.rocks(); ++i) {
    const AsteroidsBody rock = state.rock(i);
    for (const int number : {tenths_of(rock.x), tenths_of(rock.y), state.rock_size(i)}) {
      rocks.push_back(number);
    }
  }
  Json missiles = Json::array();
  for (int i = 0; i < state.missiles(); ++i) {
    missiles.push_back(tenths_of(state.missile(i).x));
    missiles.push_back(tenths_of(state.missile(i).y));
  }
  return Json::array({tenths_of(state.ship().x), tenths_of(state.ship().y), state.heading(),
                      std::move(rocks), std::move(missiles)});
}

/// The way of the ship and the scores, if the plan of this tick is carried out.
void add_plan(Json& data, const Recording<Asteroids>& game, std::size_t tick) {
  constexpr std::size_t kMostTicks = 60;
  constexpr std::size_t kEvery = 3;
  Json course = Json::array();
  Json scores = Json::array();
  if (game.states[tick].phase() == AsteroidsPhase::kPlaying) {
    const std::vector<Asteroids> states = planned_states(game, tick, 0, kMostTicks);
    for (std::size_t i = 0; i < states.size(); ++i) {
      scores.push_back(states[i].score());
      if (i % kEvery != 0 || states[i].phase() != AsteroidsPhase::kPlaying) continue;
      course.push_back(tenths_of(states[i].ship().x));
      course.push_back(tenths_of(states[i].ship().y));
    }
  }
  data["courses"].push_back(std::move(course));
  data["ahead"].push_back(std::move(scores));
}

/// A world that stands still is 0.
Json data_of(const Recording<Asteroids>& game) {
  Json data;
  Json last;
  int notice = 0;
  for (std::size_t t = 0; t < game.states.size(); ++t) {
    const Asteroids& state = game.states[t];
    notice = notice_of(state.phase(), notice);
    data["scores"].push_back(state.score());
    data["states"].push_back(Json::array(
        {notice, state.lives(), state.level() + 1, t < game.ticks() ? game.actions[t][0] : -1}));
    Json world = world_of(state);
    data["worlds"].push_back(world == last ? Json(0) : world);
    last = std::move(world);
  }
  for (std::size_t t = 0; t < game.plans.size(); ++t) add_plan(data, game, t);
  return data;
}

std::string legend_of(const AsteroidsRules& rules, bool has_plans) {
  return fmt::format(
      "Rocks pay {}, {} and {} points, large, middle and small; a shot costs {}, a ship {}. "
      "The world wraps around at its edges.{}",
      rules.large_score, rules.middle_score, rules.small_score, rules.missile_cost, rules.life_cost,
      has_plans ? " Dashes: the way of the ship and the score, if the plan is carried out." : "");
}

}  // namespace

std::string replay_page(const Recording<Asteroids>& game, const std::string& players) {
  return page_text({.title = "Asteroids",
                    .players = players,
                    .end = end_text(game),
                    .view_box = "0 0 640 480",
                    .legend = legend_of(game.rules, !game.plans.empty()),
                    .style = kAsteroidsStyle,
                    .script = kAsteroidsScript,
                    .data = data_of(game)});
}

}  // namespace ntune::arcade
