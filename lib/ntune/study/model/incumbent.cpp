#include "ntune/study/model/incumbent.h"

#include <array>

#include "ntune/core/json.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

Json default_values(const Study& study) {
  const Objective& objective = *study.objectives.front().objective;
  Json values = declared_values(objective.space(), objective.defaults());
  // The default of the study goes before what its space or its objective declares.
  if (!study.beginning.incumbent) return values;
  const Point& point = *study.beginning.incumbent;
  for (int i = 0; i < point.size(); ++i) {
    if (!objective.space().is_active(point, i)) continue;
    values[objective.space()[i].name] = value_json(objective.space().value(point, i));
  }
  return values;
}

const char* finding_name(IncumbentFinding finding) {
  constexpr std::array kNames = {"better", "not_shown", "keep"};
  return kNames[static_cast<std::size_t>(finding)];
}

IncumbentFinding finding_of(const Unit& unit, const std::optional<Interval>& interval) {
  if (!interval) return IncumbentFinding::kNotShown;
  const double least = unit.is_cost() ? -interval->high : interval->low;
  const double most = unit.is_cost() ? -interval->low : interval->high;
  if (least > 0.0) return IncumbentFinding::kBetter;
  return most <= 0.0 ? IncumbentFinding::kKeep : IncumbentFinding::kNotShown;
}

}  // namespace ntune
