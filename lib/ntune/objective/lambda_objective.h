#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/settings.h"

namespace ntune {

/// An objective from a callable: (point, rng), (settings, rng) or, in a study with instances,
/// (settings, rng, instance) -> payoff, higher is better. It
/// must draw all its random numbers from `rng`, and be safe to call from several threads at once
/// unless the study is run by one. Throws InputError if the callable is empty.
///
///   LambdaObjective bot(space, [](const Settings& s, Rng& rng) {
///     return play(s.integer("depth"), s.number("c"), rng()) ? 1.0 : -1.0;
///   }, "my bot", {.low = -1.0, .high = 1.0, .two_valued = true});
class LambdaObjective final : public Objective, public OnInstances {
 public:
  using PointFunction = std::function<double(const Point&, Rng&)>;
  using SettingsFunction = std::function<double(const Settings&, Rng&)>;
  using InstanceFunction = std::function<double(const Settings&, Rng&, const Instance&)>;

  using Function = std::variant<PointFunction, SettingsFunction, InstanceFunction>;

  LambdaObjective(SearchSpace space, Function function, std::string name = "lambda",
                  Payoffs payoffs = {})
      : space_(std::move(space)),
        function_(std::move(function)),
        name_(std::move(name)),
        payoffs_(payoffs) {
    if (std::visit([](const auto& callable) { return !callable; }, function_)) {
      throw InputError("objective '" + name_ + "': the function is empty");
    }
  }

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// Throws EvaluationError where the callable takes an instance.
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    if (const auto* by_point = std::get_if<PointFunction>(&function_)) {
      return (*by_point)(point, rng);
    }
    if (const auto* by_name = std::get_if<SettingsFunction>(&function_)) {
      return (*by_name)(Settings(space_, point), rng);
    }
    throw EvaluationError("needs instances: the study names none");
  }
  [[nodiscard]] double evaluate_on(const Instance& instance, const Point& point,
                                   Rng& rng) const override {
    return std::get<InstanceFunction>(function_)(Settings(space_, point), rng, instance);
  }
  [[nodiscard]] const OnInstances* on_instances() const override {
    return std::holds_alternative<InstanceFunction>(function_) ? this : nullptr;
  }
  [[nodiscard]] std::string description() const override { return name_; }
  [[nodiscard]] Payoffs payoffs() const override { return payoffs_; }

 private:
  SearchSpace space_;
  Function function_;
  std::string name_;
  Payoffs payoffs_;
};

}  // namespace ntune
