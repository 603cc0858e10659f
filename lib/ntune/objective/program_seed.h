#pragma once

#include <cstdint>
#include <limits>

#include "ntune/core/rng.h"

namespace ntune {

/// The seed that a program is given, from 1: the first that is drawn from the stream of its call.
/// Seeds fit into 32 bits with a sign, because many programs keep them in an int.
inline std::int64_t draw_program_seed(Rng& rng) {
  constexpr std::uint32_t kSeeds = std::numeric_limits<std::int32_t>::max();
  return 1 + std::int64_t{rng.below(kSeeds)};
}

}  // namespace ntune
