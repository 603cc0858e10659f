#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "apps/arcade/arguments.h"
#include "apps/common/replay_page.h"
#include "apps/common/watched.h"
#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/core/json.h"
#include "ntune/games/arcade/objective.h"

namespace ntune::arcade {

template <class State>
using RulesOf =
    std::conditional_t<std::is_same_v<State, PlanetWars>, PlanetWarsRules, AsteroidsRules>;

/// A game of the objectives by these players, from its own stream; returns the last state.
/// `watch(state, actions, agents)` is called before every tick. Throws cli::Interrupted soon after
/// `stop` is true.
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
                     if (stop) throw cli::Interrupted();
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

/// A page that plays the game in a browser. `players` tells who plays.
cli::ReplayPage replay_page(const Recording<PlanetWars>& game, const std::string& players);
cli::ReplayPage replay_page(const Recording<Asteroids>& game, const std::string& players);

/// A coordinate or amount in whole tenths.
inline int tenths(double value) { return static_cast<int>(std::lround(10.0 * value)); }

}  // namespace ntune::arcade
