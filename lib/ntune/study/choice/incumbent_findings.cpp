#include "ntune/study/choice/incumbent_findings.h"

#include <cstdint>
#include <vector>

#include "ntune/study/evaluation/payoff_intervals.h"

namespace ntune {

namespace {

/// Whether matches show the recommendation above the level score where all of them that failed
/// count as lost: either player may be to blame.
bool is_better_with_failures(const Objective& objective, const HoldOut& recommended) {
  const Unit unit = objective.unit();
  RunningStats payoffs = recommended.payoffs;
  std::vector<PayoffOfGames> by_games = recommended.by_games;
  for (std::int64_t i = 0; i < recommended.failures.skipped; ++i) {
    payoffs.add(unit.payoff_of(0.0));
    by_games.push_back({unit.payoff_of(0.0)});
  }
  const auto interval =
      payoff_interval({objective}, weighed_by_games(payoffs, by_games), recommended.games_each());
  return interval && interval->low > kLevelScore;
}

/// The payoffs of calls; of instances with the mean that these come to.
MeanSample payoffs_of_calls(const HoldOut& held_out) {
  MeanSample sample = held_out.payoffs;
  if (held_out.stratified) sample.mean = *held_out.stratified;
  return sample;
}

}  // namespace

void conclude(const PayoffSource& source, const HoldOut& recommended,
              IncumbentComparison& comparison, double confidence) {
  if (comparison.recommended) {
    comparison.finding = IncumbentFinding::kKeep;
    comparison.difference = 0.0;
    comparison.interval = Interval{0.0, 0.0};
    comparison.probability_better = 0.0;
    return;
  }
  if (comparison.differences.values.count() == 0) return;
  const PayoffDifference found =
      payoff_difference(source, comparison.differences, payoffs_of_calls(recommended),
                        payoffs_of_calls(comparison.hold_out), comparison.games, confidence);
  comparison.difference = found.value;
  comparison.interval = found.interval;
  comparison.constant = found.constant;
  comparison.probability_better = found.probability_better;
  comparison.finding = finding_of(source.objective.unit(), found.interval);
}

void weigh_failures(const Objective& objective, const HoldOut& recommended,
                    IncumbentComparison& comparison) {
  const HoldOut& other = comparison.hold_out;
  if (comparison.recommended || recommended.tried() == 0 || other.tried() == 0) return;
  const double ours = recommended.skipped_rate();
  const double theirs = other.skipped_rate();
  IncumbentFinding& finding = comparison.finding;
  const bool solves_less = recommended.unsolved_rate() > other.unsolved_rate() ||
                           recommended.unsolved() >= recommended.tried();
  if (solves_less) comparison.probability_better.reset();
  if (comparison.difference) {
    const bool for_worse = (finding == IncumbentFinding::kBetter && solves_less) ||
                           (finding == IncumbentFinding::kKeep && theirs > ours);
    if (for_worse) finding = IncumbentFinding::kNotShown;
    return;
  }
  const auto rate = [&](const HoldOut& held_out) {
    return failure_interval(objective, held_out.failures.skipped, held_out.tried());
  };
  const bool better = rate(recommended).high < rate(other).low;
  finding = better                   ? IncumbentFinding::kBetter
            : recommended.measured() ? IncumbentFinding::kNotShown
                                     : IncumbentFinding::kKeep;
}

void conclude_level(const Objective& objective, const HoldOut& recommended,
                    IncumbentComparison& comparison) {
  comparison.hold_out.evaluations = 0;
  comparison.hold_out.interval = Interval{kLevelScore, kLevelScore};
  if (!comparison.difference || !recommended.interval) return;
  const Unit unit = objective.unit();
  const Interval& value = *recommended.interval;
  if (are_of_unequal_games(recommended.by_games)) {
    comparison.difference = recommended.value(unit) - kLevelScore;
  }
  comparison.interval = Interval{value.low - kLevelScore, value.high - kLevelScore};
  comparison.constant = false;
  comparison.probability_better =
      probability_above({objective}, recommended.sample(), unit.payoff_of(kLevelScore),
                        recommended.games_of_sample());
  comparison.finding = finding_of(unit, comparison.interval);
  if (comparison.finding != IncumbentFinding::kBetter || recommended.failures.skipped == 0) return;
  if (is_better_with_failures(objective, recommended)) return;
  comparison.finding = IncumbentFinding::kNotShown;
  comparison.probability_better.reset();
}

}  // namespace ntune
