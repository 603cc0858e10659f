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

/// exp of the weighted mean logarithm of the reported values, as a payoff.
std::optional<double> geometric_mean_of(const std::vector<std::pair<double, double>>& payoffs,
                                        const Unit& unit) {
  double sum = 0.0;
  double total = 0.0;
  for (const auto& [payoff, weight] : payoffs) {
    const double value = unit.value_of(payoff);
    if (!(value > 0.0)) return std::nullopt;
    sum += weight * std::log(value);
    total += weight;
  }
  return unit.payoff_of(std::exp(sum / total));
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

/// The means of the instances that were visited as a sample of instances, by their weights.
template <class Value>
std::optional<MeanSample> sample_of_means(const InstanceList& instances,
                                          std::span<const RunningStats> by_instance,
                                          const Value& value) {
  constexpr std::size_t kFewestInstances = 5;
  std::vector<Stratum> strata;
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    if (by_instance[i].count() == 0) continue;
    RunningStats mean;
    mean.add(value(by_instance[i].mean()));
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

/// Each payoff as a share of the mean of its instance. By the delta method their mean over the
/// instances has the error of the logarithm of the geometric mean.
PayoffsByInstance relative(PayoffsByInstance payoffs) {
  for (std::vector<double>& list : payoffs) {
    const double mean = stats_of(list).mean();
    for (double& payoff : list) payoff /= mean;
  }
  return payoffs;
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
  for (const auto& [call, payoffs] : first.by_call()) {
    const auto found = seconds.find(call);
    if (found == seconds.end()) continue;
    one.payoffs.push_back(payoffs.mean());
    other.payoffs.push_back(found->second.mean());
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
  std::vector<std::pair<double, double>> payoffs;  // with their weights
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    if (by_instance[i].count() == 0) continue;
    payoffs.emplace_back(by_instance[i].mean(), instances[i].weight);
  }
  if (payoffs.empty()) return std::nullopt;
  switch (aggregate.kind) {
    case Aggregate::Kind::kQuantile:
      return quantile_of(std::move(payoffs), aggregate.quantile);
    case Aggregate::Kind::kWorst:
      return std::ranges::min(payoffs).first;
    case Aggregate::Kind::kGeometricMean:
      return geometric_mean_of(payoffs, unit);
    case Aggregate::Kind::kMean:
      break;
  }
  return mean_of(payoffs);
}

MeanSample weighted_mean(const InstanceList& instances, std::span<const RunningStats> by_instance) {
  std::vector<Stratum> strata;
  for (std::size_t i = 0; i < by_instance.size(); ++i) {
    strata.push_back({.values = by_instance[i], .weight = instances[i].weight});
  }
  return stratified(strata);
}

RunningStats held_out_payoffs(const Study& study, const Objective& objective,
                              const EvaluationKey& key, const Sample& sample) {
  const RunningStats payoffs = stats_of(sample.payoffs);
  if (study.instances.empty() || payoffs.count() == 0) return payoffs;
  const auto mean =
      aggregate_payoff(study.instances.aggregate, objective.unit(), study.instances.of(key.stage),
                       stats_by_instance(payoffs_by_instance(study, key, sample)));
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
    held_out.interval = payoff_interval(objective, held_out.sample(), held_out.games_of_sample());
    return;
  }
  const Unit unit = objective.unit();
  held_out.interval.reset();
  const auto payoff = aggregate_payoff(aggregate, unit, instances, held_out.by_instance);
  if (!payoff) return;
  held_out.aggregate = unit.value_of(*payoff);
  if (known) held_out.interval = Interval{*held_out.aggregate, *held_out.aggregate};
  if (known || aggregate.kind != Aggregate::Kind::kGeometricMean) return;
  const auto error = mean_interval(weighted_mean(instances, stats_by_instance(relative(payoffs))),
                                   PossibleValues{});
  if (!error) return;
  const double value = *held_out.aggregate;
  held_out.interval =
      Interval{value * std::exp(error->low - 1.0), value * std::exp(error->high - 1.0)};
}

std::optional<Interval> interval_for_others(const Study& study, const Objective& objective,
                                            const EvaluationKey& key, const Sample& sample) {
  if (study.instances.empty()) return std::nullopt;
  const auto by_instance = stats_by_instance(payoffs_by_instance(study, key, sample));
  const InstanceList& instances = study.instances.of(key.stage);
  const auto of_means = [&](auto&& value) {
    return sample_of_means(instances, by_instance, value);
  };
  const Aggregate::Kind kind = study.instances.aggregate.kind;
  if (kind == Aggregate::Kind::kMean) {
    const auto means = of_means([](double mean) { return mean; });
    return means ? payoff_interval(objective, *means) : std::nullopt;
  }
  const Unit unit = objective.unit();
  if (kind != Aggregate::Kind::kGeometricMean || !are_above_0(unit, by_instance)) {
    return std::nullopt;
  }
  const auto logs = of_means([&](double mean) { return std::log(unit.value_of(mean)); });
  const auto interval = logs ? mean_interval(*logs, PossibleValues{}) : std::nullopt;
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
    // By the delta method: what an instance adds to the logarithm of either geometric mean.
    const auto x = aggregate_payoff(aggregate, unit, instances, ours);
    const auto y = aggregate_payoff(aggregate, unit, instances, theirs);
    if (aggregate.kind != Aggregate::Kind::kGeometricMean || !x || !y) return std::nullopt;
    const double a = unit.value_of(*x);
    const double b = unit.value_of(*y);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i].count() == 0) continue;
      differences[i].add(a * (1.0 + std::log(unit.value_of(ours[i].mean()) / a)) -
                         b * (1.0 + std::log(unit.value_of(theirs[i].mean()) / b)));
    }
  }
  const auto means = sample_of_means(instances, differences, [](double mean) { return mean; });
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
  return weighted_mean(study.instances.of(key.stage), by_instance);
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
  const auto x = aggregate_payoff(aggregate, unit, instances, stats_by_instance(one));
  const auto y = aggregate_payoff(aggregate, unit, instances, stats_by_instance(other));
  comparison.difference.reset();
  if (x && y) comparison.difference = rounded_difference(unit.value_of(*x), unit.value_of(*y));
  comparison.interval.reset();
  comparison.probability_better.reset();  // that of the means
  comparison.finding = IncumbentFinding::kNotShown;
  if (!comparison.difference) return;
  const double direction = unit.direction();
  if (are_known(objective, one)) {
    const double gain = direction * *comparison.difference;
    comparison.interval = Interval{*comparison.difference, *comparison.difference};
    comparison.probability_better = gain > 0.0 ? 1.0 : gain < 0.0 ? 0.0 : 0.5;
    comparison.finding = finding_of(unit, comparison.interval);
    return;
  }
  if (aggregate.kind != Aggregate::Kind::kGeometricMean) return;
  // By the delta method: what a call adds to the error of either geometric mean, less the other's.
  const double ours = unit.value_of(*x);
  const double theirs = unit.value_of(*y);
  const PayoffsByInstance our_shares = relative(one);
  const PayoffsByInstance their_shares = relative(other);
  std::vector<RunningStats> differences(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t k = 0; k < one[i].size(); ++k) {
      differences[i].add(ours * our_shares[i][k] - theirs * their_shares[i][k]);
    }
  }
  const MeanConfidence difference(weighted_mean(instances, differences), PossibleValues{});
  comparison.interval = difference.interval();
  if (!comparison.interval) return;
  const double above = difference.probability_above(0.0);
  comparison.probability_better = direction > 0.0 ? above : 1.0 - above;
  comparison.finding = finding_of(unit, comparison.interval);
}

}  // namespace ntune
