#pragma once

#include <cstdint>
#include <string>

namespace ntune {

class SearchSpace;

/// Evaluations of a run up to which `auto` stands for Gaussian processes.
inline constexpr std::int64_t kMostOfGaussianProcess = 5000;

/// What `auto` stands for.
struct AutoChoice {
  std::string name;      ///< for people
  std::string settings;  ///< YAML, as a study would have it
};

/// `gaussian_process` up to kMostOfGaussianProcess evaluations, then `ntbea`: one search below
/// 1,000, or where this is `one_of_several` with the budget in common; else `pooled_starts` of
/// Gaussian processes if budget or space have no more than 2,000 points, as many as one holds, and
/// `multi_start` in all other cases. Measured in benchmarks/README.md.
AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several = false);

/// Whether a study leaves the division of up to kMostOfGaussianProcess evaluations to a single run
/// of this optimiser: it divides them itself, or a suggestion takes so long that ways to divide
/// them cannot be tried in seconds.
bool takes_one_run(const std::string& algorithm);

}  // namespace ntune
