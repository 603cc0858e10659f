#pragma once

#include <limits>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/gaussian/latent_mode.h"
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

// The posterior of the values at observed points under a Gaussian process with a given prior
// covariance. Of games a value is the chance of a win, by the normal distribution function of a
// latent value: the probit link. Of other payoffs latent values are values, with normal noise.

double value_of_latent(const ObservedValues& observed, double latent);

/// The most likely latent values, by Newton's steps from `start` until none is longer than
/// `tolerance`. Exact for normal noise. `noise`: variance of a payoff that is not a game. O(rows^3)
/// a step.
LatentMode find_mode(const ObservedValues& observed, double noise,
                     const Eigen::MatrixXd& covariance, const Eigen::VectorXd& start,
                     double tolerance);

/// A normal approximation of the latent values.
struct ValuePosterior {
  Eigen::VectorXd means;
  Eigen::MatrixXd covariance;
  double log_evidence = 0.0;

  [[nodiscard]] double sd(Eigen::Index row) const;
};

/// Exact for normal noise. For games expectation propagation (algorithms 3.5 and 3.6, all sites at
/// once), from the mode on. For single wins and losses Laplace's approximation is too cautious, and
/// this one nearly exact (Kuss and Rasmussen 2005).
ValuePosterior find_posterior(const ObservedValues& observed, double noise,
                              const Eigen::MatrixXd& covariance, const LatentMode& mode);

}  // namespace ntune
