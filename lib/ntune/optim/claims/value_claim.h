#pragma once

#include <vector>

#include "ntune/optim/claims/value_posterior.h"
#include "ntune/optim/gaussian/point_kernel.h"

namespace ntune {

/// What payoffs say of a row's value, in the unit of the means.
struct ValueClaim {
  double mean = 0.0;
  double sd = 0.0;
  double low = 0.0;  ///< 95 % lie between low and high
  double high = 0.0;
};
struct ValueClaims {
  std::vector<ValueClaim> rows;   ///< the first ones
  double best_probability = 1.0;  ///< that no other row is better than row 0
  double regret = 0.0;            ///< expected lead of the best row over row 0
};

/// Claims of the first rows, up to 400, by a Gaussian process that is integrated over its
/// hyperparameters (claim_settings.h). As a posterior it needs no correction for what the largest
/// of many estimates owes to chance. A search has narrow priors, which let it look further than a
/// true belief would, and one fit. Of games an interval is never surer than all of them together
/// can make it: the prior alone says nothing of rates near 0 and 1. Deterministic. O(rows^3) for a
/// few settings, of the first rows and those most like row 0, 400 in all.
ValueClaims claim_values(PointKernel kernel, const ObservedValues& observed, Eigen::Index first);

}  // namespace ntune
