#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ntune/agents/forward_model/forward_model.h"
#include "ntune/core/rng.h"

namespace ntune {

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
