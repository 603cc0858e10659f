#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/error.h"
#include "ntune/objective/objective.h"
#include "ntune/objective/settings.h"

namespace ntune {

/// An objective of several goals from a callable (settings, rng) -> reported values, in the order
/// of the goals. The callable is as that of a LambdaObjective. Throws InputError if it is empty, or
/// no study can have the goals together.
///
///   LambdaGoals engine(space, {{.name = "elo"}, {.name = "ms", .unit = Unit::cost()}},
///                      [](const Settings& s, Rng& rng) { return measure(s.integer("depth"), rng);
///                      });
class LambdaGoals final : public Objective {
 public:
  using Function = std::function<std::vector<double>(const Settings&, Rng&)>;

  LambdaGoals(SearchSpace space, std::vector<Goal> goals, Function function,
              std::string name = "lambda")
      : space_(std::move(space)),
        goals_(std::move(goals)),
        function_(std::move(function)),
        name_(std::move(name)) {
    if (!function_) throw InputError("objective '" + name_ + "': the function is empty");
    if (const std::string problem = problem_of(goals_); !problem.empty()) {
      throw InputError("objective '" + name_ + "': " + problem);
    }
  }

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// The payoff of the first goal.
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return goals_.front().unit.payoff_of(evaluate_goals(point, rng).at(0));
  }
  [[nodiscard]] std::vector<double> evaluate_goals(const Point& point, Rng& rng) const override {
    return function_(Settings(space_, point), rng);
  }
  [[nodiscard]] std::span<const Goal> goals() const override { return goals_; }
  [[nodiscard]] std::string description() const override { return name_; }
  [[nodiscard]] Payoffs payoffs() const override { return payoffs_of(goals_); }
  [[nodiscard]] Unit unit() const override { return goals_.front().unit; }

 private:
  SearchSpace space_;
  std::vector<Goal> goals_;
  Function function_;
  std::string name_;
};

}  // namespace ntune
