#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ntune {

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
