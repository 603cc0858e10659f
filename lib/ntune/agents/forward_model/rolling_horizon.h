#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/agents/forward_model/rolling_horizon_options.h"

namespace ntune {

/// Rolling Horizon Evolution (Perez et al. 2013) as a (1 + 1) evolutionary algorithm over action
/// sequences: the form that the NTBEA papers tune (Lucas, Liu and Perez-Liebana 2018; Goodman and
/// Lucas 2020, Table 1). A plan is a sequence of genes, each an action for `macro_length` ticks.
template <ForwardModel State>
class RollingHorizon final : public GameAgent<State> {
 public:
  explicit RollingHorizon(const RollingHorizonOptions& options)
      : options_(options), discounts_(discount_weights(options)) {}

  void begin_game() override {
    plan_.clear();
    ticks_left_ = 0;
  }

  int act(const State& state, int player, Rng& rng) override {
    if (ticks_left_ == 0) {
      begin_plan(rng);
      evolve(state, player, rng);
      action_ = plan_.front();
      ticks_left_ = options_.macro_length;
    }
    --ticks_left_;
    return action_;
  }

  [[nodiscard]] std::vector<int> planned() const override {
    std::vector<int> actions(static_cast<std::size_t>(ticks_left_ + 1), action_);
    for (std::size_t gene = 1; gene < plan_.size(); ++gene) {
      actions.insert(actions.end(), static_cast<std::size_t>(options_.macro_length), plan_[gene]);
    }
    return actions;
  }

 private:
  using Plan = std::vector<int>;

  [[nodiscard]] static int random_action(Rng& rng) {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions)));
  }

  /// Last decision's plan without its first gene, or a random one.
  void begin_plan(Rng& rng) {
    const auto length = static_cast<std::size_t>(options_.sequence_length);
    if (options_.shift_buffer && !plan_.empty()) {
      std::rotate(plan_.begin(), plan_.begin() + 1, plan_.end());
      plan_.back() = random_action(rng);
      return;
    }
    plan_.resize(length);
    for (int& gene : plan_) gene = random_action(rng);
  }

  void evolve(const State& state, int player, Rng& rng) {
    score_now_ = state.score(player);
    const auto value_of = [&](const Plan& plan) {
      double sum = 0.0;
      for (int i = 0; i < options_.resample; ++i) sum += rollout(state, plan, player, rng);
      return sum / options_.resample;
    };
    if (options_.variant == RheaVariant::k2019) {
      // Parent and mutant are evaluated anew in every comparison, all within the budget. So is the
      // parent before the first, where it decides nothing: it is charged and not carried out.
      const int budget = options_.rollouts();
      for (int used = options_.resample; used < budget; used += 2 * options_.resample) {
        mutate(rng);
        const double mutant = value_of(mutant_);
        if (mutant >= value_of(plan_)) std::swap(plan_, mutant_);
      }
      return;
    }
    // The parent's value comes from one rollout outside the budget, later from when it was a
    // mutant.
    double parent = rollout(state, plan_, player, rng);
    std::int64_t charged = 0;
    do {
      mutate(rng);
      const double mutant = value_of(mutant_);
      charged += std::int64_t{options_.resample} * options_.ticks_per_rollout();
      if (mutant < parent) continue;
      parent = mutant;
      std::swap(plan_, mutant_);
    } while (charged < options_.charge_limit());
  }

  void mutate(Rng& rng) {
    mutant_ = plan_;
    if (options_.mutation_transducer) {
      transduce(rng);
    } else {
      mutate_points(rng);
    }
  }

  /// Every gene changes with probability mutated_points / length, and one at any rate if flip_one.
  void mutate_points(Rng& rng) {
    const auto length = static_cast<std::uint32_t>(mutant_.size());
    const std::size_t certain = options_.flip_one ? rng.below(length) : length;
    const double probability = options_.mutation_probability();
    for (std::size_t i = 0; i < mutant_.size(); ++i) {
      if (i != certain && !rng.bernoulli(probability)) continue;
      const auto other =
          static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions) - 1));
      mutant_[i] = other + (other >= mutant_[i] ? 1 : 0);
    }
  }

  /// From left to right: a random action, the gene before it, or the gene as it was.
  void transduce(Rng& rng) {
    const double probability = options_.mutation_probability();
    for (std::size_t i = 0; i < mutant_.size(); ++i) {
      const double u = rng.uniform();
      if (u < probability) {
        mutant_[i] = random_action(rng);
      } else if (i > 0 && u < probability + options_.repeat_probability) {
        mutant_[i] = mutant_[i - 1];
      }
    }
  }

  /// Gain in score over the plan, discounted.
  double rollout(const State& from, const Plan& plan, int player, Rng& rng) const {
    State state = from;
    if (discounts_.empty()) {
      for (const int gene : plan) {
        for (int i = 0; i < options_.macro_length; ++i) step(state, gene, player, rng);
      }
      return state.score(player) - score_now_;
    }
    double value = 0.0;
    double last = score_now_;
    std::size_t tick = 0;
    for (const int gene : plan) {
      for (int i = 0; i < options_.macro_length; ++i) {
        step(state, gene, player, rng);
        const double now = state.score(player);
        value += discounts_[tick++] * (now - last);
        last = now;
      }
    }
    return value;
  }

  void step(State& state, int action, int player, Rng& rng) const {
    state.step(rollout_actions<State>(player, action, options_.opponent_model, rng), rng);
  }

  RollingHorizonOptions options_;
  std::vector<double> discounts_;  ///< weight of a tick's gain; empty: all 1
  Plan plan_;                      ///< kept for the shift buffer
  Plan mutant_;
  double score_now_ = 0.0;  ///< before every rollout of the decision
  int action_ = 0;
  int ticks_left_ = 0;  ///< of the current gene
};

}  // namespace ntune
