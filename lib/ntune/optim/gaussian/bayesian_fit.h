#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/gaussian/gaussian_process.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// What the likelihood needs of the payoffs: a row per distinct point.
struct BayesianData {
  PointKernel::Codes codes;  ///< rows x axes
  Eigen::VectorXd means;
  Eigen::VectorXd counts;  ///< payoffs in each mean, >= 1
  double within = 0.0;     ///< sum of squared deviations of all payoffs from their point's mean
  /// The payoffs have few values, as games won, drawn or lost. They are mostly noise, so that the
  /// priors are narrow.
  bool coarse = false;
};

/// The points with payoffs that a fit uses, by their indices: all of them, or `most` evenly over
/// the run.
std::vector<Eigen::Index> told_rows(const SampledPoints& points, std::size_t most);
/// What a fit needs of these rows, whose means are standardised by `unit`.
BayesianData data_of(std::span<const Eigen::Index> rows, const SampledPoints& points,
                     const PointKernel::Codes& codes, const Eigen::VectorXd& means, double unit);

/// Log posterior density of the hyperparameters up to a constant: the marginal likelihood of all
/// payoffs (Rasmussen and Williams 2006, eq. 5.8 and 5.9) and normal priors on the logarithms.
/// The trend is the generalised least-squares mean.
struct BayesianFit {
  double value = 0.0;
  double trend = 0.0;
  Eigen::VectorXd slope;  ///< of value, by log_lengths, log_variances, log_noise
};
BayesianFit rate_parameters(PointKernel& kernel, const BayesianData& data,
                            const BayesianParameters& parameters);

/// The centre of the priors, for payoffs whose unit is 1.
BayesianParameters usual_parameters(Eigen::Index axes);

/// The best parameters of a fit, and the value of BayesianFit there.
struct FittedParameters {
  BayesianParameters parameters;
  double value = 0.0;
};
/// Climbs from `start` by so many steps of Rprop, and returns the best parameters seen. O(steps *
/// rows^3).
FittedParameters fit_parameters(PointKernel kernel, const BayesianData& data,
                                const BayesianParameters& start, int steps);

}  // namespace ntune
