#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/objective/unit.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/model/instances.h"

namespace ntune {

struct Study;

/// The payoffs of fresh evaluations by their instances, in order of the calls. `key` names them but
/// for the index. Empty where the study has no instances.
using PayoffsByInstance = std::vector<std::vector<double>>;
PayoffsByInstance payoffs_by_instance(const Study& study, const EvaluationKey& key,
                                      const Sample& sample);
std::vector<RunningStats> stats_by_instance(const PayoffsByInstance& payoffs);
/// How many of its calls failed without a payoff, likewise.
std::vector<std::int64_t> skipped_by_instance(const Study& study, const EvaluationKey& key,
                                              const Sample& sample);

/// The payoff that the means of the instances come to, of those that have any. Nothing where none
/// has, and for a geometric mean where a reported value is not above 0.
std::optional<double> aggregate_payoff(const Aggregate& aggregate, const Unit& unit,
                                       const InstanceList& instances,
                                       std::span<const RunningStats> by_instance);

/// The payoffs of instances as the strata of a mean.
MeanSample weighted_mean(const InstanceList& instances, std::span<const RunningStats> by_instance);
/// The same of differences, which may be alike on all instances (stratified).
MeanSample weighted_difference(const InstanceList& instances,
                               std::span<const RunningStats> by_instance);

/// The fresh payoffs of a run of a comparison; where the study has instances or games must be
/// weighed, with the mean that these come to.
RunningStats held_out_payoffs(const Study& study, const Objective& objective,
                              const EvaluationKey& key, const Sample& sample);

/// Fills in the instances of fresh evaluations, and the value and the interval that follow from
/// them. The instances are taken as given, with their declared weights (stratified). A
/// geometric mean has the interval of its logarithm. The worst instance and quantiles have none:
/// those of noisy means are biased. What is exact on instances is known once each has a payoff.
void measure_instances(const Study& study, const Objective& objective, const EvaluationKey& key,
                       const Sample& sample, HoldOut& held_out);

/// The interval of a value or a difference where the instances are a sample of others like them:
/// that of the means of those that were visited. Nothing below five of them.
std::optional<Interval> interval_for_others(const Study& study, const Objective& objective,
                                            const EvaluationKey& key, const Sample& sample);
std::optional<Interval> interval_for_others(const Study& study, const Objective& objective,
                                            const EvaluationKey& key, const Sample& first,
                                            const Sample& second);

/// As differences_of, of instances by their weights.
MeanSample paired_differences(const Study& study, const EvaluationKey& key, const Sample& first,
                              const Sample& second);

/// True if the value of such a sample is the aggregate of its instances: it is not their mean, or
/// all of them are known exactly.
bool has_aggregate(const Study& study, const Objective& objective, const EvaluationKey& key,
                   const Sample& sample);

/// The comparison with the default by an aggregate, from calls that both had: its difference, and
/// of geometric means an interval of that.
void conclude_by_aggregate(const Study& study, const Objective& objective, const EvaluationKey& key,
                           const Sample& first, const Sample& second,
                           IncumbentComparison& comparison);

}  // namespace ntune
