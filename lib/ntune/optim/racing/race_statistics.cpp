#include "ntune/optim/racing/race_statistics.h"

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

/// Sums of payoffs and their number, of a candidate or a block.
struct Group {
  double sum = 0.0;
  double count = 0.0;

  [[nodiscard]] double mean() const { return count > 0.0 ? sum / count : 0.0; }
};

/// For each group the mean of the payoffs less what is taken from them.
template <class GroupOf, class Less>
std::vector<Group> grouped(std::span<const BlockPayoffs> payoffs, std::size_t groups,
                           const GroupOf& group_of, const Less& less) {
  std::vector<Group> result(groups);
  for (const BlockPayoffs& one : payoffs) {
    Group& group = result[group_of(one)];
    const auto count = static_cast<double>(one.count);
    group.sum += count * (one.mean - less(one));
    group.count += count;
  }
  return result;
}

/// Subtracts the mean of the blocks that occur.
void centre(std::vector<Group>& blocks) {
  double sum = 0.0;
  double number = 0.0;
  for (const Group& block : blocks) {
    if (block.count > 0.0) ++number;
    sum += block.mean();
  }
  for (Group& block : blocks) block.sum -= block.count * sum / number;
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

/// Candidates and blocks are fitted in turns. That converges, and fast where candidates link the
/// blocks, as the elites of races do.
std::vector<double> fair_means(std::span<const BlockPayoffs> payoffs) {
  constexpr int kMostTurns = 200;
  constexpr double kTolerance = 1e-12;  // of the largest payoff
  std::size_t candidates = 0;
  std::size_t blocks = 0;
  double largest = 0.0;
  for (const BlockPayoffs& one : payoffs) {
    candidates = std::max(candidates, one.candidate + 1);
    blocks = std::max(blocks, one.block + 1);
    largest = std::max(largest, std::abs(one.mean));
  }
  std::vector<double> means(candidates, 0.0);
  std::vector<Group> effects(blocks);
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const std::vector<Group> worths = grouped(
        payoffs, candidates, [](const BlockPayoffs& one) { return one.candidate; },
        [&](const BlockPayoffs& one) { return effects[one.block].mean(); });
    double change = 0.0;
    for (std::size_t i = 0; i < candidates; ++i) {
      change = std::max(change, std::abs(worths[i].mean() - means[i]));
      means[i] = worths[i].mean();
    }
    if (change <= kTolerance * largest) break;
    effects = grouped(
        payoffs, blocks, [](const BlockPayoffs& one) { return one.block; },
        [&](const BlockPayoffs& one) { return means[one.candidate]; });
    centre(effects);
  }
  return means;
}

}  // namespace ntune
