#include "ntune/study/evaluation/instance_values.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/mean_interval.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// The smallest payoff below or at which this share of the weights lies.
double quantile_of(std::vector<std::pair<double, double>> payoffs, double share) {
  std::ranges::sort(payoffs);
  double total = 0.0;
  for (const auto& [payoff, weight] : payoffs) total += weight;
  double below = 0.0;
  for (const auto& [payoff, weight] : payoffs) {
    below += weight;
    if (below >= share * total) return payoff;
  }
  return payoffs.back().first;
}

double mean_of(const std::vector<std::pair<double, double>>& payoffs) {
  double sum = 0.0;
  double total = 0.0;
  for (const auto& [payoff, weight] : payoffs) {
    sum += weight * payoff;
    total += weight;
  }
  return sum / total;
}

/// The logarithm of the mean value, less what it owes to the scatter of a few payoffs: about half
/// of its variance. As log_values have it, of payoffs that lie alike on both sides of their mean.
double log_of_mean(const Unit& unit, const RunningStats& payoffs) {
  const double mean = unit.value_of(payoffs.mean());
  if (payoffs.count() < 2) return std::log(mean);
  const auto n = static_cast<double>(payoffs.count());
  const double error = unit.slope / mean * payoffs.standard_error();
  const double lost = error * error / (n - 1.0);
  return std::log(mean) - (lost < 1.0 ? 0.5 * (n - 1.0) * std::log1p(-lost) : 0.0);
}

/// exp of the weighted mean of logarithms of values, as a payoff.
double geometric_mean_of(const std::vector<std::pair<double, double>>& logs, const Unit& unit) {
  return unit.payoff_of(std::exp(mean_of(logs)));
}

/// What the instances that have payoffs come to, with their weights.
template <class Value>
std::vector<std::pair<double, double>> weighted(const InstanceList& instances,
                                                std::span<const RunningStats> by_instance,
                                                const Value& value) {
  std::vector<std::pair<double, double>> values;
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    if (by_instance[i].count() == 0) continue;
    values.emplace_back(value(by_instance[i]), instances[i].weight);
  }
  return values;
}

double mean_of_stats(const RunningStats& stats) { return stats.mean(); }

/// The means of the instances that were visited as a sample of instances, by their weights.
std::optional<MeanSample> sample_of_means(const InstanceList& instances,
                                          std::span<const RunningStats> by_instance) {
  constexpr std::size_t kFewestInstances = 5;
  std::vector<Stratum> strata;
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    if (by_instance[i].count() == 0) continue;
    RunningStats mean;
    mean.add(by_instance[i].mean());
    strata.push_back({.values = mean, .weight = instances[i].weight});
  }
  if (strata.size() < kFewestInstances) return std::nullopt;
  return stratified(strata);
}

bool are_above_0(const Unit& unit, std::span<const RunningStats> by_instance) {
  return std::ranges::all_of(by_instance, [&](const RunningStats& payoffs) {
    return payoffs.count() == 0 || unit.value_of(payoffs.mean()) > 0.0;
  });
}

/// True if every instance has a payoff, and any other would be the same.
bool are_known(const Objective& objective, const PayoffsByInstance& payoffs) {
  return objective.payoffs().exact_on_instances && !payoffs.empty() &&
         std::ranges::none_of(payoffs, [](const auto& list) { return list.empty(); });
}

/// What the payoffs of an instance say of the logarithm of its mean value, as a sample of it. A
/// payoff says n log(mean) - (n - 1) log(mean of the others), the jackknife (Quenouille 1956). So
/// the mean of the sample owes little to scatter, and its variance is that of the logarithm also
/// where an instance has two payoffs. Where the others come to no value above 0, a payoff says
/// log(mean) + its value / mean - 1.
std::vector<double> log_values(const Unit& unit, const std::vector<double>& payoffs) {
  const double mean = unit.value_of(stats_of(payoffs).mean());
  const double others = static_cast<double>(payoffs.size()) - 1.0;
  std::vector<double> logs;
  for (const double payoff : payoffs) {
    const double beyond = unit.value_of(payoff) / mean - 1.0;
    const bool plain = others < 1.0 || beyond >= others;
    logs.push_back(std::log(mean) + (plain ? beyond : -others * std::log1p(-beyond / others)));
  }
  return logs;
}

