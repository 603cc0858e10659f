#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// What a search has learned of one of several goals. Payoffs are on the scale of the goal.
class GoalModel {
 public:
  virtual ~GoalModel() = default;

  virtual void tell(const Point& point, double payoff) = 0;
  virtual void pending(const Point& point, bool is_in_flight) = 0;
  /// Whether there was enough to learn from.
  [[nodiscard]] virtual bool is_ready() const = 0;
  /// Brings the model up to date with what was told and marked.
  virtual void update() = 0;
  /// Points that were told or marked, in their order.
  [[nodiscard]] virtual const SampledPoints& points() const = 0;
  /// What each of these points is worth.
  [[nodiscard]] virtual std::vector<double> means() const = 0;
  /// What any points are worth, and how unsure that is.
  [[nodiscard]] virtual std::vector<Belief> beliefs(std::span<const Point> points) const = 0;
};

/// A Gaussian process.
std::unique_ptr<GoalModel> make_gaussian_goal(const OptimiserContext& context,
                                              const SearchedGoal& goal);
/// NTBEA's model: a look-up for every tuple, whatever the number of payoffs is.
std::unique_ptr<GoalModel> make_n_tuple_goal(const OptimiserContext& context);

}  // namespace ntune
