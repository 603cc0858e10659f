#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "apps/arcade/play.h"
#include "ntune/core/json.h"

namespace ntune::arcade {

/// A game from beginning to end: state t, what all do there, state t + 1.
template <class State>
struct Recording {
  RulesOf<State> rules;
  std::vector<Player> players;
  std::vector<State> states;
  std::vector<JointAction<State>> actions;  ///< one less
  /// Of each tick what every player means to do, where that was asked for; else empty.
  std::vector<std::array<std::vector<int>, static_cast<std::size_t>(State::kPlayers)>> plans = {};

  [[nodiscard]] std::size_t ticks() const { return actions.size(); }
};

/// The state at a tick for a terminal, at most 23 lines of 60 columns (Planet Wars: three more than
/// planets).
std::string frame_text(const Recording<PlanetWars>& game, std::size_t tick);
std::string frame_text(const Recording<Asteroids>& game, std::size_t tick);

/// How the game ended, in a line.
std::string end_text(const Recording<PlanetWars>& game);
std::string end_text(const Recording<Asteroids>& game);
/// The same for programs.
Json end_json(const Recording<PlanetWars>& game);
Json end_json(const Recording<Asteroids>& game);

/// The states that follow if a player's plan of this tick is carried out and the others do nothing,
/// `most` ticks at most.
template <class State>
std::vector<State> planned_states(const Recording<State>& game, std::size_t tick,
                                  std::size_t player, std::size_t most) {
  std::vector<State> states;
  if (tick >= game.plans.size()) return states;
  State state = game.states[tick];
  Rng rng(0);
  for (const int action : game.plans[tick][player]) {
    if (state.is_over() || states.size() == most) break;
    state.step(rollout_actions<State>(static_cast<int>(player), action, OpponentModel::kIdle, rng),
               rng);
    states.push_back(state);
  }
  return states;
}

/// A page that plays the game in a browser and needs nothing else. `players` tells who
/// plays.
std::string replay_page(const Recording<PlanetWars>& game, const std::string& players);
std::string replay_page(const Recording<Asteroids>& game, const std::string& players);

}  // namespace ntune::arcade
