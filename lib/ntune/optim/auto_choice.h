#pragma once

#include <cstdint>
#include <string>

namespace ntune {

class SearchSpace;

/// Evaluations of a run up to which `auto` stands for Gaussian processes.
inline constexpr std::int64_t kMostOfGaussianProcess = 5000;

/// What `auto` stands for.
struct AutoChoice {
  std::string name;      ///< as people read it
  std::string settings;  ///< YAML, as a study would have it
};

/// What `auto` stands for in a space with a budget. The search is `gaussian_process` up to
/// kMostOfGaussianProcess evaluations, beyond them `ntbea`. It is one search below 1,000
/// evaluations, and wherever it is `one_of_several` that share the budget. Else `pooled_starts`
/// runs Gaussian processes in budgets or spaces of at most 2,000 points, as many as one holds. In
/// all other cases `multi_start` runs the search. Measured in benchmarks/results/arena.md.
AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several = false);

/// Whether a single run of this optimiser divides a budget of up to kMostOfGaussianProcess
/// evaluations. It does if it divides budgets itself, or if its suggestions take so long that a
/// simulation of ways to divide would not end in seconds.
bool takes_one_run(const std::string& algorithm);

}  // namespace ntune
