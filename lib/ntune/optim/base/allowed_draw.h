#pragma once

#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// The first allowed point of up to 100 that `draw()` gives, inactive parameters held; a random
/// point of the space where none is. For optimisers that draw every parameter by itself.
template <class Draw>
Point draw_allowed(const SearchSpace& space, Rng& rng, const Draw& draw) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    Point point = draw();
    if (!space.constrained()) return point;
    space.canonicalise(point);
    if (space.is_allowed(point)) return point;
  }
  return space.sample(rng);
}

}  // namespace ntune
