#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/games/slide/position.h"

namespace ntune {

struct SlidePathOptions {
  std::size_t width = SIZE_MAX;  ///< most positions of a level on the side of `from`
  std::uint64_t seed = 1;        ///< decides between positions of equal estimate
};

/// The lines to slide from one position to another, by breadth-first search from both sides. With
/// the default width the way is a shortest one (SlideFour: 3 s and 0.5 GB for a distance of 22,
/// three times that for two more). With a smaller width it is a beam search: the levels around
/// `from` lose the positions that look furthest from `to` by the sum of the tiles' squared
/// distances. The one position must be reachable from the other, and by a beam the way may be
/// missed: empty then, as for equal positions.
template <int K>
std::vector<int> find_slides(const SlidePosition<K>& from, const SlidePosition<K>& to,
                             const SlidePathOptions& options = {});

}  // namespace ntune
