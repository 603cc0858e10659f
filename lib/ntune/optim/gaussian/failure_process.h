#pragma once

#include <unordered_map>

#include "ntune/optim/gaussian/gaussian_process.h"

namespace ntune {

/// The probability to fail as a smooth function of the parameters: a Gaussian process of 1 for a
/// failure and 0 for a success, with the covariance of NTBEA's tuples. Where neighbours crash
/// together it learns from few failures what counts of values and pairs do not see. Its
/// hyperparameters are fixed. It learns from the first 2,000 points.
class FailureProcess {
 public:
  explicit FailureProcess(const SearchSpace& space);

  /// Adds failed and successful evaluations of a point, each >= 0 and together above 0.
  /// O(points^2).
  void add(const Point& point, double failures, double successes);
  /// Whether anything has been added of a point.
  [[nodiscard]] bool knows(const Point& point) const { return counts_.contains(point); }
  /// Probability to fail, within (0, 1). O(points), after a change O(points^2).
  [[nodiscard]] double rate(const Point& point);

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
