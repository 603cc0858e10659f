#pragma once

#include <cstdint>
#include <string>

namespace ntune {

/// Name of the optimiser that `auto` stands for with so many evaluations: `gaussian_process` up to
/// 2,000, as many distinct points as it holds, best or level with the best in the arena up to 1,000
/// (benchmarks/README.md); `ntbea` above, where a suggestion of the former takes milliseconds.
std::string auto_choice(std::int64_t budget);

}  // namespace ntune
