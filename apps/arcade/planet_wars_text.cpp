// Planet Wars on a terminal.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "ntune/core/text.h"

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

}  // namespace ntune::arcade
