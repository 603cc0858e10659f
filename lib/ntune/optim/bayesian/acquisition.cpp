#include "ntune/optim/bayesian/acquisition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "ntune/core/normal.h"
#include "ntune/optim/gaussian/joint_draws.h"

namespace ntune {

namespace {

/// Returns the expected excess of a normal X of mean 0 over a height, E max(X - height, 0). It is
/// sd (phi(z) - z Phi(-z)) with z = height / sd.
double gain_above(double height, double sd) {
  const double z = height / sd;
  return sd * (normal_density(z) - z * normal_below(-z));
}

}  // namespace

/// The four candidates that can reach highest are rated first. The variances of the others are
/// worked out only as far as they can still pass the best of these.
std::size_t choose_by_bound(const Posterior& posterior, double k) {
  constexpr std::size_t kFirst = 4;
  const Eigen::VectorXd& means = posterior.means();
  const Eigen::VectorXd reach = means.array() + k * posterior.variance_bounds().array().sqrt();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(means.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order,
                           [&](Eigen::Index a, Eigen::Index b) { return reach[a] > reach[b]; });
  double best_bound = -std::numeric_limits<double>::infinity();
  Eigen::Index best = 0;
  const auto rate = [&](std::span<const Eigen::Index> chosen) {
    Eigen::VectorXd enough(std::ssize(chosen));
    for (Eigen::Index i = 0; i < enough.size(); ++i) {
      // A candidate loses once its sd is below (best bound - mean) / k.
      const double missing = best_bound - means[chosen[static_cast<std::size_t>(i)]];
      enough[i] = k > 0.0 && missing > 0.0 ? missing / k * (missing / k) : 0.0;
    }
    const Eigen::VectorXd variances = posterior.variances_or_less(chosen, enough);
    for (Eigen::Index i = 0; i < variances.size(); ++i) {
      const Eigen::Index candidate = chosen[static_cast<std::size_t>(i)];
      if (enough[i] > 0.0 && variances[i] <= enough[i]) continue;
      const double bound = means[candidate] + k * std::sqrt(variances[i]);
      if (bound <= best_bound) continue;
      best_bound = bound;
      best = candidate;
    }
  };
  const std::span all(order);
  const std::size_t first = std::min(kFirst, all.size());
  rate(all.first(first));
  // Candidates are in the order of their reach, so that all from the first hopeless one on are left
  // out.
  const auto beyond = std::ranges::find_if(
      all.subspan(first), [&](Eigen::Index candidate) { return reach[candidate] <= best_bound; });
  rate(all.subspan(first, static_cast<std::size_t>(beyond - all.begin()) - first));
  return static_cast<std::size_t>(best);
}

Eigen::VectorXd draw_all(const Posterior& posterior, Rng& rng) {
  return JointDraws(posterior.means(), posterior.covariance()).draw(rng);
}

double expected_improvement(const Posterior& posterior, double best) {
  const Eigen::VectorXd variances = posterior.variances();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < variances.size(); ++i) {
    const double sd = std::sqrt(std::max(variances[i], 0.0));
    if (sd > 0.0) largest = std::max(largest, gain_above(best - posterior.means()[i], sd));
  }
  return largest;
}

/// These are the gains of Frazier, Powell and Dayanik 2009 for independent beliefs. A payoff moves
/// a candidate's mean by a normal step of sd variance / sqrt(variance + noise). A gain is the mean
/// excess over the best of the others.
Eigen::VectorXd gains(const Posterior& posterior, double noise) {
  const Eigen::VectorXd variances = posterior.variances();
  const Eigen::VectorXd& means = posterior.means();
  Eigen::Index top = 0;
  const double highest = means.maxCoeff(&top);
  double second = -std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    if (i != top) second = std::max(second, means[i]);
  }
  // A candidate whose mean cannot move has the gain -1, below any other.
  Eigen::VectorXd gains = Eigen::VectorXd::Constant(means.size(), -1.0);
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    const double step = variances[i] / std::sqrt(variances[i] + noise);
    if (step > 0.0) gains[i] = gain_above(highest - (i == top ? second : means[i]), step);
  }
  return gains;
}

std::size_t highest_of(const Eigen::VectorXd& values) {
  Eigen::Index best = 0;
  values.maxCoeff(&best);
  return static_cast<std::size_t>(best);
}

}  // namespace ntune
