#pragma once

#include <cstdint>
#include <string>

#include "ntune/space/search_space.h"

namespace ntune {

/// What `auto` stands for.
struct AutoChoice {
  std::string name;      ///< for people
  std::string settings;  ///< YAML, as a study would have it
};

/// `gaussian_process` below 1,000 evaluations. Up to 5,000, where at least half of the parameters
/// with several values are ordered and have three or more: `pooled_starts` of it if budget or space
/// have no more than 2,000 points, as many as it holds, else `multi_start` of it;
/// `gaussian_process` alone where this is `one_of_several` searches with the budget in common. In
/// all other cases `ntbea`. Measured in benchmarks/README.md.
AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several = false);

}  // namespace ntune
