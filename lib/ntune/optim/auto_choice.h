#pragma once

#include <cstdint>
#include <string>

#include "ntune/space/search_space.h"

namespace ntune {

/// Name of the optimiser that `auto` stands for: `gaussian_process` up to 2,000 evaluations, as
/// many distinct points as it holds, where at least half of the parameters with several values are
/// ordered and have three or more; `ntbea` otherwise. Measured in benchmarks/README.md.
std::string auto_choice(const SearchSpace& space, std::int64_t budget);

}  // namespace ntune
