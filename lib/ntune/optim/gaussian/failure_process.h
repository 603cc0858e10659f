#pragma once

#include <unordered_map>

#include "ntune/optim/base/failures.h"
#include "ntune/optim/gaussian/gaussian_process.h"

namespace ntune {

/// The probability to fail as a smooth function of the parameters: a Gaussian process of 1 for a
/// failure and 0 for a success, with the covariance of NTBEA's tuples. Where neighbours crash
/// together it learns from few failures what counts of values and pairs do not see. Its
/// hyperparameters are fixed. It learns from the first 2,000 points.
class FailureProcess final : public SmoothFailures {
 public:
  explicit FailureProcess(const SearchSpace& space);

  /// O(points^2).
  void add(const Point& point, double failures, double successes) override;
  [[nodiscard]] bool knows(const Point& point) const override { return counts_.contains(point); }
  /// O(points), after a change O(points^2).
  [[nodiscard]] double rate(const Point& point) override;

 private:
  struct Counts {
    Eigen::Index row = 0;
    double failures = 0.0;
    double visits = 0.0;
  };

  GaussianProcess process_;
  std::unordered_map<Point, Counts> counts_;
  bool unsolved_ = false;
};

}  // namespace ntune
