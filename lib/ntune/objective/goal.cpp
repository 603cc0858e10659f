#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective.h"

namespace ntune {

std::string Goal::title() const {
  return measure.empty() || measure == name ? printable(name)
                                            : printable(name) + " (" + printable(measure) + ")";
}

std::string Goal::limit_text() const {
  return fmt::format("{} {}{}{}", unit.is_cost() ? "at most" : "at least",
                     number_text(limit.value()), measure.empty() ? "" : " ", printable(measure));
}

std::string Goal::fault_of(double value) const {
  if (!(std::abs(value) <= kLargestPayoff)) {
    return fmt::format("is {}, a number from {} to {} is allowed", value, -kLargestPayoff,
                       kLargestPayoff);
  }
  if (logarithmic && value <= 0.0) {
    return fmt::format("is {}, a number above 0 is allowed (scale: log)", number_text(value));
  }
  if (!payoffs.low || !payoffs.high) return {};
  const auto [low, high] = std::minmax({unit.value_of(*payoffs.low), unit.value_of(*payoffs.high)});
  return fault_within(value, low, high, payoffs.two_valued);
}

std::string problem_of(std::span<const Goal> goals) {
  if (goals.size() < kFewestGoals || goals.size() > kMostGoals) {
    return fmt::format("has {}, {} to {} are allowed", counted(std::ssize(goals), "goal"),
                       kFewestGoals, kMostGoals);
  }
  const std::vector<std::size_t> sought = sought_goals(goals);
  for (std::size_t place = 0; place < sought.size() && goals[sought[place]].order > 0; ++place) {
    if (sought.size() > 1 && goals[sought[place]].order == static_cast<int>(place) + 1) continue;
    return "has an order that is not 1, 2 and so on, each once; it is of two goals at least";
  }
  if (sought.empty() && goals.front().limit) {
    return "has a limit for every goal; one without is what is sought within the others";
  }
  for (const Goal& goal : goals) {
    if (std::ranges::count(goals, goal.name, &Goal::name) > 1) {
      return fmt::format("has two goals that are called '{}'", printable(goal.name));
    }
  }
  return {};
}

std::vector<std::size_t> sought_goals(std::span<const Goal> goals) {
  std::vector<std::size_t> sought;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    if (goals[i].order > 0) sought.push_back(i);
  }
  std::ranges::stable_sort(sought, {}, [&](std::size_t i) { return goals[i].order; });
  const auto limited = [](const Goal& goal) { return goal.limit.has_value(); };
  if (!sought.empty() || std::ranges::none_of(goals, limited)) return sought;
  const auto first = std::ranges::find_if_not(goals, limited);
  if (first != goals.end()) sought.push_back(static_cast<std::size_t>(first - goals.begin()));
  return sought;
}

Payoffs payoffs_of(std::span<const Goal> goals) {
  Payoffs payoffs = goals.front().payoffs;
  payoffs.noisy = std::ranges::any_of(goals, [](const Goal& goal) { return goal.payoffs.noisy; });
  return payoffs;
}

void set_goals(Outcome& outcome, std::span<const Goal> goals, std::span<const double> values) {
  outcome.goals.clear();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    outcome.goals.push_back(goals[i].unit.payoff_of(values[i]));
  }
  outcome.payoff = outcome.goals.front();
}

}  // namespace ntune