/// What an objective's payoffs say of a geometric mean.
struct Logarithms {
  PayoffsByInstance by_instance;    ///< log_values
  std::vector<RunningStats> stats;  ///< of them
  double value = 0.0;               ///< the geometric mean

  [[nodiscard]] MeanSample sample(const InstanceList& instances) const {
    return weighted_mean(instances, stats);
  }
};

/// Nothing where there is no payoff, or a mean value is not above 0.
std::optional<Logarithms> logarithms_of(const Unit& unit, const InstanceList& instances,
                                        const PayoffsByInstance& payoffs) {
  if (!are_above_0(unit, stats_by_instance(payoffs))) return std::nullopt;
  Logarithms logs;
  for (const std::vector<double>& list : payoffs) {
    logs.by_instance.push_back(log_values(unit, list));
  }
  logs.stats = stats_by_instance(logs.by_instance);
  const auto means = weighted(instances, logs.stats, mean_of_stats);
  if (means.empty()) return std::nullopt;
  logs.value = unit.value_of(geometric_mean_of(means, unit));
  return logs;
}

/// By the delta method: what a logarithm adds to a geometric mean, of which it is a part.
double part_of(double geometric_mean, double log) {
  return geometric_mean * (1.0 + log - std::log(geometric_mean));
}

/// The payoffs of either sample in the calls that both have, by instance: pairs stand at the same
/// place.
std::pair<PayoffsByInstance, PayoffsByInstance> samples_in_pairs(const Study& study,
                                                                 const EvaluationKey& key,
                                                                 const Sample& first,
                                                                 const Sample& second) {
  const auto seconds = second.by_call();
  Sample one;
  Sample other;
  for (const auto& [call, payoff] : first.by_call()) {
    const auto found = seconds.find(call);
    if (found == seconds.end()) continue;
    one.payoffs.push_back(payoff.payoff);
    other.payoffs.push_back(found->second.payoff);
    one.call_of.push_back(call);
    other.call_of.push_back(call);
  }
  return {payoffs_by_instance(study, key, one), payoffs_by_instance(study, key, other)};
}

}  // namespace

PayoffsByInstance payoffs_by_instance(const Study& study, const EvaluationKey& key,
                                      const Sample& sample) {
  if (study.instances.empty()) return {};
  PayoffsByInstance payoffs(study.instances.of(key.stage).size());
  EvaluationKey numbered = key;
  for (std::size_t i = 0; i < sample.payoffs.size(); ++i) {
    numbered.index = sample.call_of[i];
    payoffs[study.instances.index_of(study.seed, numbered)].push_back(sample.payoffs[i]);
  }
  return payoffs;
}

std::vector<RunningStats> stats_by_instance(const PayoffsByInstance& payoffs) {
  std::vector<RunningStats> stats;
  for (const auto& list : payoffs) stats.push_back(stats_of(list));
  return stats;
}

std::vector<std::int64_t> skipped_by_instance(const Study& study, const EvaluationKey& key,
                                              const Sample& sample) {
  if (study.instances.empty()) return {};
  std::vector<std::int64_t> counts(study.instances.of(key.stage).size());
  EvaluationKey numbered = key;
  for (const std::int64_t call : sample.skipped_calls) {
    numbered.index = call;
    ++counts[study.instances.index_of(study.seed, numbered)];
  }
  return counts;
}

std::optional<double> aggregate_payoff(const Aggregate& aggregate, const Unit& unit,
                                       const InstanceList& instances,
                                       std::span<const RunningStats> by_instance) {
  auto payoffs = weighted(instances, by_instance, mean_of_stats);
  if (payoffs.empty()) return std::nullopt;
  switch (aggregate.kind) {
    case Aggregate::Kind::kQuantile:
      return quantile_of(std::move(payoffs), aggregate.quantile);
    case Aggregate::Kind::kWorst:
      return std::ranges::min(payoffs).first;
    case Aggregate::Kind::kGeometricMean:
      if (!are_above_0(unit, by_instance)) return std::nullopt;
      return geometric_mean_of(
          weighted(instances, by_instance,
                   [&](const RunningStats& stats) { return log_of_mean(unit, stats); }),
          unit);
    case Aggregate::Kind::kMean:
      break;
  }
  return mean_of(payoffs);
}

