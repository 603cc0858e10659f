#pragma once

#include <cstdint>

#include "ntune/optim/base/optimiser.h"

namespace ntune {

class InstanceAwareSearch;
class WidenedSpace;

/// A run in progress, for observers of what it would recommend now.
struct RunView {
  const Optimiser* optimiser = nullptr;
  /// The same, where effects of instances are learned.
  const InstanceAwareSearch* instance_aware = nullptr;
  /// Brings its points into the objective's space; nullptr: they are of it.
  const WidenedSpace* widen = nullptr;
  std::int64_t payoffs = 0;   ///< told so far; the optimiser needs one to recommend anything
  std::int64_t measured = 0;  ///< evaluations carried out so far that did not fail
  std::int64_t failures = 0;
  std::int64_t asked = 0;  ///< evaluations asked for so far

  /// False where there is no payoff, or all has failed but matches of a player against itself.
  [[nodiscard]] bool has_measured() const { return payoffs > 0 && (measured > 0 || failures == 0); }
  /// What the run would recommend if it ended here. Costs as much as all tells so far where effects
  /// of instances are learned.
  [[nodiscard]] Recommendation recommend_now() const;
  /// The same by the effects that were estimated last.
  [[nodiscard]] Recommendation recommend() const;
};

}  // namespace ntune
