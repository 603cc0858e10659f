#include "ntune/study/model/goal_front.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/study/model/study.h"

namespace ntune {

const GoalValue* FrontMember::find(std::string_view goal) const {
  const auto found = std::ranges::find(goals, goal, &GoalValue::goal);
  return found == goals.end() ? nullptr : &*found;
}

bool FrontMember::keeps_limits(std::span<const Goal> all) const {
  return !goals.empty() && std::ranges::all_of(all, [this](const Goal& goal) {
    const GoalValue* value = find(goal.name);
    return !goal.limit || (value != nullptr && value->keeps_limit == true);
  });
}

std::vector<std::string> GoalFront::all_sought() const {
  std::vector<std::string> names;
  if (sought) names.push_back(*sought);
  names.insert(names.end(), then.begin(), then.end());
  return names;
}

const GoalValue* GoalFront::gain() const {
  if (!chosen) return nullptr;
  for (const std::string& name : all_sought()) {
    const GoalValue* value = members[*chosen].find(name);
    if (value == nullptr || value->is_worse()) return nullptr;
    if (value->finding == IncumbentFinding::kBetter) return value;
  }
  return nullptr;
}

void refuse_goals(const Study& study, const std::string& what) {
  for (const StudyObjective& entry : study.objectives) {
    if (entry.objective->goals().empty()) continue;
    throw InputError(fmt::format("{} knows one goal, and the study has {} (goals)", what,
                                 entry.objective->goals().size()));
  }
}

std::int64_t most_front_members(std::span<const Goal> goals, std::int64_t evaluations) {
  constexpr std::int64_t kMost = 8;         // that a person looks at
  constexpr std::int64_t kMostExact = 12;   // which take one evaluation each
  constexpr std::int64_t kEvaluations = 8;  // of each, for intervals that tell something
  const bool noisy = payoffs_of(goals).noisy;
  if (!noisy) return std::clamp<std::int64_t>(evaluations - 1, 1, kMostExact);
  return std::clamp<std::int64_t>(evaluations / kEvaluations - 1, 2, kMost);
}

}  // namespace ntune
