#pragma once

#include <cstdint>
#include <string>

namespace ntune {

/// Name of the optimiser that `auto` stands for with so many evaluations:
/// `gaussian_process` up to 5,000, in the arena at 300 the best or level with it on every landscape
/// that it was chosen on (benchmarks/README.md); `ntbea` above, where a suggestion of the former
/// takes milliseconds.
std::string auto_choice(std::int64_t budget);

}  // namespace ntune
