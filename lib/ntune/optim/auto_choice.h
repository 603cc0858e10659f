#pragma once

#include <cstdint>
#include <string>

namespace ntune {

class SearchSpace;

/// What `auto` stands for.
struct AutoChoice {
  std::string name;      ///< as people read it
  std::string settings;  ///< YAML, as a study would have it
};

/// What `auto` stands for in a space with a budget. It is one search by `gaussian_process` below
/// 1,000 evaluations, and wherever it is `one_of_several` that share the budget; else
/// `pooled_starts` of it. Without noise, where no point is worth two evaluations, a budget and a
/// space of more than 2,000 points are shared by `multi_start`, and beyond 5,000 evaluations the
/// search is `ntbea`. Measured in benchmarks/results/arena.md.
AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool noisy,
                       bool one_of_several = false);

}  // namespace ntune
