#pragma once

#include <vector>

#include <Eigen/Core>

#include "ntune/optim/bayesian/point_kernel.h"

namespace ntune {

/// What is known of the points of a search, of the first of which something is to be claimed.
struct ClaimData {
  PointKernel::Codes codes;  ///< a row per distinct point with payoffs
  Eigen::VectorXd means;     ///< of the payoffs; with `shares` from 0 to 1, else of unit variance
  Eigen::VectorXd counts;    ///< payoffs in each mean, >= 1
  double within = 0.0;       ///< sum of squared deviations of all payoffs from their point's mean
  double noise = 1.0;        ///< variance of a payoff about its mean, roughly
  /// The payoffs are wins, draws and losses: the means are shares of what can be won.
  bool shares = false;
  Eigen::Index first = 1;  ///< the rows with claims; row 0 is compared with the others
};

/// What the data say of a row's value, in the unit of the means.
struct ValueClaim {
  double mean = 0.0;
  double sd = 0.0;
  double low = 0.0;  ///< 95 % lie between low and high
  double high = 0.0;
};
struct ValueClaims {
  std::vector<ValueClaim> rows;   ///< the first ones, up to 400
  double best_probability = 1.0;  ///< that none of them is better than row 0
  double regret = 0.0;            ///< expected lead of the best of them over row 0
};

/// The claims of a Gaussian process that is integrated over its hyperparameters: a grid of them,
/// weighted by marginal likelihood and wide priors. A search has narrow priors, which let it look
/// further than a true belief would, and one fit. Shares have a logistic link and Laplace's
/// approximation (Rasmussen and Williams 2006, algorithms 3.1 and 3.2; the integration as in Rue,
/// Martino and Chopin 2009). Deterministic. O(rows^3) for each of a few hyperparameters, at most
/// 400 rows.
ValueClaims claim_values(PointKernel kernel, const ClaimData& data);

}  // namespace ntune
