#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/optim/optimisers.h"

namespace ntune {

/// A point that another program has observed. Values are in the unit of its file.
struct ObservedPoint {
  Point point = {};
  std::int64_t observations = 0;
  double mean = 0.0;      ///< of the observations
  double estimate = 0.0;  ///< by the model that recommends
  /// Posterior mean and its 95 % interval, where a model with standard deviations was fitted.
  std::optional<double> posterior = {};
  std::optional<Interval> interval = {};
};

/// A recommendation from another program's observations.
struct DataRecommendation {
  std::int64_t observations = 0;
  std::size_t points = 0;  ///< without repetitions
  std::string model = {};
  ObservedPoint recommended = {};
  std::vector<ObservedPoint> top = {};  ///< best estimates, the recommended one first
  ObservedPoint best_trial = {};        ///< the point of the first observation with the best payoff
  double best_payoff = 0.0;
  std::int64_t equally_good = 0;  ///< observations with that payoff
  std::int64_t rank_of_best = 0;  ///< rank of that point by the estimates, from 1
};

/// Tells all observations to an optimiser and takes its recommendation among the points observed.
/// Posterior means and intervals are the model's where it has standard deviations, else those of a
/// Gaussian process on the same observations, up to 3,000 points. `points` are those of the
/// observations in the space.
DataRecommendation recommend_from(const ForeignObservations& data, const SearchSpace& space,
                                  const std::vector<Point>& points, const OptimiserPlan& model,
                                  std::size_t top);

}  // namespace ntune