namespace {

std::vector<Stratum> strata_of(const InstanceList& instances,
                               std::span<const RunningStats> by_instance) {
  std::vector<Stratum> strata;
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    strata.push_back({.values = by_instance[i], .weight = instances[i].weight});
  }
  return strata;
}

}  // namespace

MeanSample weighted_mean(const InstanceList& instances, std::span<const RunningStats> by_instance) {
  return stratified(strata_of(instances, by_instance));
}

MeanSample weighted_difference(const InstanceList& instances,
                               std::span<const RunningStats> by_instance) {
  std::vector<Stratum> strata = strata_of(instances, by_instance);
  for (Stratum& stratum : strata) stratum.values = without_dust(stratum.values);
  return stratified(strata, true);
}

RunningStats held_out_payoffs(const Study& study, const Objective& objective,
                              const EvaluationKey& key, const Sample& sample) {
  const RunningStats payoffs = stats_of(sample.payoffs);
  if (payoffs.count() == 0) return payoffs;
  std::optional<double> mean;
  if (!study.instances.empty()) {
    mean =
        aggregate_payoff(study.instances.aggregate, objective.unit(), study.instances.of(key.stage),
                         stats_by_instance(payoffs_by_instance(study, key, sample)));
  } else if (const auto games = sample.by_games(); are_of_unequal_games(games)) {
    mean = mean_by_games(games).mean();
  }
  RunningStats::State state = payoffs.state();
  if (mean) state.mean = std::clamp(*mean, state.min, state.max);
  return RunningStats(state);
}

void measure_instances(const Study& study, const Objective& objective, const EvaluationKey& key,
                       const Sample& sample, HoldOut& held_out) {
  if (study.instances.empty()) return;
  const PayoffsByInstance payoffs = payoffs_by_instance(study, key, sample);
  held_out.by_instance = stats_by_instance(payoffs);
  held_out.skipped_on = skipped_by_instance(study, key, sample);
  held_out.on_test_instances = !study.instances.test.empty();
  const Aggregate& aggregate = study.instances.aggregate;
  const bool known = are_known(objective, payoffs);
  const InstanceList& instances = study.instances.of(key.stage);
  held_out.stratified = weighted_mean(instances, held_out.by_instance).mean;
  if (aggregate.is_mean() && !known) {
    held_out.interval =
        payoff_interval(source_in(study, objective), held_out.sample(), held_out.games_of_sample());
    return;
  }
  const Unit unit = objective.unit();
  held_out.interval.reset();
  if (known || aggregate.kind != Aggregate::Kind::kGeometricMean) {
    const auto payoff = aggregate_payoff(aggregate, unit, instances, held_out.by_instance);
    if (!payoff) return;
    held_out.aggregate = unit.value_of(*payoff);
    if (known) held_out.interval = Interval{*held_out.aggregate, *held_out.aggregate};
    return;
  }
  const auto logs = logarithms_of(unit, instances, payoffs);
  if (!logs) return;
  held_out.aggregate = logs->value;
  const auto interval = mean_interval(logs->sample(instances), PossibleValues{});
  if (interval) held_out.interval = Interval{std::exp(interval->low), std::exp(interval->high)};
}

std::optional<Interval> interval_for_others(const Study& study, const Objective& objective,
                                            const EvaluationKey& key, const Sample& sample) {
  if (study.instances.empty()) return std::nullopt;
  const PayoffsByInstance payoffs = payoffs_by_instance(study, key, sample);
  const InstanceList& instances = study.instances.of(key.stage);
  const Aggregate::Kind kind = study.instances.aggregate.kind;
  if (kind == Aggregate::Kind::kMean) {
    const auto means = sample_of_means(instances, stats_by_instance(payoffs));
    return means ? payoff_interval(source_in(study, objective), *means) : std::nullopt;
  }
  if (kind != Aggregate::Kind::kGeometricMean) return std::nullopt;
  const auto logs = logarithms_of(objective.unit(), instances, payoffs);
  const auto means = logs ? sample_of_means(instances, logs->stats) : std::nullopt;
  const auto interval = means ? mean_interval(*means, PossibleValues{}) : std::nullopt;
  if (!interval) return std::nullopt;
  return Interval{std::exp(interval->low), std::exp(interval->high)};
}

