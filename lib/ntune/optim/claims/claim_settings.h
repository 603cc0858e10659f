#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/claims/value_posterior.h"
#include "ntune/optim/gaussian/point_kernel.h"

namespace ntune {

/// One choice of hyperparameters of the process behind claims.
struct ClaimSetting {
  std::size_t length = 0;                ///< place in the list of length scales
  std::array<double, 3> variances = {};  ///< of single parameters, of pairs, of all together
  double noise = 1.0;                    ///< variance of a payoff that is not a game
  /// Logarithm of a factor, up to a constant. The evidence of any rows times this factor is the
  /// weight that the setting has by these rows.
  double log_weight = 0.0;
};

/// Covariances of some rows by settings, whose parts are worked out once.
class ClaimCovariances {
 public:
  ClaimCovariances(PointKernel& kernel, const ObservedValues& observed);
  [[nodiscard]] Eigen::MatrixXd of(const ClaimSetting& setting) const;

 private:
  std::vector<std::array<Eigen::MatrixXd, 3>> parts_;  ///< by length scale, of variance 1
  double trend_;
};

/// Returns a few settings that stand for all of a grid. The grid has wide priors and is weighted by
/// the evidence of some rows. This follows the nested approximations of Rue, Martino and Chopin
/// (2009), section 3.1. The few are drawn in even steps of the weight.
std::vector<ClaimSetting> likely_settings(PointKernel& kernel, const ObservedValues& observed);

}  // namespace ntune
