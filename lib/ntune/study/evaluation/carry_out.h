#pragma once

#include <string>
#include <string_view>

#include "ntune/core/rng.h"
#include "ntune/objective/objective.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// What an outcome counts for by the study's rule for failures.
Evaluated rate(const FailurePolicy& on_failure, const Unit& unit, Outcome outcome);

/// Why a payoff is refused, in the reported unit; empty: it is not.
std::string fault_of_payoff(double payoff, const Unit& unit);

/// The one door through which payoffs enter: evaluates a point, or has it meet an opponent. What
/// the objective throws, and payoffs that are not finite or too large, become the outcome's
/// failure.
Outcome carry_out(const Objective& objective, const Point& point, Rng stream,
                  const EvaluationId& id, const Point* opponent = nullptr);

/// The same, but throws EvaluationError naming objective, point and reason.
Outcome evaluate_checked(const Objective& objective, const Point& point, Rng stream,
                         const EvaluationId& id = {});

/// One line for a failed evaluation: objective, reason, point, and the opponent of a match.
std::string failure_text(const Objective& objective, const Point& point, const Point* opponent,
                         std::string_view reason);

}  // namespace ntune
