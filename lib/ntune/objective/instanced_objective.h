#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// One objective for each instance, such as a game with another opponent or map each. All have the
/// same space and the same unit.
class InstancedObjective final : public Objective, public OnInstances, public Matches {
 public:
  struct Member {
    std::string instance;  ///< its name
    std::shared_ptr<const Objective> objective;
  };

  /// At least one member; the first stands for all where no instance is named. Throws InputError
  /// that names the instance whose space or unit differs.
  explicit InstancedObjective(std::vector<Member> members);

  [[nodiscard]] const SearchSpace& space() const override { return first().space(); }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return first().evaluate(point, rng);
  }
  [[nodiscard]] double evaluate_on(const Instance& instance, const Point& point,
                                   Rng& rng) const override;
  [[nodiscard]] Json defaults() const override { return first().defaults(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override { return payoffs_; }
  [[nodiscard]] Unit unit() const override { return first().unit(); }
  [[nodiscard]] const OnInstances* on_instances() const override { return this; }
  [[nodiscard]] const Matches* matches() const override { return have_matches_ ? this : nullptr; }
  [[nodiscard]] Outcome play(const Point& one, const Point& other, Rng& rng,
                             const EvaluationId& id) const override;

 private:
  [[nodiscard]] const Objective& first() const { return *members_.front().objective; }
  [[nodiscard]] const Objective& member(const Instance& instance) const;

  std::vector<Member> members_;
  std::unordered_map<std::string, std::size_t> by_name_;
  Payoffs payoffs_;
  bool have_matches_ = true;
};

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
