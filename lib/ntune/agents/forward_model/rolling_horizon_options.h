#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/agents/forward_model/game_agent.h"

namespace ntune {

class Options;

/// The two published programs differ in how the current plan is valued.
enum class RheaVariant {
  k2019,  ///< anew in every comparison and within the budget, which halves the number of mutants
  k2020   ///< once, outside the budget; later by the value that made it the current plan
};

/// Parameters of Rolling Horizon Evolution (Goodman and Lucas 2020, Table 1).
struct RollingHorizonOptions {
  RheaVariant variant = RheaVariant::k2020;
  int sequence_length = 15;     ///< genes of a plan
  double mutated_points = 3.0;  ///< genes that change on average; or:
  /// Probability that a gene changes, in place of mutated_points / sequence_length.
  std::optional<double> gene_probability = {};
  int resample = 1;  ///< rollouts that are averaged per value
  bool flip_one = true;
  bool shift_buffer = true;
  bool mutation_transducer = false;
  double repeat_probability = 0.4;  ///< of the transducer
  double discount = 1.0;            ///< per tick, in (0, 1]
  /// Weight of the gain in tick t is discount^(t (t + 1) / 2), as in the published program of 2020,
  /// in place of discount^t.
  bool legacy_discount = false;
  int tick_budget = 2000;               ///< ticks that all rollouts of a decision may use; or:
  std::optional<int> evaluations = {};  ///< rollouts per decision, in place of the tick budget
  OpponentModel opponent_model = OpponentModel::kFirst;
  int macro_length = 1;  ///< ticks per gene; a decision is made once for all of them

  void visit(Options& options);

  [[nodiscard]] double mutation_probability() const;
  [[nodiscard]] int ticks_per_rollout() const { return sequence_length * macro_length; }
  /// Rollouts of a decision.
  [[nodiscard]] int rollouts() const;
  /// Ticks after which the variant of 2020 stops.
  [[nodiscard]] std::int64_t charge_limit() const;
};

/// The option `opponent_model`.
void visit_opponent_model(Options& options, OpponentModel& model);

/// The weights of the gains in ticks 1, 2, …; empty if all are 1.
std::vector<double> discount_weights(const RollingHorizonOptions& options);

}  // namespace ntune
