#include "ntune/optim/claims/value_posterior.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ntune/core/normal.h"
#include "ntune/optim/dense/dense.h"

namespace ntune {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A smaller curvature of a log likelihood, or precision of a site, is taken for this one.
constexpr double kLeastPrecision = 1e-10;
const double kLogRootTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

/// Logarithm of the normal distribution function, far below 0 by its asymptotic series.
double log_normal_below(double z) {
  constexpr double kFar = -5.0;
  if (z > kFar) return std::log(normal_below(z));
  // The series is phi(z) / -z (1 - 1 / z^2 + 3 / z^4 - 15 / z^6), Abramowitz and Stegun 1964,
  // equation 26.2.12.
  const double inverse = 1.0 / (z * z);
  return -0.5 * z * z - std::log(-z) - kLogRootTwoPi +
         std::log1p(-inverse * (1.0 - inverse * (3.0 - 15.0 * inverse)));
}

/// Returns the normal density divided by the normal distribution function.
double hazard(double z) { return std::exp(-0.5 * z * z - kLogRootTwoPi - log_normal_below(z)); }

/// Some games with one chance of a win: how many, and the share that was won.
struct Games {
  double share = 0.0;
  double count = 0.0;

  [[nodiscard]] double log_likelihood(double latent) const {
    return count * (share * log_normal_below(latent) + (1.0 - share) * log_normal_below(-latent));
  }
};

/// These are the first derivative of a log likelihood by the latent value, and minus the second.
struct Slopes {
  double first = 0.0;
  double curvature = 0.0;
};

Slopes slopes_of(const Games& games, double latent) {
  // With h the hazard, log Phi(x) has the derivatives h and -h (h + x), and log Phi(-x) those with
  // x reversed.
  const double won = hazard(latent);
  const double lost = hazard(-latent);
  const double curvature =
      games.share * won * (won + latent) + (1.0 - games.share) * lost * (lost - latent);
  return {.first = games.count * (games.share * won - (1.0 - games.share) * lost),
          .curvature = std::max(games.count * curvature, kLeastPrecision)};
}

/// What a normal prior of a latent value and its games make together.
struct Moments {
  double log_sum = 0.0;
  double mean = 0.0;
  double variance = 1.0;
};

/// Returns the moments in closed form for a single win or loss (Rasmussen and Williams 2006,
/// equations 3.82 to 3.87).
Moments moments_of_one(bool won, double mean, double variance) {
  const double sign = won ? 1.0 : -1.0;
  const double root = std::sqrt(1.0 + variance);
  const double z = sign * mean / root;
  const double ratio = hazard(z);
  return {.log_sum = log_normal_below(z),
          .mean = mean + sign * variance * ratio / root,
          .variance = variance - variance * variance * ratio * (z + ratio) / (1.0 + variance)};
}

/// Finds the moments by sums over even steps about the mode, which Newton's method finds. For a
/// density this smooth such sums are very exact.
Moments moments_of(const Games& games, double mean, double variance) {
  if (games.count == 1.0 && (games.share == 0.0 || games.share == 1.0)) {
    return moments_of_one(games.share == 1.0, mean, variance);
  }
  constexpr int kMostSteps = 12;
  constexpr double kLongestStep = 3.0;
  constexpr double kEnd = 1e-3;
  constexpr int kFarthest = 12;  // in steps of half a standard deviation
  // Newton's method finds the mode from the prior mean. The log density is concave, and long steps
  // are cut.
  double mode = mean;
  double precision = 0.0;
  for (int i = 0; i < kMostSteps; ++i) {
    const Slopes slopes = slopes_of(games, mode);
    precision = slopes.curvature + 1.0 / variance;
    const double step = (slopes.first - (mode - mean) / variance) / precision;
    mode += std::clamp(step, -kLongestStep, kLongestStep);
    if (std::abs(step) < kEnd) break;
  }
  // Steps are half a standard deviation of the normal approximation, out to six deviations.
  const double stride = 0.5 / std::sqrt(precision);
  const auto log_density = [&](double latent) {
    return games.log_likelihood(latent) - 0.5 * (latent - mean) * (latent - mean) / variance;
  };
  // Densities are relative to that of the mode, so that sums neither overflow nor vanish.
  const double highest = log_density(mode);
  double sum = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (int i = -kFarthest; i <= kFarthest; ++i) {
    const double by = stride * i;
    const double density = std::exp(log_density(mode + by) - highest);
    sum += density;
    first += density * by;
    second += density * by * by;
  }
  first /= sum;
  return {.log_sum = highest + std::log(sum * stride) - kLogRootTwoPi - 0.5 * std::log(variance),
          .mean = mode + first,
          .variance = second / sum - first * first};
}

/// Returns the games of a row.
Games games_at(const ObservedValues& observed, Index row) {
  return {.share = observed.means[row], .count = observed.counts[row]};
}

/// Returns the sites of Laplace's approximation about some latent values: normal factors with the
/// slope and curvature of the likelihood there. Normal payoffs have the same sites everywhere.
Sites sites_about(const ObservedValues& observed, double noise, const VectorXd& latents) {
  if (!observed.games) {
    const VectorXd precisions = observed.counts / noise;
    return {.precisions = precisions, .weights = precisions.cwiseProduct(observed.means)};
  }
  Sites sites{.precisions = VectorXd(observed.size()), .weights = VectorXd(observed.size())};
  for (Index i = 0; i < observed.size(); ++i) {
    const Slopes slopes = slopes_of(games_at(observed, i), latents[i]);
    sites.precisions[i] = slopes.curvature;
    sites.weights[i] = slopes.curvature * latents[i] + slopes.first;
  }
  return sites;
}

/// Returns the log likelihood of all payoffs, up to a constant.
double log_likelihood(const ObservedValues& observed, double noise, const VectorXd& latents) {
  if (!observed.games) {
    const double squares =
        (observed.counts.array() * (observed.means - latents).array().square()).sum();
    return -0.5 * (squares + observed.within) / noise -
           0.5 * observed.counts.sum() * std::log(noise);
  }
  double sum = 0.0;
  for (Index i = 0; i < observed.size(); ++i) {
    sum += games_at(observed, i).log_likelihood(latents[i]);
  }
  return sum;
}

/// Returns the posterior covariance K - known known', which the payoffs leave of K.
MatrixXd left_of(const MatrixXd& covariance, const MatrixXd& known) {
  MatrixXd left = covariance;
  dense::subtract_product(left, known, known);
  return left;
}

/// The logarithm of the evidence (eq. 3.65, 3.73 and 3.74). `others`: what all but a row's own
/// games say of it.
double log_evidence_of(const Sites& sites, const Sites& others, const VectorXd& log_sums,
                       const RootFactor& factor, const ValuePosterior& posterior) {
  const auto own = sites.precisions.array();
  const auto rest = others.precisions.array();
  const Eigen::ArrayXd means = others.weights.array() / rest;
  return log_sums.sum() + 0.5 * (1.0 + own / rest).log().sum() - factor.half_log_determinant() +
         0.5 * sites.weights.dot(posterior.means) +
         0.5 * ((rest * means * (own * means - 2.0 * sites.weights.array()) -
                 sites.weights.array().square()) /
                (rest + own))
                   .sum();
}

/// Does expectation propagation, all sites at once (Rasmussen and Williams 2006, section 3.6). Each
/// sweep takes a site out, matches moments with the exact likelihood, and puts it back damped.
ValuePosterior propagate(const ObservedValues& observed, const MatrixXd& covariance, Sites sites) {
  constexpr int kMostSweeps = 12;
  constexpr double kKept = 0.15;  // share of the sites before
  constexpr double kEnd = 0.03;
  const Index rows = observed.size();
  ValuePosterior posterior;
  for (int sweep = 1;; ++sweep) {
    // The posterior by the present sites has the covariance K - K (K + 1 / precisions)^-1 K.
    const RootFactor factor(covariance, sites.precisions);
    const MatrixXd known = factor.known(covariance);
    posterior.means = covariance * sites.weights;
    posterior.means.noalias() -= known * (known.transpose() * sites.weights);
    const VectorXd variances = covariance.diagonal() - known.rowwise().squaredNorm();
    // The cavity of each row is the posterior less its own site (equation 3.56).
    Sites others;
    others.precisions = (variances.cwiseInverse() - sites.precisions).cwiseMax(kLeastPrecision);
    others.weights = posterior.means.cwiseQuotient(variances) - sites.weights;
    Sites next{.precisions = VectorXd(rows), .weights = VectorXd(rows)};
    VectorXd log_sums(rows);
    for (Index i = 0; i < rows; ++i) {
      const double precision = others.precisions[i];
      const Moments moments =
          moments_of(games_at(observed, i), others.weights[i] / precision, 1.0 / precision);
      // The new site is what makes the cavity's product with it have the moments of the exact one
      // (equation 3.59).
      const double variance = std::max(moments.variance, kLeastPrecision);
      log_sums[i] = moments.log_sum;
      next.precisions[i] = std::max(1.0 / variance - precision, kLeastPrecision);
      next.weights[i] = moments.mean / variance - others.weights[i];
    }
    posterior.log_evidence = log_evidence_of(sites, others, log_sums, factor, posterior);
    // `change` is roughly how far the means move: the change of a site over the posterior
    // precision.
    const double change = ((next.weights - sites.weights).array().abs() /
                           (sites.precisions + others.precisions).array())
                              .maxCoeff();
    if (change < kEnd || sweep == kMostSweeps) {
      posterior.covariance = left_of(covariance, known);
      return posterior;
    }
    // Damping keeps sweeps of all sites at once from swinging to and fro.
    sites.precisions = kKept * sites.precisions + (1.0 - kKept) * next.precisions;
    sites.weights = kKept * sites.weights + (1.0 - kKept) * next.weights;
  }
}

}  // namespace

