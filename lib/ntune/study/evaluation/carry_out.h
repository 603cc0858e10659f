#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/objective/objective.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// What an outcome counts for by the study's rule for failures.
Evaluated rate(const FailurePolicy& on_failure, const Unit& unit, Outcome outcome);

/// Why a payoff is refused, in the reported unit; empty: it is not.
std::string fault_of_payoff(double payoff, const Unit& unit);

/// The same of the first payoff of an outcome that is refused; of goals there are as many as the
/// objective has.
std::string fault_of(const Outcome& outcome, const Objective& objective);

/// The one door through which payoffs enter: evaluates a point, or has it meet an opponent. What
/// the objective throws, and payoffs that are not finite or too large, become the outcome's
/// failure.
Outcome carry_out(const Objective& objective, const Point& point, Rng stream,
                  const EvaluationId& id, const Point* opponent = nullptr);

/// A failed evaluation that ends what it is a part of: one line, and what a person asks about it.
class FailedCall : public EvaluationError {
 public:
  struct Facts {
    std::string setting;                 ///< "threads 8, mode fast"; of a match, both
    std::string failure;                 ///< of the outcome
    std::optional<double> seconds = {};  ///< that it took, where somebody has measured them
    std::string exceeded = {};           ///< the limit of failures that it exceeds
  };

  FailedCall(const std::string& line, Facts facts)
      : EvaluationError(line), facts_(std::move(facts)) {}
  [[nodiscard]] const Facts& facts() const { return facts_; }

 private:
  Facts facts_;
};

/// "threads 8, mode fast": the active parameters, in the order of the space.
std::string setting_text(const SearchSpace& space, const Point& point);
/// The facts of a failed evaluation, or match.
FailedCall::Facts facts_of_failure(const Objective& objective, const Point& point,
                                   const Point* opponent, std::string failure);

/// One line for a failed evaluation: objective, reason, point, and the opponent of a match.
std::string failure_text(const Objective& objective, const Point& point, const Point* opponent,
                         std::string_view reason);

}  // namespace ntune
