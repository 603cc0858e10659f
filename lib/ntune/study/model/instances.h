#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/rng.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/unit.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// The order in which evaluations visit instances: after any number of them no two instances are
/// further apart than one visit, counted by their weights. A function of stream and index alone.
class InstanceOrder {
 public:
  /// Weights above 0, at least one.
  explicit InstanceOrder(std::vector<double> weights);

  /// Which instance evaluation `index` >= 0 is of. Equal weights: each block of as many evaluations
  /// as there are instances visits all, in an order drawn from the stream. May be called from
  /// several threads at once.
  [[nodiscard]] std::size_t at(const Rng& stream, std::int64_t index) const;

 private:
  struct Sequence;
  [[nodiscard]] std::size_t visited(std::int64_t index) const;

  std::vector<double> weights_;
  std::shared_ptr<Sequence> sequence_;  ///< of unequal weights; nullptr: all are equal
};

/// A list of instances and the order of their visits.
class InstanceList {
 public:
  InstanceList() = default;
  explicit InstanceList(std::vector<Instance> instances);

  [[nodiscard]] bool empty() const { return instances_.empty(); }
  [[nodiscard]] std::size_t size() const { return instances_.size(); }
  [[nodiscard]] const Instance& operator[](std::size_t i) const { return instances_[i]; }
  [[nodiscard]] std::span<const Instance> all() const { return instances_; }
  /// The place of an instance that is one of these.
  [[nodiscard]] std::size_t index_of(const Instance& instance) const {
    return static_cast<std::size_t>(&instance - instances_.data());
  }
  [[nodiscard]] const InstanceOrder& order() const { return *order_; }
  /// How many evaluations visit each instance as its weight says, the lightest once; 0 of none.
  [[nodiscard]] std::int64_t visits_of_all() const;
  /// The instance of that name, or nullptr.
  [[nodiscard]] const Instance* find(std::string_view name) const;
  /// The instance of an evaluation in the order of this stream, nullptr where there are none.
  [[nodiscard]] const Instance* at(const Rng& stream, std::size_t index) const;

 private:
  std::vector<Instance> instances_;
  std::shared_ptr<const InstanceOrder> order_;
};

/// "there is no instance 'x'; allowed: …", with ten names at most, those most like it first.
std::string unknown_instance(std::string_view name, const std::vector<std::string>& allowed);

/// The scale on which a search models payoffs: as they are, or the logarithms of the reported
/// values. On the second what an instance adds is a factor, and one long time does not outweigh
/// many short ones. Either keeps the order of payoffs.
class ModelScale {
 public:
  ModelScale() = default;
  /// The scale of the logarithms of values in this unit.
  static ModelScale logarithmic(const Unit& unit) {
    ModelScale scale;
    scale.unit_ = unit;
    return scale;
  }

  [[nodiscard]] bool is_logarithmic() const { return unit_.has_value(); }
  /// A value that is not above 0 counts as 10^-9.
  [[nodiscard]] double of_payoff(double payoff) const {
    if (!unit_) return payoff;
    constexpr double kLeast = 1e-9;
    return unit_->direction() * std::log(std::fmax(unit_->value_of(payoff), kLeast));
  }
  /// The payoff at this place of the scale; -infinity stays.
  [[nodiscard]] double payoff_of(double number) const {
    if (!unit_ || std::isinf(number)) return number;
    return unit_->payoff_of(std::exp(unit_->direction() * number));
  }

 private:
  std::optional<Unit> unit_;
};

/// How the means of the instances become one value.
struct Aggregate {
  enum class Kind { kMean, kQuantile, kWorst, kGeometricMean } kind = Kind::kMean;
  double quantile = 0.1;  ///< of the instances, worst first

  [[nodiscard]] bool is_mean() const { return kind == Kind::kMean; }
};

/// The instances of a study: those that the search and the comparison use, and those that the
/// recommendation is held out on, where they are others.
struct Instances {
  InstanceList train;
  InstanceList test;
  Aggregate aggregate;
  bool effects_are_learned = true;  ///< of instances, and taken out of what a search is told
  /// Whether optimisers that compare points block by block meet the same instances in a block.
  /// Older versions did not.
  bool blocks = true;

  [[nodiscard]] bool learns_effects() const { return effects_are_learned && train.size() > 1; }
  /// The scale of a geometric mean is of logarithms.
  [[nodiscard]] ModelScale scale(const Unit& unit) const {
    const bool geometric = aggregate.kind == Aggregate::Kind::kGeometricMean;
    return geometric ? ModelScale::logarithmic(unit) : ModelScale();
  }
  [[nodiscard]] bool empty() const { return train.empty(); }
  /// The instances that fresh evaluations of a recommendation are made on.
  [[nodiscard]] const InstanceList& held_out() const { return test.empty() ? train : test; }
  [[nodiscard]] const InstanceList& of(Stage stage) const {
    return stage == Stage::kHoldOut ? held_out() : train;
  }
  /// The place of an evaluation's instance in `of(key.stage)`, or that of its block. All candidates
  /// of a comparison, and all points that are held out, have the same instance in the same call.
  /// There must be some.
  [[nodiscard]] std::size_t index_of(std::uint64_t seed, const EvaluationKey& key,
                                     std::optional<std::int64_t> block = {}) const;
  /// The instance of an evaluation, nullptr where the study has none.
  [[nodiscard]] const Instance* of(std::uint64_t seed, const EvaluationKey& key,
                                   std::optional<std::int64_t> block = {}) const;
  /// A training or test instance by its name, or nullptr.
  [[nodiscard]] const Instance* find(std::string_view name) const;
};

}  // namespace ntune
