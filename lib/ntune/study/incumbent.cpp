#include "ntune/study/incumbent.h"

#include <algorithm>
#include <map>

#include "ntune/core/json.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/payoff_intervals.h"
#include "ntune/study/study.h"

namespace ntune {

namespace {

/// Mean payoff of every call of a sample that brought one.
std::map<std::int64_t, RunningStats> payoffs_of_calls(const Sample& sample) {
  std::map<std::int64_t, RunningStats> calls;
  for (std::size_t i = 0; i < sample.payoffs.size(); ++i) {
    calls[sample.call_of[i]].add(sample.payoffs[i]);
  }
  return calls;
}

}  // namespace

RunningStats differences_of(const Sample& first, const Sample& second) {
  const auto seconds = payoffs_of_calls(second);
  RunningStats differences;
  for (const auto& [call, payoffs] : payoffs_of_calls(first)) {
    const auto other = seconds.find(call);
    if (other != seconds.end()) differences.add(payoffs.mean() - other->second.mean());
  }
  return differences;
}

Json default_values(const Study& study) {
  const Objective& objective = *study.objectives.front().objective;
  Json values = declared_values(objective.space(), objective.defaults());
  if (!study.beginning.incumbent) return values;
  const Point& point = *study.beginning.incumbent;
  for (int i = 0; i < point.size(); ++i) {
    if (!objective.space().is_active(point, i)) continue;
    values[objective.space()[i].name] = value_json(objective.space().value(point, i));
  }
  return values;
}

const char* finding_name(IncumbentFinding finding) {
  switch (finding) {
    case IncumbentFinding::kBetter:
      return "better";
    case IncumbentFinding::kKeep:
      return "keep";
    case IncumbentFinding::kNotShown:
      break;
  }
  return "not_shown";
}

void conclude(const Objective& objective, IncumbentComparison& comparison, double confidence) {
  if (comparison.recommended) {
    comparison.finding = IncumbentFinding::kKeep;
    comparison.difference = 0.0;
    comparison.interval = Interval{0.0, 0.0};
    comparison.probability_better = 0.0;
    return;
  }
  if (comparison.differences.count() == 0) return;
  const PayoffDifference found = payoff_difference(objective, comparison.differences, confidence);
  comparison.difference = found.value;
  comparison.interval = found.interval;
  comparison.probability_better = found.probability_better;
  const bool is_cost = objective.unit().is_cost();
  if (comparison.differences.mean() <= 0.0) {
    comparison.finding = IncumbentFinding::kKeep;
  } else if (found.interval && (is_cost ? found.interval->high < 0.0 : found.interval->low > 0.0)) {
    comparison.finding = IncumbentFinding::kBetter;
  }
}

}  // namespace ntune
