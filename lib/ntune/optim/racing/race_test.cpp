#include "ntune/optim/racing/race_test.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// Quantile of Student's t for a two-sided confidence.
double t_quantile(double degrees, double confidence) {
  return boost::math::quantile(boost::math::students_t(degrees), 0.5 + confidence / 2.0);
}

/// Rank of a candidate within a block, 1 for the highest payoff, the mean rank of equal ones.
double rank(const RaceTable& payoffs, std::size_t candidate, std::size_t block) {
  const double payoff = payoffs[candidate][block];
  double higher = 0.0;
  double equal = 0.0;
  for (const auto& row : payoffs) {
    higher += row[block] > payoff ? 1.0 : 0.0;
    equal += row[block] == payoff ? 1.0 : 0.0;
  }
  return higher + (equal + 1.0) / 2.0;
}

}  // namespace

/// With R_j the candidates' sums of ranks, the statistic T1 is (k - 1) sum (R_j - n (k + 1) / 2)^2
/// / (A1 - C1). It is compared with a chi-squared quantile. Two candidates then differ if their
/// sums do by more than t sqrt(2 (n A1 - sum R_j^2) / ((n - 1) (k - 1))).
std::vector<bool> friedman_losers(const RaceTable& payoffs, double confidence) {
  const auto k = static_cast<double>(payoffs.size());
  const auto n = static_cast<double>(payoffs.front().size());
  assert(k >= 2.0 && n >= 2.0);
  // Ranks are summed for each candidate over the blocks, and their squares over all.
  std::vector<double> sums(payoffs.size(), 0.0);
  double squares = 0.0;  // A1 in Conover
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    for (std::size_t block = 0; block < payoffs[i].size(); ++block) {
      const double r = rank(payoffs, i, block);
      sums[i] += r;
      squares += r * r;
    }
  }
  std::vector<bool> losers(payoffs.size(), false);
  const double scatter = squares - n * k * (k + 1.0) * (k + 1.0) / 4.0;  // A1 - C1
  if (scatter <= 0.0) return losers;                                     // all are equal
  // `between` is the sum of squared deviations of the candidates' sums from their expectation.
  double between = 0.0;
  double sums_squared = 0.0;
  for (const double sum : sums) {
    between += (sum - n * (k + 1.0) / 2.0) * (sum - n * (k + 1.0) / 2.0);
    sums_squared += sum * sum;
  }
  const double statistic = (k - 1.0) * between / scatter;
  if (statistic < boost::math::quantile(boost::math::chi_squared(k - 1.0), confidence)) {
    return losers;
  }
  // Once the test has found a difference, each candidate is compared with the best one.
  const double degrees = (n - 1.0) * (k - 1.0);
  const double variance = std::max(0.0, 2.0 * (n * squares - sums_squared) / degrees);
  const double critical = t_quantile(degrees, confidence) * std::sqrt(variance);
  const double best = *std::ranges::min_element(sums);
  for (std::size_t i = 0; i < sums.size(); ++i) losers[i] = sums[i] - best > critical;
  return losers;
}

std::vector<bool> paired_t_losers(const RaceTable& payoffs, double confidence) {
  assert(payoffs.front().size() >= 2);
  std::vector<double> means;
  for (const auto& row : payoffs) means.push_back(stats_of(row).mean());
  const auto best = static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
  const auto n = static_cast<double>(payoffs.front().size());
  const double critical = t_quantile(n - 1.0, confidence);
  std::vector<bool> losers(payoffs.size(), false);
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    RunningStats differences;
    for (std::size_t block = 0; block < payoffs[i].size(); ++block) {
      differences.add(payoffs[best][block] - payoffs[i][block]);
    }
    losers[i] = differences.mean() > critical * differences.standard_error();
  }
  return losers;
}

}  // namespace ntune
