#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ntune {

/// Payoffs of several candidates, the same number for each: payoffs[candidate][block].
using RaceTable = std::vector<std::vector<double>>;

/// Friedman's test over the blocks (Conover 1999, section 5.8, with ties). Where it finds a
/// difference, the result is the candidates whose sum of ranks is significantly worse than the best
/// one's. Needs 2 candidates and 2 blocks; true: worse.
std::vector<bool> friedman_losers(const RaceTable& payoffs, double confidence);

/// The candidates whose mean is lower than the highest one by a paired, two-sided t-test each,
/// without correction for their number. Needs 2 blocks; true: worse.
std::vector<bool> paired_t_losers(const RaceTable& payoffs, double confidence);

/// Payoffs of a candidate in a block.
struct BlockPayoffs {
  std::size_t candidate = 0;
  std::size_t block = 0;
  std::int64_t count = 1;  ///< >= 1
  double mean = 0.0;
};

/// What candidates are worth on a block like all together, although not all were in the same
/// blocks: the least squares of payoff = candidate + block, where the mean of the blocks that occur
/// is 0 (two-way analysis of variance without interaction). Candidates are numbered from 0 without
/// gaps.
std::vector<double> fair_means(std::span<const BlockPayoffs> payoffs);

}  // namespace ntune
