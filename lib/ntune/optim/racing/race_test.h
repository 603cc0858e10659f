#pragma once

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

}  // namespace ntune
