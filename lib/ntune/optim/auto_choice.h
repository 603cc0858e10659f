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

/// Where at least half of the parameters with several values are ordered and have three or more:
/// `gaussian_process` below 1,000 evaluations, `pooled_starts` of it up to 2,000, as many distinct
/// points as it holds, and up to 5,000, if the space has more points than that, `multi_start` of
/// it; `gaussian_process` alone where this is `one_of_several` searches with the budget in common.
/// Otherwise `ntbea`. Measured in benchmarks/README.md.
AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several = false);

}  // namespace ntune
