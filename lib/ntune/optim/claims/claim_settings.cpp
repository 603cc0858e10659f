#include "ntune/optim/claims/claim_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ntune/optim/claims/value_posterior.h"

namespace ntune {

namespace {

using Eigen::Index;

// The priors were chosen on landscapes that are not the arena's
// (benchmarks/results/calibration.md).

/// These are the length scales of the grid, as shares of a parameter's range, and their prior
/// probabilities.
constexpr std::array kLengths = {0.13, 0.27, 0.55, 1.2};
constexpr std::array kLengthPrior = {0.15, 0.25, 0.3, 0.3};
/// Shares of the variance that are of single parameters, of pairs, and of all together.
constexpr std::array<std::array<double, 3>, 5> kShares = {
    {{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}, {0.34, 0.33, 0.33}, {0.45, 0.45, 0.1}}};
/// The logarithm of the variance less that of the centre has Student's distribution with three
/// degrees of freedom, in steps.
constexpr int kLowestLevel = -4;
constexpr int kHighestLevel = 3;
constexpr double kLevel = 0.9;
constexpr double kLevelScale = 0.8;
constexpr std::array kNoises = {0.4, 0.7, 1.0, 1.5, 2.5};  ///< times the likeliest
/// The variance of a payoff that is not a game is lognormal about this share of all variance. Where
/// no point has two payoffs, nothing else tells noise from a rough landscape.
constexpr double kNoise = 0.4;

/// Variances of the latent values about their common mean, and of this mean.
struct Centre {
  double variance;
  double trend;
};
constexpr Centre kOfGames = {0.55, 2.0};
constexpr Centre kOfOthers = {0.6, 2.0};

const Centre& centre_of(const ObservedValues& observed) {
  return observed.games ? kOfGames : kOfOthers;
}

/// Returns the setting of a length and of shares, both by their places in the lists. The logarithm
/// of the variance is less that of the centre.
ClaimSetting setting_of(const ObservedValues& observed, std::size_t length, std::size_t shares,
                        double log_variance) {
  const double variance = centre_of(observed).variance * std::exp(log_variance);
  ClaimSetting setting{.length = length};
  for (std::size_t i = 0; i < 3; ++i) setting.variances[i] = variance * kShares[shares][i];
  const double z = log_variance / kLevelScale;
  // Student's density with three degrees of freedom is as (1 + z^2 / 3)^-2.
  setting.log_weight = std::log(kLengthPrior[length]) - 2.0 * std::log1p(z * z / 3.0);
  return setting;
}

/// Returns the logarithm of the prior density of a noise, up to a constant: log noise has a
/// standard deviation of 1.
double log_noise_prior(double noise) {
  const double z = std::log(noise / kNoise);
  return -0.5 * z * z;
}

/// Rows evenly over all, at most so many.
ObservedValues some_rows(const ObservedValues& observed, Index most) {
  const Index used = std::min(observed.size(), most);
  std::vector<Index> rows;
  for (Index i = 0; i < used; ++i) rows.push_back(i * observed.size() / used);
  return observed.rows(rows);
}

/// The likeliest variance of a payoff that is not a game.
double likeliest_noise(PointKernel& kernel, const ObservedValues& observed) {
  constexpr Index kRows = 96;
  constexpr double kLeast = 0.008;  // of the variance of the payoffs
  constexpr double kMost = 1.6;
  constexpr double kStep = 1.8;
  constexpr double kSmallVariance = -0.5;
  constexpr double kLargeVariance = 0.7;
  const ObservedValues some = some_rows(observed, kRows);
  const ClaimCovariances covariances(kernel, some);
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(some.size());
  double likeliest = kLeast;
  double highest = -std::numeric_limits<double>::infinity();
  // A coarse grid finds the likeliest noise, which centres the fine one: middle lengths, mostly
  // pairs or mostly the d-tuple, and two variances.
  for (const std::size_t length : {1U, 2U}) {
    for (const std::size_t shares : {1U, 2U}) {
      for (const double log_variance : {kSmallVariance, kLargeVariance}) {
        const Eigen::MatrixXd covariance =
            covariances.of(setting_of(some, length, shares, log_variance));
        for (double noise = kLeast; noise < kMost; noise *= kStep) {
          const LatentMode mode = find_mode(some, noise, covariance, start, 1.0);
          const double weight = log_noise_prior(noise) + mode.log_evidence();
          if (weight > highest) {
            highest = weight;
            likeliest = noise;
          }
        }
      }
    }
  }
  return likeliest;
}

/// Returns the whole grid: lengths, shares and levels of variance, and for payoffs that are no
/// games five noises about the likeliest.
std::vector<ClaimSetting> all_settings(PointKernel& kernel, const ObservedValues& observed) {
  const double noise = observed.games ? 1.0 : likeliest_noise(kernel, observed);
  std::vector<ClaimSetting> settings;
  for (std::size_t length = 0; length < kLengths.size(); ++length) {
    for (std::size_t shares = 0; shares < kShares.size(); ++shares) {
      for (int level = kLowestLevel; level <= kHighestLevel; ++level) {
        const ClaimSetting setting = setting_of(observed, length, shares, kLevel * level);
        if (observed.games) {
          settings.push_back(setting);
          continue;
        }
        for (const double factor : kNoises) {
          settings.push_back(setting);
          settings.back().noise = factor * noise;
          settings.back().log_weight += log_noise_prior(factor * noise);
        }
      }
    }
  }
  return settings;
}

}  // namespace

ClaimCovariances::ClaimCovariances(PointKernel& kernel, const ObservedValues& observed)
    : parts_(kLengths.size()), trend_(centre_of(observed).trend) {
  constexpr double kNone = -1e3;  // logarithm of a variance of 0
  for (std::size_t length = 0; length < kLengths.size(); ++length) {
    for (std::size_t part = 0; part < 3; ++part) {
      KernelParameters parameters{
          .log_lengths = Eigen::VectorXd::Constant(kernel.axes(), std::log(kLengths[length])),
          .log_variances = Eigen::Vector3d::Constant(kNone)};
      parameters.log_variances[static_cast<Index>(part)] = 0.0;
      kernel.set(parameters);
      Eigen::MatrixXd& matrix = parts_[length][part];
      matrix.resize(observed.size(), observed.size());
      kernel.covariances(observed.codes, observed.codes, matrix);
    }
  }
}

Eigen::MatrixXd ClaimCovariances::of(const ClaimSetting& setting) const {
  constexpr double kJitter = 1e-8;
  const auto& parts = parts_[setting.length];
  const auto& variances = setting.variances;
  Eigen::MatrixXd covariance =
      variances[0] * parts[0] + variances[1] * parts[1] + variances[2] * parts[2];
  // A constant of unknown size is common to all points. The jitter lets equal rows be told apart.
  covariance.array() += trend_;
  covariance.diagonal().array() += kJitter;
  return covariance;
}

std::vector<ClaimSetting> likely_settings(PointKernel& kernel, const ObservedValues& observed) {
  constexpr Index kRows = 128;
  constexpr double kTolerance = 0.05;
  constexpr double kDrawn = 8.0;
  // The evidence of a few rows under every setting weighs the whole grid.
  const ObservedValues some = some_rows(observed, kRows);
  const ClaimCovariances covariances(kernel, some);
  const std::vector<ClaimSetting> settings = all_settings(kernel, observed);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(some.size());
  std::vector<double> weights;
  double highest = -std::numeric_limits<double>::infinity();
  for (const ClaimSetting& setting : settings) {
    const LatentMode mode =
        find_mode(some, setting.noise, covariances.of(setting), start, kTolerance);
    // Neighbours in the grid have similar modes, so each search starts from the last one.
    start = mode.latents;
    weights.push_back(setting.log_weight + mode.log_evidence());
    highest = std::max(highest, weights.back());
  }
  double sum = 0.0;
  for (double& weight : weights) sum += weight = std::exp(weight - highest);
  std::vector<ClaimSetting> drawn;
  double before = 0.0;
  // This is systematic sampling with marks at 0.5, 1.5, … up to 8. A setting is drawn as often as
  // marks fall into its share. Its log weight makes up for a share that was rounded up or down.
  double next = 0.5;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const double share = kDrawn * weights[i] / sum;
    before += share;
    if (next >= before) continue;
    const double times = std::ceil(before - next);
    next += times;
    drawn.push_back(settings[i]);
    drawn.back().log_weight += std::log(times / share);
  }
  return drawn;
}

}  // namespace ntune