std::optional<Interval> interval_for_others(const Study& study, const Objective& objective,
                                            const EvaluationKey& key, const Sample& first,
                                            const Sample& second) {
  if (study.instances.empty()) return std::nullopt;
  const InstanceList& instances = study.instances.of(key.stage);
  const auto [one, other] = samples_in_pairs(study, key, first, second);
  const auto ours = stats_by_instance(one);
  const auto theirs = stats_by_instance(other);
  const Unit unit = objective.unit();
  const Aggregate& aggregate = study.instances.aggregate;
  std::vector<RunningStats> differences(ours.size());
  if (aggregate.is_mean()) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].count() == 0) continue;
      differences[i].add(unit.slope * rounded_difference(ours[i].mean(), theirs[i].mean()));
    }
  } else {
    if (aggregate.kind != Aggregate::Kind::kGeometricMean) return std::nullopt;
    const auto our_logs = logarithms_of(unit, instances, one);
    const auto their_logs = logarithms_of(unit, instances, other);
    if (!our_logs || !their_logs) return std::nullopt;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].count() == 0) continue;
      differences[i].add(part_of(our_logs->value, our_logs->stats[i].mean()) -
                         part_of(their_logs->value, their_logs->stats[i].mean()));
    }
  }
  const auto means = sample_of_means(instances, differences);
  return means ? mean_interval(*means, PossibleValues{}) : std::nullopt;
}

MeanSample paired_differences(const Study& study, const EvaluationKey& key, const Sample& first,
                              const Sample& second) {
  if (study.instances.empty()) return differences_of(first, second);
  std::vector<RunningStats> by_instance;
  const auto [ours, theirs] = samples_in_pairs(study, key, first, second);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    std::vector<double> differences;
    for (std::size_t k = 0; k < ours[i].size(); ++k) {
      differences.push_back(rounded_difference(ours[i][k], theirs[i][k]));
    }
    by_instance.push_back(stats_of(differences));
  }
  return weighted_difference(study.instances.of(key.stage), by_instance);
}

bool has_aggregate(const Study& study, const Objective& objective, const EvaluationKey& key,
                   const Sample& sample) {
  return !study.instances.aggregate.is_mean() ||
         are_known(objective, payoffs_by_instance(study, key, sample));
}

void conclude_by_aggregate(const Study& study, const Objective& objective, const EvaluationKey& key,
                           const Sample& first, const Sample& second,
                           IncumbentComparison& comparison) {
  const Unit unit = objective.unit();
  const InstanceList& instances = study.instances.of(key.stage);
  const Aggregate& aggregate = study.instances.aggregate;
  const auto [one, other] = samples_in_pairs(study, key, first, second);
  const bool known = are_known(objective, one);
  const bool geometric = aggregate.kind == Aggregate::Kind::kGeometricMean && !known;
  comparison.difference.reset();
  comparison.interval.reset();
  comparison.probability_better.reset();  // that of the means
  comparison.finding = IncumbentFinding::kNotShown;
  const double direction = unit.direction();
  if (!geometric) {
    const auto x = aggregate_payoff(aggregate, unit, instances, stats_by_instance(one));
    const auto y = aggregate_payoff(aggregate, unit, instances, stats_by_instance(other));
    if (!x || !y) return;
    comparison.difference = rounded_difference(unit.value_of(*x), unit.value_of(*y));
    if (!known) return;
    const double gain = direction * *comparison.difference;
    comparison.interval = Interval{*comparison.difference, *comparison.difference};
    comparison.probability_better = gain > 0.0 ? 1.0 : gain < 0.0 ? 0.0 : 0.5;
    comparison.finding = finding_of(unit, comparison.interval);
    return;
  }
  const auto ours = logarithms_of(unit, instances, one);
  const auto theirs = logarithms_of(unit, instances, other);
  if (!ours || !theirs) return;
  comparison.difference = rounded_difference(ours->value, theirs->value);
  std::vector<RunningStats> differences(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t k = 0; k < one[i].size(); ++k) {
      differences[i].add(part_of(ours->value, ours->by_instance[i][k]) -
                         part_of(theirs->value, theirs->by_instance[i][k]));
    }
  }
  const MeanConfidence difference(weighted_difference(instances, differences), PossibleValues{});
  comparison.interval = difference.interval();
  if (!comparison.interval) return;
  const double above = difference.probability_above(0.0);
  comparison.probability_better = direction > 0.0 ? above : 1.0 - above;
  comparison.finding = finding_of(unit, comparison.interval);
}

}  // namespace ntune
