#pragma once

#include <Eigen/Core>

#include "ntune/optim/claims/observed_values.h"
#include "ntune/optim/gaussian/latent_mode.h"

namespace ntune {

// The posterior of the values at observed points under a Gaussian process with a given prior
// covariance. Of games a value is the chance of a win, by the normal distribution function of a
// latent value: the probit link. Of other payoffs latent values are values, with normal noise.

/// The value for a latent one.
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
