#pragma once

#include "ntune/agents/forward_model/game_agent.h"

namespace ntune {

/// Plays uniform random actions.
template <ForwardModel State>
class RandomAgent final : public GameAgent<State> {
 public:
  int act(const State& /*state*/, int /*player*/, Rng& rng) override {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions)));
  }
};

/// Plays State::kIdle in every tick.
template <ForwardModel State>
class IdleAgent final : public GameAgent<State> {
 public:
  int act(const State& /*state*/, int /*player*/, Rng& /*rng*/) override { return State::kIdle; }
};

/// Plays the action after which its score is best one tick ahead, ties broken at random. The others
/// act by the opponent model.
template <ForwardModel State>
class OneStepAgent final : public GameAgent<State> {
 public:
  explicit OneStepAgent(OpponentModel model = OpponentModel::kFirst) : model_(model) {}

  int act(const State& state, int player, Rng& rng) override {
    int best = 0;
    double best_score = 0.0;
    std::uint32_t ties = 0;
    for (int action = 0; action < State::kActions; ++action) {
      State next = state;
      next.step(rollout_actions<State>(player, action, model_, rng), rng);
      const double score = next.score(player);
      if (ties == 0 || score > best_score) {
        best = action;
        best_score = score;
        ties = 1;
      } else if (score == best_score && rng.below(++ties) == 0) {
        best = action;
      }
    }
    return best;
  }

 private:
  OpponentModel model_;
};

}  // namespace ntune
