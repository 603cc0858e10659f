#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "apps/arcade/arguments.h"
#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/games/arcade/objective.h"

namespace ntune::arcade {

template <class State>
using RulesOf =
    std::conditional_t<std::is_same_v<State, PlanetWars>, PlanetWarsRules, AsteroidsRules>;

/// A game of the objectives by these players, from its own stream; returns the last state.
/// `watch(state, actions, agents)` is called before every tick. Throws Stopped soon after `stop` is
/// true.
template <class State, class Watch>
State play(const std::vector<Player>& players, const RulesOf<State>& rules, const Rng& rng,
           const std::atomic<bool>& stop, Watch watch) {
  std::array<std::unique_ptr<GameAgent<State>>, State::kPlayers> agents;
  GameAgents<State> pointers;
  for (std::size_t p = 0; p < agents.size(); ++p) {
    agents[p] = make_agent<State>(players[p]);
    pointers[p] = agents[p].get();
  }
  return play_game(start_game(rules, rng), pointers, rng,
                   [&](const State& state, const JointAction<State>& actions) {
                     if (stop) throw Stopped();
                     watch(state, actions, pointers);
                   });
}

template <class State>
State play(const std::vector<Player>& players, const RulesOf<State>& rules, const Rng& rng,
           const std::atomic<bool>& stop) {
  return play<State>(players, rules, rng, stop, [](const auto&...) {});
}

/// Ships that player 1 is ahead, to a tenth.
inline double lead_of(const PlanetWars& game) { return game.score(0) / 10.0; }

/// "rhea against 2020, seed 1", with the rules if they are others.
std::string players_text(const GameArguments& arguments, const std::vector<Player>& players);
/// "Planet Wars: rhea against 2020, seed 1".
std::string heading_of(const GameArguments& arguments, const std::vector<Player>& players);

}  // namespace ntune::arcade
