#include "ntune/agents/forward_model/rolling_horizon_options.h"

#include <cmath>

#include "ntune/core/options.h"

namespace ntune {

void RollingHorizonOptions::visit(Options& options) {
  options.choice("variant", variant, {{"2019", RheaVariant::k2019}, {"2020", RheaVariant::k2020}},
                 "2019: parent and mutant are evaluated anew in every comparison; 2020: the parent "
                 "keeps its first value");
  options.integer("sequence_length", sequence_length, between(1, 1000), "genes of a plan");
  options.number("mutated_points", mutated_points, between(0, 1000),
                 "genes that change on average, besides the one of flip_one");
  // An optional number is visited as one that may be automatic, and turned back afterwards.
  AutoNumber probability{!gene_probability, gene_probability.value_or(0.0)};
  options.number("gene_probability", probability, between(0, 1),
                 "probability that a gene changes; auto: mutated_points / sequence_length");
  gene_probability = probability.automatic ? std::nullopt : std::optional(probability.value);
  options.integer("resample", resample, between(1, 1000), "rollouts that are averaged per value");
  options.flag("flip_one", flip_one, "one gene, drawn anew, changes at any rate");
  options.flag("shift_buffer", shift_buffer, "begin with the last plan without its first gene");
  options.flag("mutation_transducer", mutation_transducer,
               "mutate from left to right, repeating the gene before at times");
  options.number("repeat_probability", repeat_probability, between(0, 1),
                 "probability that the transducer repeats the gene before");
  options.number("discount", discount, {.low = 0, .high = 1, .low_excluded = true},
                 "factor per tick for later gains");
  options.flag("legacy_discount", legacy_discount,
               "exponents t (t + 1) / 2 in place of t, as in the published program");
  options.integer("tick_budget", tick_budget, between(1, 10'000'000),
                  "simulated ticks per decision");
  // The number of rollouts may be given in place of the budget of ticks.
  AutoInteger rollouts_given{!evaluations, evaluations.value_or(0)};
  options.integer("evaluations", rollouts_given, between(1, 1'000'000),
                  "rollouts per decision; auto: tick_budget / ticks of a plan");
  evaluations = rollouts_given.automatic ? std::nullopt
                                         : std::optional(static_cast<int>(rollouts_given.value));
  visit_opponent_model(options, opponent_model);
  options.integer("macro_length", macro_length, between(1, 1000), "ticks per gene");
}

void visit_opponent_model(Options& options, OpponentModel& model) {
  options.choice("opponent_model", model,
                 {{"first", OpponentModel::kFirst},
                  {"idle", OpponentModel::kIdle},
                  {"random", OpponentModel::kRandom}},
                 "what the others do in rollouts: always action 0 as in the published programs, "
                 "nothing, or random actions");
}

double RollingHorizonOptions::mutation_probability() const {
  return gene_probability.value_or(mutated_points / sequence_length);
}

int RollingHorizonOptions::rollouts() const {
  return evaluations.value_or(tick_budget / ticks_per_rollout());
}

std::int64_t RollingHorizonOptions::charge_limit() const {
  return evaluations ? std::int64_t{*evaluations} * ticks_per_rollout() : tick_budget;
}

std::vector<double> discount_weights(const RollingHorizonOptions& options) {
  std::vector<double> weights;
  // Without discounting there are no weights, which spares a product per tick.
  if (options.discount == 1.0) return weights;
  for (int t = 1; t <= options.ticks_per_rollout(); ++t) {
    // The published program multiplied the factors, so its exponents are the sums 1 + 2 + … + t.
    const double exponent = options.legacy_discount ? 0.5 * t * (t + 1.0) : t;
    weights.push_back(std::pow(options.discount, exponent));
  }
  return weights;
}

}  // namespace ntune
