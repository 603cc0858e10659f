#include "ntune/study/evaluation/payoff_intervals.h"

#include <algorithm>
#include <cmath>

#include "ntune/objective/capabilities.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// From payoffs to the reported unit by value = zero + slope * payoff. Nothing where so few
/// payoffs say nothing of how large their mean may be.
std::optional<Interval> in_reported_unit(const Interval& payoffs, double zero, double slope) {
  if (!(payoffs.high - payoffs.low <= kLargestPayoff)) return std::nullopt;
  const double low = zero + slope * payoffs.low;
  const double high = zero + slope * payoffs.high;
  return Interval{std::min(low, high), std::max(low, high)};
}

/// A penalty among payoffs is a point mass, which no scale makes normal; so is a failure's value.
bool may_be_skewed(const PayoffSource& source, const RunningStats& payoffs) {
  const auto may_hold = [&](const std::optional<double>& value) {
    if (!value) return false;
    const double payoff = source.objective.unit().payoff_of(*value);
    return payoffs.min() <= payoff && payoff <= payoffs.max();
  };
  return !may_hold(penalty_of(source.objective)) && !may_hold(source.of_failures);
}

/// The range of payoffs that their differences are judged by: the declared one, or that of game
/// results where all payoffs are such. Where it is not known and nothing varies, a difference may
/// as well go the other way by as much, as in a sign test.
struct RangeOfPairs {
  PossibleValues values = {};
  bool is_assumed = false;
};

RangeOfPairs range_of_pairs(const Objective& objective, const MeanSample& sample,
                            const RunningStats& payoffs, double games) {
  const double most = std::max(std::abs(sample.values.min()), std::abs(sample.values.max()));
  const PossibleValues range = payoff_range(objective, games);
  if (range.is_known()) return {range};
  // One point's payoffs may be like results of games by chance, and those of the other not.
  const PossibleValues seen = evident_range(payoffs);
  if (seen.is_known() && most <= *seen.high - *seen.low) return {seen};
  const bool varies = sample.mean.count() < 2 || sample.mean.state().squares > 0.0;
  if (varies || most == 0.0) return {range};
  return {.values = {0.0, most}, .is_assumed = true};
}

/// The range that a mean payoff is judged by: the declared one, or that of game results where all
/// payoffs are such. Where nothing varies within instances that differ, it is their extremes.
PossibleValues known_range(const PayoffSource& source, const MeanSample& sample, double games) {
  const RunningStats& payoffs = sample.values;
  PossibleValues range = payoff_range(source.objective, games);
  if (range.is_known()) return range;
  if (const PossibleValues seen = evident_range(payoffs); seen.is_known()) return seen;
  const bool varies = sample.mean.count() == 0 || sample.mean.state().squares > 0.0;
  if (!varies && payoffs.min() < payoffs.max()) range = {payoffs.min(), payoffs.max()};
  range.skewed = may_be_skewed(source, payoffs);
  return range;
}

/// The payoffs of the single observations of games, where they are the sample: all games are in
/// pairs, or there is one evaluation.
std::optional<RunningStats> observed_games(const Unit& unit, const HoldOut& measured) {
  const GameCounts& games = measured.games;
  // A failure that counts with a value has a payoff, but no games.
  const auto has_games = [](const PayoffOfGames& payoff) { return payoff.games > 0.0; };
  const bool are_all = std::ssize(measured.by_games) == measured.payoffs.count() &&
                       std::ranges::all_of(measured.by_games, has_games);
  if (games.empty() || !are_all) return {};
  if (!games.are_paired() && measured.by_games.size() > 1) return {};
  RunningStats::State scores = scores_of(games).state();
  const double mean = measured.sample().mean.mean();
  constexpr double kSame = 1e-9;
  if (std::abs(scores.mean - unit.value_of(mean)) > kSame) return {};
  scores.mean = mean;
  scores.squares /= unit.slope * unit.slope;
  scores.min = unit.payoff_of(scores.min);
  scores.max = unit.payoff_of(scores.max);
  return RunningStats(scores);
}

}  // namespace

