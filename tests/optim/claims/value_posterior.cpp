#include "ntune/optim/claims/value_posterior.h"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "catch.h"

namespace ntune {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double chance(double latent) { return 0.5 * std::erfc(-latent / std::numbers::sqrt2); }

/// Some rows of games, by the shares that were won.
ObservedValues games(const VectorXd& shares, const VectorXd& counts) {
  ObservedValues observed;
  observed.codes = PointKernel::Codes::Zero(shares.size(), 1);
  observed.means = shares;
  observed.counts = counts;
  observed.games = true;
  return observed;
}

ValuePosterior posterior_of(const ObservedValues& observed, double noise,
                            const MatrixXd& covariance) {
  const LatentMode mode =
      find_mode(observed, noise, covariance, VectorXd::Zero(observed.size()), 1e-6);
  return find_posterior(observed, noise, covariance, mode);
}

/// Evidence, mean and variance of the first of two latent values, by sums over a grid.
struct Integrals {
  double evidence = 0.0;
  double mean = 0.0;
  double variance = 0.0;
};

Integrals integrate(const ObservedValues& observed, const MatrixXd& covariance) {
  constexpr double kFar = 12.0;
  constexpr double kStep = 0.04;
  const MatrixXd inverse = covariance.inverse();
  const double scale =
      kStep * kStep / (2.0 * std::numbers::pi * std::sqrt(covariance.determinant()));
  Integrals sums;
  for (double x = -kFar; x <= kFar; x += kStep) {
    for (double y = -kFar; y <= kFar; y += kStep) {
      const Eigen::Vector2d latents(x, y);
      double density = scale * std::exp(-0.5 * latents.dot(inverse * latents));
      for (int i = 0; i < 2; ++i) {
        const double wins = observed.counts[i] * observed.means[i];
        density *= std::pow(chance(latents[i]), wins) *
                   std::pow(chance(-latents[i]), observed.counts[i] - wins);
      }
      sums.evidence += density;
      sums.mean += density * x;
      sums.variance += density * x * x;
    }
  }
  sums.mean /= sums.evidence;
  sums.variance = sums.variance / sums.evidence - sums.mean * sums.mean;
  return sums;
}

}  // namespace

TEST_CASE("the posterior of games is that of an integral over a grid") {
  const MatrixXd covariance{{3.0, 2.0}, {2.0, 2.5}};
  struct Case {
    Eigen::Vector2d shares;
    Eigen::Vector2d counts;
  };
  for (const auto& [shares, counts] :
       {Case{{1.0, 0.0}, {1.0, 1.0}}, Case{{1.0, 1.0}, {1.0, 1.0}}, Case{{1.0, 1.0}, {1.0, 30.0}},
        Case{{0.75, 0.5}, {4.0, 9.0}}, Case{{0.5, 0.9}, {1.5, 200.0}}}) {
    CAPTURE(shares, counts);
    const ObservedValues observed = games(shares, counts);
    const ValuePosterior posterior = posterior_of(observed, 1.0, covariance);
    const Integrals exact = integrate(observed, covariance);
    // The sweeps end some hundredths of a standard deviation before they have settled.
    CHECK(posterior.means[0] == Approx(exact.mean).margin(0.05 * std::sqrt(exact.variance) + 0.02));
    CHECK(posterior.covariance(0, 0) == Approx(exact.variance).epsilon(0.08));
    CHECK(posterior.log_evidence == Approx(std::log(exact.evidence)).margin(0.02));
  }
}

TEST_CASE("the posterior of normal payoffs is that of dense linear algebra") {
  const MatrixXd covariance{{1.0, 0.6, 0.2}, {0.6, 1.5, 0.4}, {0.2, 0.4, 0.8}};
  ObservedValues observed;
  observed.codes = PointKernel::Codes::Zero(3, 1);
  observed.means = Eigen::Vector3d(0.3, -1.0, 2.0);
  observed.counts = Eigen::Vector3d(1.0, 4.0, 2.0);
  observed.within = 1.7;
  const double noise = 0.5;
  const ValuePosterior posterior = posterior_of(observed, noise, covariance);

  MatrixXd noisy = covariance;
  noisy.diagonal() += noise * observed.counts.cwiseInverse();
  const VectorXd means = covariance * noisy.inverse() * observed.means;
  const MatrixXd left = covariance - covariance * noisy.inverse() * covariance;
  for (int i = 0; i < 3; ++i) {
    CHECK(posterior.means[i] == Approx(means[i]));
    CHECK(posterior.sd(i) == Approx(std::sqrt(left(i, i))));
  }
  // Up to what does not depend on the covariance: seven payoffs, three of them the means.
  const auto evidence = [&](const MatrixXd& matrix) {
    return -0.5 * observed.means.dot(matrix.inverse() * observed.means) -
           0.5 * std::log(matrix.determinant());
  };
  const MatrixXd half = 0.5 * covariance;
  MatrixXd half_noisy = half;
  half_noisy.diagonal() += noise * observed.counts.cwiseInverse();
  CHECK(posterior.log_evidence - posterior_of(observed, noise, half).log_evidence ==
        Approx(evidence(noisy) - evidence(half_noisy)));
}

TEST_CASE("of very many games the chance of a loss is their share, however small") {
  const MatrixXd covariance{{100.0}};
  for (const double share : {1e-3, 1e-6, 1e-7, 1e-8, 1e-10}) {
    CAPTURE(share);
    const ObservedValues observed =
        games(VectorXd::Constant(1, share), VectorXd::Constant(1, 1e4 / share));
    const LatentMode mode = find_mode(observed, 1.0, covariance, VectorXd::Constant(1, -3.0), 1e-9);
    CHECK(chance(mode.latents[0]) == Approx(share).epsilon(1e-3));
  }
}

}  // namespace ntune
