#include "ntune/optim/racing/fair_means.h"

#include <algorithm>
#include <cmath>

namespace ntune {

namespace {

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
