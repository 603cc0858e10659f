#include "ntune/study/evaluation/carry_out.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestText = 2000;

}  // namespace

Evaluated rate(const FailurePolicy& on_failure, const Unit& unit, Outcome outcome) {
  if (outcome.failure.empty()) return {std::move(outcome)};
  const bool skipped = on_failure.kind != FailurePolicy::Kind::kValue;
  return {{.payoff = skipped ? 0.0 : unit.payoff_of(on_failure.value),
           .failure = std::move(outcome.failure),
           .blame = outcome.blame,
           .attempts = outcome.attempts,
           .cost = outcome.cost},
          skipped};
}

std::string fault_of_payoff(double payoff, const Unit& unit) {
  if (std::abs(payoff) <= kLargestPayoff) return {};
  const double value = unit.value_of(payoff);
  if (!std::isfinite(payoff)) {
    return fmt::format("the payoff is {}, a finite number is allowed", value);
  }
  return fmt::format("the payoff is {}, numbers from {} to {} are allowed", value, -kLargestPayoff,
                     kLargestPayoff);
}

std::string fault_of(const Outcome& outcome, const Objective& objective) {
  const std::span<const Goal> goals = objective.goals();
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const std::string fault = goals[i].fault_of(goals[i].unit.value_of(outcome.goals.at(i)));
    if (!fault.empty()) return fmt::format("'{}' {}", goals[i].name, fault);
  }
  const Unit unit = objective.unit();
  for (const double payoff : outcome.observations) {
    if (std::string fault = fault_of_payoff(payoff, unit); !fault.empty()) return fault;
  }
  return fault_of_payoff(outcome.payoff, unit);
}

Outcome carry_out(const Objective& objective, const Point& point, Rng stream,
                  const EvaluationId& id, const Point* opponent) {
  const auto failed = [](std::string reason) {
    return Outcome{.failure = reason.empty() ? "no reason given" : std::move(reason)};
  };
  try {
    Outcome outcome = opponent != nullptr ? objective.matches()->play(point, *opponent, stream, id)
                                          : observe(objective, point, stream, id);
    if (outcome.failure.empty()) outcome.failure = fault_of(outcome, objective);
    return outcome;
  } catch (const std::exception& error) {
    return failed(error.what());
  } catch (...) {
    return failed("an exception of unknown type");
  }
}

std::string failure_text(const Objective& objective, const Point& point, const Point* opponent,
                         std::string_view reason) {
  const auto text = [&](const Point& one) {
    return printable(objective.space().text(one), kLongestText);
  };
  return fmt::format("evaluation failed: {}: {} at {}{}", objective.description(),
                     printable(reason, kLongestText), text(point),
                     opponent == nullptr ? "" : " against " + text(*opponent));
}

std::string setting_text(const SearchSpace& space, const Point& point) {
  std::string text;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!space.is_active(point, i)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", space[i].name,
                        value_text(space.value(point, i)));
  }
  return printable(text, kLongestText);
}

FailedCall::Facts facts_of_failure(const Objective& objective, const Point& point,
                                   const Point* opponent, std::string failure) {
  std::string setting = setting_text(objective.space(), point);
  if (opponent != nullptr) setting += " against " + setting_text(objective.space(), *opponent);
  return {.setting = std::move(setting), .failure = std::move(failure)};
}

}  // namespace ntune
