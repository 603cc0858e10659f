#pragma once

#include "ntune/optim/optimiser.h"

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

}  // namespace ntune
