#pragma once

#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// The point that a search by matches begins with and compares others with: the incumbent, which
/// may lie off the grid, or else the middle of all values, or a random point where that is not
/// allowed.
inline Point reference_point(const OptimiserContext& context) {
  if (context.incumbent) return *context.incumbent;
  Rng rng(1);
  Point middle(context.space->dimensions());
  for (int i = 0; i < middle.size(); ++i) {
    middle[i] = static_cast<std::uint16_t>(((*context.space)[i].cardinality() - 1) / 2);
  }
  context.space->canonicalise(middle);
  return context.space->is_allowed(middle) ? middle : context.space->sample(rng);
}

/// An allowed point to begin with: the reference as near as the grid has it, or else a random one.
inline Point first_player(const SearchSpace& space, const Point& reference) {
  const Point nearest = space.nearest_on_grid(reference).value_or(reference);
  Rng rng(1);
  return space.is_allowed(nearest) ? nearest : space.sample(rng);
}

}  // namespace ntune
