#pragma once

#include <cstdint>
#include <span>

#include "ntune/core/parallel.h"

namespace ntune {

/// Retrograde analysis of SlideK, K = 2 or 3: fills `distances` (slide_position_count<K>() bytes)
/// with the fewest moves to Win, by slide_index. Needs no other memory to speak of, and gives the
/// same bytes whatever the number of threads.
template <int K>
requires(K == 2 || K == 3) void analyse_slide(std::span<std::uint8_t> distances,
                                              Parallel& parallel);

}  // namespace ntune
