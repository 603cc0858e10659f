#include "ntune/optim/claims/value_claim.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ntune/core/normal.h"
#include "ntune/core/rng.h"
#include "ntune/optim/claims/claim_settings.h"
#include "ntune/optim/claims/value_posterior.h"
#include "ntune/optim/gaussian/joint_draws.h"

namespace ntune {

namespace {

using Eigen::Index;

constexpr double kTail = 0.025;  ///< beyond either end of an interval
/// Rows that the claims stand on.
constexpr Index kMostClaimRows = 400;

/// A posterior by one setting, and the share of all that it has.
struct Component {
  double weight = 0.0;
  ValuePosterior posterior;
};

/// The first rows, then those that have most in common with row 0, up to kMostClaimRows.
std::vector<Index> claiming_rows(PointKernel& kernel, const ObservedValues& observed, Index first) {
  // A kernel of half the range and equal variances tells which rows have most in common with row 0.
  const double length = std::log(0.5);
  std::vector<Index> rows(static_cast<std::size_t>(observed.size()));
  std::iota(rows.begin(), rows.end(), 0);
  if (observed.size() <= kMostClaimRows) return rows;
  kernel.set({.log_lengths = Eigen::VectorXd::Constant(kernel.axes(), length)});
  Eigen::MatrixXd alike(observed.size(), 1);
  kernel.covariances(observed.codes, observed.codes.topRows(1), alike);
  std::ranges::stable_sort(rows.begin() + first, rows.end(), std::greater(),
                           [&](Index row) { return alike(row, 0); });
  rows.resize(static_cast<std::size_t>(kMostClaimRows));
  return rows;
}

/// Returns the posteriors of `part` by some likely settings. Their weights sum to 1.
std::vector<Component> components_of(PointKernel& kernel, const ObservedValues& observed,
                                     const ObservedValues& part) {
  constexpr double kTolerance = 0.02;
  const std::vector<ClaimSetting> settings = likely_settings(kernel, observed);
  const ClaimCovariances covariances(kernel, part);
  std::vector<Component> components;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(part.size());
  double highest = -std::numeric_limits<double>::infinity();
  for (const ClaimSetting& setting : settings) {
    const Eigen::MatrixXd covariance = covariances.of(setting);
    const LatentMode mode = find_mode(part, setting.noise, covariance, start, kTolerance);
    start = mode.latents;
    Component component{.posterior = find_posterior(part, setting.noise, covariance, mode)};
    // The setting's weight takes out the evidence of the rows that drew it, as log_weight says;
    // here the evidence of `part` counts.
    component.weight = setting.log_weight + component.posterior.log_evidence;
    highest = std::max(highest, component.weight);
    components.push_back(std::move(component));
  }
  double sum = 0.0;
  for (Component& component : components) {
    sum += component.weight = std::exp(component.weight - highest);
  }
  for (Component& component : components) component.weight /= sum;
  return components;
}

/// The least upper end of an interval of games: that of as many games as there are at all points
/// together, had all been lost (Clopper and Pearson 1934).
double least_high(const ObservedValues& all) {
  return 1.0 - std::pow(kTail, 1.0 / all.counts.sum());
}

/// Returns the claim of one row by the mixture of all components. Quantiles of latent values are
/// mapped to values. Moments are averages over 41 quantiles of each component.
ValueClaim claim_of(const ObservedValues& observed, const std::vector<Component>& components,
                    Index row) {
  constexpr int kValues = 41;
  constexpr double kMany = 30.0;
  NormalMixture latent;
  for (const auto& [weight, posterior] : components) {
    latent.parts.push_back({weight, posterior.means[row], posterior.sd(row)});
  }
  ValueClaim claim{.low = value_of_latent(observed, latent.quantile(kTail)),
                   .high = value_of_latent(observed, latent.quantile(1.0 - kTail))};
  // A player that has won every game may be one that never loses (Brown, Cai and DasGupta 2001,
  // section 4.1.1, on Jeffreys' interval). Of few games the neighbours say more.
  if (observed.games && observed.counts[row] >= kMany) {
    if (observed.means[row] >= 1.0) claim.high = 1.0;
    if (observed.means[row] <= 0.0) claim.low = 0.0;
  }
  double squares = 0.0;
  for (const auto& [weight, mean, sd] : latent.parts) {
    for (int i = 0; i < kValues; ++i) {
      const double z = normal_quantile((i + 0.5) / kValues);
      const double value = value_of_latent(observed, mean + sd * z);
      claim.mean += weight / kValues * value;
      squares += weight / kValues * value * value;
    }
  }
  claim.sd = std::sqrt(std::max(0.0, squares - claim.mean * claim.mean));
  return claim;
}

/// Returns row 0 and up to 99 others, those of the highest mean plus 1.5 standard deviations.
std::vector<Index> rivals(const std::vector<Component>& components) {
  constexpr std::size_t kMost = 100;
  constexpr double kDeviations = 1.5;
  const Index rows = components.front().posterior.means.size();
  Eigen::VectorXd hope = Eigen::VectorXd::Zero(rows);
  for (const auto& [weight, posterior] : components) {
    hope += weight * (posterior.means +
                      kDeviations * posterior.covariance.diagonal().cwiseMax(0.0).cwiseSqrt());
  }
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order.begin() + 1, order.end(), std::greater(),
                           [&](Index row) { return hope[row]; });
  order.resize(std::min(order.size(), kMost));
  return order;
}

/// Sets `best_probability` and `regret` by draws from the joint posterior, as many from each
/// component as its weight says. The stream is fixed, so that claims are the same every time.
void compare_with_first(const ObservedValues& observed, const std::vector<Component>& components,
                        ValueClaims& claims) {
  constexpr double kDraws = 1000.0;
  const std::vector<Index> compared = rivals(components);
  Rng rng = Rng(0).stream("claim");
  double wins = 0.0;
  double lead = 0.0;
  double all = 0.0;
  for (const auto& [weight, posterior] : components) {
    const auto draws = static_cast<int>(std::lround(kDraws * weight));
    if (draws == 0) continue;
    const JointDraws joint(posterior.means(compared), posterior.covariance(compared, compared));
    for (int i = 0; i < draws; ++i) {
      const Eigen::VectorXd draw = joint.draw(rng);
      Index best = 0;
      const double highest = draw.maxCoeff(&best);
      wins += best == 0 ? 1.0 : 0.0;
      lead += value_of_latent(observed, highest) - value_of_latent(observed, draw[0]);
      all += 1.0;
    }
  }
  claims.best_probability = wins / all;
  claims.regret = lead / all;
}

}  // namespace

ValueClaims claim_values(PointKernel kernel, const ObservedValues& observed, Index first) {
  const ObservedValues part = observed.rows(claiming_rows(kernel, observed, first));
  const std::vector<Component> components = components_of(kernel, observed, part);
  ValueClaims claims;
  for (Index row = 0; row < std::min(first, part.size()); ++row) {
    claims.rows.push_back(claim_of(part, components, row));
    if (!observed.games) continue;
    const double least = least_high(observed);
    claims.rows.back().high = std::max(claims.rows.back().high, least);
    claims.rows.back().low = std::min(claims.rows.back().low, 1.0 - least);
  }
  compare_with_first(part, components, claims);
  return claims;
}

}  // namespace ntune