PayoffSource source_in(const Study& study, const Objective& objective) {
  const FailurePolicy& rule = study.execution.on_failure;
  if (rule.kind != FailurePolicy::Kind::kValue) return {objective};
  return {objective, rule.value};
}

PossibleValues payoff_range(const Objective& objective, double games) {
  if (games > 0.0) {
    const Unit unit = objective.unit();
    const auto [low, high] = std::minmax({unit.payoff_of(0.0), unit.payoff_of(1.0)});
    return {.low = low, .high = high, .games = games};
  }
  const Payoffs payoffs = objective.payoffs();
  return {.low = payoffs.low, .high = payoffs.high, .negated_costs = payoffs.negated_costs};
}

void measure_games(const Unit& unit, HoldOut& measured) {
  measured.observed.reset();
  measured.stratified.reset();
  if (are_of_unequal_games(measured.by_games)) {
    measured.stratified = mean_by_games(measured.by_games);
  }
  measured.observed = observed_games(unit, measured);
}

std::optional<Interval> payoff_interval(const PayoffSource& source, const MeanSample& payoffs,
                                        double games, double confidence) {
  const Objective& objective = source.objective;
  const Unit unit = objective.unit();
  if (!objective.payoffs().noisy && payoffs.values.count() > 0) {
    const double value = unit.value_of(payoffs.mean.mean());
    return Interval{value, value};
  }
  const auto interval = mean_interval(payoffs, known_range(source, payoffs, games), confidence);
  if (!interval) return std::nullopt;
  return in_reported_unit(*interval, unit.zero, unit.slope);
}

double probability_above(const PayoffSource& source, const MeanSample& payoffs, double payoff,
                         double games) {
  return MeanConfidence(payoffs, known_range(source, payoffs, games)).probability_above(payoff);
}

PayoffDifference payoff_difference(const PayoffSource& source, MeanSample differences,
                                   const MeanSample& first, const MeanSample& second, double games,
                                   double confidence) {
  const Objective& objective = source.objective;
  differences.mean = without_rounding(without_dust(differences.mean));
  differences.values = without_dust(differences.values);
  const double slope = objective.unit().slope;
  PayoffDifference result{.pairs = differences.values.count(),
                          .value = 0.0 + slope * differences.mean.mean()};  // never -0
  if (!objective.payoffs().noisy) {
    if (differences.values.count() == 0) return result;
    const double mean = differences.mean.mean();
    result.interval = Interval{result.value, result.value};
    result.probability_better = mean > 0.0 ? 1.0 : mean < 0.0 ? 0.0 : 0.5;
    return result;
  }
  const RunningStats payoffs = joined(first.values, second.values);
  const RangeOfPairs range = range_of_pairs(objective, differences, payoffs, games);
  PairedDifference paired = paired_difference(differences, range.values, confidence);
  const RunningStats& all = differences.values;
  if (range.is_assumed && paired.interval && all.min() == all.max()) {
    // Pairs that were not seen may lie beyond the value as far as on this side of it.
    const double half =
        std::max(paired.mean - paired.interval->low, paired.interval->high - paired.mean);
    paired.interval = Interval{paired.mean - half, paired.mean + half};
    result.constant = true;
  }
  if (!range.values.is_known() && may_be_skewed(source, payoffs)) {
    allow_for_skew(differences.mean, first.mean, second.mean, confidence, paired);
  }
  if (paired.interval) result.interval = in_reported_unit(*paired.interval, 0.0, slope);
  result.probability_better = paired.probability_positive;
  return result;
}

bool allows_for_skew(const PayoffSource& source, const MeanSample& differences,
                     const MeanSample& first, const MeanSample& second) {
  const RunningStats payoffs = joined(first.values, second.values);
  return !range_of_pairs(source.objective, differences, payoffs, 0.0).values.is_known() &&
         may_be_skewed(source, payoffs);
}

Interval failure_interval(const Objective& objective, std::int64_t failed, std::int64_t tried) {
  const auto of = static_cast<double>(tried);
  if (objective.payoffs().noisy || tried == 0) {
    return wilson_interval(static_cast<double>(failed), of);
  }
  const double rate = static_cast<double>(failed) / of;
  return {rate, rate};
}

}  // namespace ntune
