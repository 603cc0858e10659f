#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "ntune/core/rng.h"

namespace ntune {

/// One action per player.
template <class State>
using JointAction = std::array<int, static_cast<std::size_t>(State::kPlayers)>;

/// A game that can be simulated: a value that is copied as bytes and moves on by one tick for the
/// actions of all players. It draws all chance from the stream that it is given. The rules (sizes,
/// constants) are part of the state or of its type.
///   kPlayers, kActions  numbers of players and of actions 0 … kActions - 1, alike for all players
///   kIdle               the action that does nothing, or next to nothing
///   step                one tick; also after the end, where it changes what the rules say
///   score(player)       in the game's unit, higher is better for that player
///   is_over             whether the real game ends here
template <class State>
concept ForwardModel = std::is_trivially_copyable_v<State> && std::regular<State> &&
    requires(State state, const State& at, const JointAction<State>& actions, int player,
             Rng& rng) {
  { State::kPlayers } -> std::convertible_to<int>;
  { State::kActions } -> std::convertible_to<int>;
  { State::kIdle } -> std::convertible_to<int>;
  state.step(actions, rng);
  { at.score(player) } -> std::convertible_to<double>;
  { at.is_over() } -> std::convertible_to<bool>;
};

/// A player of a forward model. There is one per game side and thread. Its actions are a
/// deterministic function of the states that it has seen and of the streams that it was given since
/// `begin_game`.
template <ForwardModel State>
class GameAgent {
 public:
  virtual ~GameAgent() = default;
  /// Forgets the last game.
  virtual void begin_game() {}
  /// The action of `player` in this tick.
  virtual int act(const State& state, int player, Rng& rng) = 0;
  /// The actions of the coming ticks that its last decision meant, the one just made first; empty:
  /// it does not plan.
  [[nodiscard]] virtual std::vector<int> planned() const { return {}; }
};

/// The agents of all players.
template <ForwardModel State>
using GameAgents = std::array<GameAgent<State>*, static_cast<std::size_t>(State::kPlayers)>;

/// Plays from `state` to the end and returns the last state. The game draws from the stream "game",
/// agent p in tick t from the stream ("agent", p, t). `watch(state, actions)` is called before
/// every tick.
template <ForwardModel State, class Watch>
State play_game(State state, const GameAgents<State>& agents, const Rng& rng, Watch watch) {
  Rng chance = rng.stream("game");
  for (GameAgent<State>* agent : agents) agent->begin_game();
  for (int tick = 0; !state.is_over(); ++tick) {
    JointAction<State> actions{};
    for (int player = 0; player < State::kPlayers; ++player) {
      Rng draw = rng.stream("agent", player, tick);
      const auto p = static_cast<std::size_t>(player);
      actions[p] = agents[p]->act(state, player, draw);
    }
    watch(state, actions);
    state.step(actions, chance);
  }
  return state;
}

template <ForwardModel State>
State play_game(const State& state, const GameAgents<State>& agents, const Rng& rng) {
  return play_game(state, agents, rng, [](const State&, const JointAction<State>&) {});
}

/// How the other players are assumed to act in an agent's rollouts.
enum class OpponentModel {
  kFirst,  ///< action 0: the do-nothing agent of the published programs, whatever 0 means
  kIdle,   ///< State::kIdle
  kRandom  ///< uniform random actions
};

/// The actions of all players in one tick of a rollout: `action` for `player`, the model's for the
/// others.
template <ForwardModel State>
JointAction<State> rollout_actions(int player, int action, OpponentModel model, Rng& rng) {
  JointAction<State> actions;
  actions.fill(model == OpponentModel::kIdle ? State::kIdle : 0);
  if constexpr (State::kPlayers > 1) {
    if (model == OpponentModel::kRandom) {
      for (int& other : actions) {
        other = static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions)));
      }
    }
  }
  actions[static_cast<std::size_t>(player)] = action;
  return actions;
}

}  // namespace ntune
