#include "ntune/optim/gaussian/latent_mode.h"

#include <utility>

#include "ntune/optim/dense/dense.h"

namespace ntune {

RootFactor::RootFactor(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& precisions)
    : roots_(precisions.cwiseSqrt()),
      factor_(roots_.asDiagonal() * covariance * roots_.asDiagonal()) {
  factor_.diagonal().array() += 1.0;
  dense::factor(factor_);
}

Eigen::VectorXd RootFactor::solve(const Eigen::VectorXd& vector) const {
  Eigen::VectorXd solved = roots_.cwiseProduct(vector);
  dense::solve(factor_, solved);
  dense::solve_transposed(factor_, solved);
  return roots_.cwiseProduct(solved);
}

Eigen::MatrixXd RootFactor::known(const Eigen::MatrixXd& covariances) const {
  Eigen::MatrixXd known = covariances * roots_.asDiagonal();
  dense::solve_right(known, factor_);
  return known;
}

Eigen::MatrixXd RootFactor::inverse() const {
  Eigen::MatrixXd inverse(factor_.rows(), factor_.cols());
  dense::invert(factor_, inverse);
  return inverse;
}

LatentMode find_mode(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& prior_mean,
                     const Likelihood& likelihood, LatentMode mode, double tolerance) {
  constexpr int kMostSteps = 40;
  constexpr int kHalvings = 10;
  constexpr double kRounding = 1e-6;
  for (int step = 0; step < kMostSteps; ++step) {
    const Sites sites = likelihood.sites(mode.latents);
    mode.factor = RootFactor(covariance, sites.precisions);
    // With b the weights of the sites the next weights are a = b - R B^-1 R K b. The next latent
    // values are K a plus their prior mean.
    Eigen::VectorXd weights = sites.weights - mode.factor.solve(covariance * sites.weights);
    Eigen::VectorXd latents = covariance * weights + prior_mean;
    const auto density = [&] {
      return likelihood.logarithm(latents) - 0.5 * weights.dot(latents - prior_mean);
    };
    // The step is halved until the density does not fall. Latent values are linear in the weights,
    // so both are halved together.
    double reached = density();
    const bool checked = mode.weights.size() > 0;
    for (int half = 0; checked && half < kHalvings && !(reached >= mode.log_density - kRounding);
         ++half) {
      weights = 0.5 * (weights + mode.weights);
      latents = 0.5 * (latents + mode.latents);
      reached = density();
    }
    const double change = (latents - mode.latents).cwiseAbs().maxCoeff();
    mode.weights = std::move(weights);
    mode.latents = std::move(latents);
    mode.log_density = reached;
    if (change <= tolerance) break;
  }
  return mode;
}

}  // namespace ntune
