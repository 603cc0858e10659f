// Planet Wars on a terminal, and for a browser: planets in a ring, buffers in the middle.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"

namespace ntune::arcade {

namespace {

double most_ships(const PlanetWars& state) {
  double most = 1.0;
  for (int planet = 0; planet < state.planets(); ++planet) {
    most = std::max(most, std::abs(state.ships(planet)));
  }
  return most;
}

std::string planet_line(const PlanetWars& state, int planet, double most) {
  constexpr double kWidth = 30;
  const double ships = state.ships(planet);
  const auto length = static_cast<int>(std::lround(kWidth * std::abs(ships) / most));
  std::string bar;
  for (int i = 0; i < length; ++i) bar += ships > 0.0 ? "█" : "░";
  return fmt::format("{}{}{:6}  {:.3f}  {}{}{:.1f}\n", state.focus(0) == planet ? "1" : " ",
                     state.focus(1) == planet ? "2" : " ", planet, state.growth(planet), bar,
                     length > 0 ? " " : "", std::abs(ships));
}

}  // namespace

std::string frame_text(const Recording<PlanetWars>& game, std::size_t tick) {
  const PlanetWars& state = game.states[tick];
  const double most = most_ships(state);
  std::string text =
      fmt::format("tick {} of {}   score {:+}   buffers {:.1f} and {:.1f}\n", tick,
                  game.rules.ticks, state.score(0), state.buffer(0), state.buffer(1));
  text += "  planet growth  ships (█ player 1, ░ player 2)\n";
  for (int planet = 0; planet < state.planets(); ++planet) {
    text += planet_line(state, planet, most);
  }
  return text;
}

std::string end_text(const Recording<PlanetWars>& game) {
  const double lead = lead_of(game.states.back());
  const std::string after = fmt::format("after {} ticks", game.ticks());
  if (lead == 0.0) return fmt::format("A draw {}\n", after);
  const std::size_t winner = lead > 0.0 ? 0 : 1;
  return fmt::format("Player {}, {}, wins {}: {:.1f} ships ahead\n", winner + 1,
                     printable(game.players[winner].text), after, std::abs(lead));
}

Json end_json(const Recording<PlanetWars>& game) {
  const PlanetWars& end = game.states.back();
  const int score = end.score(0);
  return {{"ticks", game.ticks()},
          {"score", score},
          {"lead", lead_of(end)},
          {"winner", score > 0   ? Json(1)
                     : score < 0 ? Json(2)
                                 : Json()}};
}

// Made by CMake from the files in assets/.
extern const std::string_view kPlanetWarsStyle;
extern const std::string_view kPlanetWarsScript;

namespace {

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

cli::ReplayPage replay_page(const Recording<PlanetWars>& game, const std::string& players) {
  const auto name = [&](std::size_t i) { return xml_text(game.players[i].text); };
  return {.program = "arcade",
          .title = "Planet Wars",
          .players = players,
          .end = end_text(game),
          .view_box = "-70 0 640 500",
          .legend = fmt::format(
              "<span class=\"key1\">Player 1: {}</span> (solid), "
              "<span class=\"key2\">player 2: {}</span> (dashed). A planet's size is "
              "its ships, a ring around it a player's focus, a bar to the middle a "
              "transfer from or to the buffer. Outside: number and growth a tick. "
              "Score: ten times player 1's lead in ships.{}",
              name(0), name(1),
              game.plans.empty()
                  ? ""
                  : " Below the board the plans, a sign a tick: → ← move the focus, + loads, "
                    "− unloads, · waits. Dashes: the score by player 1's plan."),
          .step = "tick",
          .score = "Score",
          .style = kPlanetWarsStyle,
          .script = kPlanetWarsScript,
          .data = data_of(game)};
}

}  // namespace ntune::arcade
