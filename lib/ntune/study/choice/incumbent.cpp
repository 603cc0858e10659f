#include "ntune/study/choice/incumbent.h"

#include "ntune/core/json.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/choice/fresh_sample.h"
#include "ntune/study/choice/payoff_intervals.h"
#include "ntune/study/study.h"

namespace ntune {

RunningStats differences_of(const Sample& first, const Sample& second) {
  const auto seconds = second.by_call();
  RunningStats differences;
  for (const auto& [call, payoffs] : first.by_call()) {
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

IncumbentFinding finding_of(const Unit& unit, const std::optional<Interval>& interval) {
  if (!interval) return IncumbentFinding::kNotShown;
  const double least = unit.is_cost() ? -interval->high : interval->low;
  const double most = unit.is_cost() ? -interval->low : interval->high;
  if (least > 0.0) return IncumbentFinding::kBetter;
  return most <= 0.0 ? IncumbentFinding::kKeep : IncumbentFinding::kNotShown;
}

void conclude(const Objective& objective, IncumbentComparison& comparison, double confidence) {
  if (comparison.recommended) {
    comparison.finding = IncumbentFinding::kKeep;
    comparison.difference = 0.0;
    comparison.interval = Interval{0.0, 0.0};
    comparison.probability_better = 0.0;
    return;
  }
  if (comparison.differences.values.count() == 0) return;
  const PayoffDifference found =
      payoff_difference(objective, comparison.differences, comparison.games, confidence);
  comparison.difference = found.value;
  comparison.interval = found.interval;
  comparison.probability_better = found.probability_better;
  comparison.finding = finding_of(objective.unit(), found.interval);
}

void weigh_failures(const HoldOut& recommended, IncumbentComparison& comparison) {
  const HoldOut& other = comparison.hold_out;
  if (comparison.recommended || recommended.tried() == 0 || other.tried() == 0) return;
  const double ours = recommended.skipped_rate();
  const double theirs = other.skipped_rate();
  IncumbentFinding& finding = comparison.finding;
  if (ours > theirs) comparison.probability_better.reset();
  if (comparison.difference) {
    const bool for_worse = (finding == IncumbentFinding::kBetter && ours > theirs) ||
                           (finding == IncumbentFinding::kKeep && theirs > ours);
    if (for_worse) finding = IncumbentFinding::kNotShown;
    return;
  }
  const auto rate = [](const HoldOut& held_out) {
    return wilson_interval(static_cast<double>(held_out.failures.skipped),
                           static_cast<double>(held_out.tried()));
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
  comparison.interval = Interval{value.low - kLevelScore, value.high - kLevelScore};
  comparison.probability_better = probability_above(
      objective, recommended.sample(), unit.payoff_of(kLevelScore), recommended.games_of_sample());
  comparison.finding = finding_of(unit, comparison.interval);
}

}  // namespace ntune