ObservedValues ObservedValues::rows(const std::vector<Index>& rows) const {
  ObservedValues part;
  part.games = games;
  part.lowest = lowest;
  part.highest = highest;
  part.codes = codes(rows, Eigen::all);
  part.means = means(rows);
  part.counts = counts(rows);
  part.within = within * part.counts.sum() / counts.sum();
  return part;
}

double value_of_latent(const ObservedValues& observed, double latent) {
  return observed.games ? normal_below(latent)
                        : std::clamp(latent, observed.lowest, observed.highest);
}

double ValuePosterior::sd(Index row) const {
  return std::sqrt(std::max(covariance(row, row), 0.0));
}

LatentMode find_mode(const ObservedValues& observed, double noise, const MatrixXd& covariance,
                     const VectorXd& start, double tolerance) {
  const Likelihood likelihood = {
      .sites = [&](const VectorXd& latents) { return sites_about(observed, noise, latents); },
      .logarithm =
          [&](const VectorXd& latents) { return log_likelihood(observed, noise, latents); }};
  // Normal noise needs one step, which is exact.
  return find_mode(covariance, VectorXd::Zero(observed.size()), likelihood, {.latents = start},
                   observed.games ? tolerance : std::numeric_limits<double>::infinity());
}

ValuePosterior find_posterior(const ObservedValues& observed, double noise,
                              const MatrixXd& covariance, const LatentMode& mode) {
  if (observed.games) {
    return propagate(observed, covariance, sites_about(observed, noise, mode.latents));
  }
  return {.means = mode.latents,
          .covariance = left_of(covariance, mode.factor.known(covariance)),
          .log_evidence = mode.log_evidence()};
}

}  // namespace ntune
