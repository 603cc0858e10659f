#pragma once

#include <memory>
#include <string>
#include <utility>

#include "ntune/core/json.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// An objective without noise in a study with instances: evaluations of a point differ, as their
/// instances do.
class ExactOnInstances final : public Objective {
 public:
  explicit ExactOnInstances(std::shared_ptr<const Objective> objective)
      : objective_(std::move(objective)) {}

  [[nodiscard]] const SearchSpace& space() const override { return objective_->space(); }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return objective_->evaluate(point, rng);
  }
  [[nodiscard]] Json defaults() const override { return objective_->defaults(); }
  [[nodiscard]] std::string description() const override { return objective_->description(); }
  [[nodiscard]] Payoffs payoffs() const override {
    Payoffs payoffs = objective_->payoffs();
    payoffs.noisy = true;
    payoffs.exact_on_instances = true;
    return payoffs;
  }
  [[nodiscard]] Unit unit() const override { return objective_->unit(); }
  [[nodiscard]] const KnownTruth* known_truth() const override { return objective_->known_truth(); }
  [[nodiscard]] const Matches* matches() const override { return objective_->matches(); }
  [[nodiscard]] const OnInstances* on_instances() const override {
    return objective_->on_instances();
  }
  [[nodiscard]] const OutsideProgram* outside_program() const override {
    return objective_->outside_program();
  }

 private:
  std::shared_ptr<const Objective> objective_;
};

}  // namespace ntune
