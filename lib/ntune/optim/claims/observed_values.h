#pragma once

#include <limits>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/gaussian/point_kernel.h"

namespace ntune {

/// The payoffs of a search by distinct point, a row for each.
struct ObservedValues {
  PointKernel::Codes codes;
  Eigen::VectorXd
      means;  ///< of the payoffs: of games shares of what can be won, else of variance 1
  Eigen::VectorXd counts;  ///< payoffs in each mean, > 0
  double within = 0.0;     ///< sum of squared deviations of all payoffs from their point's mean
  /// The payoffs are wins, draws and losses.
  bool games = false;
  /// Bounds of what a point is worth, where payoffs are no games.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();

  [[nodiscard]] Eigen::Index size() const { return means.size(); }
  /// Returns these rows alone. They get the share of `within` that they have of the payoffs.
  [[nodiscard]] ObservedValues rows(const std::vector<Eigen::Index>& rows) const;
};

}  // namespace ntune
