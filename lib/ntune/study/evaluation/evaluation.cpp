#include "ntune/study/evaluation/evaluation.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/hash.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/payoff_limit.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/instances/instance_aware_search.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestText = 2000;

/// Why the first payoff that is refused is so; empty if none is.
std::string fault_of(const Outcome& outcome, const Unit& unit) {
  for (const double payoff : outcome.observations) {
    if (std::string fault = fault_of_payoff(payoff, unit); !fault.empty()) return fault;
  }
  return fault_of_payoff(outcome.payoff, unit);
}

Recommendation in_objective(Recommendation recommendation, const WidenedSpace* widen) {
  if (widen != nullptr) recommendation.point = (*widen)(recommendation.point);
  return recommendation;
}

}  // namespace

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::kReEvaluation:
      return "re_evaluation";
    case Stage::kHoldOut:
      return "hold_out";
    case Stage::kSearch:
      break;
  }
  return "search";
}

Evaluated rate(const FailurePolicy& on_failure, const Unit& unit, Outcome outcome) {
  if (outcome.failure.empty()) {
    return {.payoff = outcome.payoff,
            .observations = std::move(outcome.observations),
            .games = outcome.games,
            .ending = outcome.ending,
            .spent = outcome.cost};
  }
  Evaluated evaluated{.failure = std::move(outcome.failure), .failed = true, .spent = outcome.cost};
  evaluated.skipped = on_failure.kind != FailurePolicy::Kind::kValue;
  if (!evaluated.skipped) evaluated.payoff = unit.payoff_of(on_failure.value);
  return evaluated;
}

Recommendation RunView::recommend_now() const {
  if (instance_aware == nullptr) return recommend();
  return in_objective(instance_aware->recommend_now(), widen);
}

Recommendation RunView::recommend() const { return in_objective(optimiser->recommend(), widen); }

std::uint64_t EvaluationKey::hash() const {
  std::uint64_t hash = mix64((std::uint64_t{cell} << 8) + static_cast<std::uint64_t>(stage));
  for (const std::int64_t part : {repeat, run, index}) {
    hash = mix64(hash + static_cast<std::uint64_t>(part) + 1);
  }
  return hash;
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

Outcome carry_out(const Objective& objective, const Point& point, Rng stream,
                  const EvaluationId& id, const Point* opponent) {
  const auto failed = [](std::string reason) {
    return Outcome{.failure = reason.empty() ? "no reason given" : std::move(reason)};
  };
  try {
    Outcome outcome = opponent != nullptr ? objective.matches()->play(point, *opponent, stream, id)
                                          : observe(objective, point, stream, id);
    if (outcome.failure.empty()) outcome.failure = fault_of(outcome, objective.unit());
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

Outcome evaluate_checked(const Objective& objective, const Point& point, Rng stream,
                         const EvaluationId& id) {
  Outcome outcome = carry_out(objective, point, stream, id);
  if (!outcome.failure.empty()) {
    throw EvaluationError(failure_text(objective, point, nullptr, outcome.failure));
  }
  return outcome;
}

}  // namespace ntune
