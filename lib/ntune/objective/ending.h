#pragma once

#include <cstdint>

namespace ntune {

/// How far an evaluation went.
enum class Ending : std::uint8_t {
  kWhole,
  kCutOff,  ///< ended at the cutoff; the payoff is that of the penalty for it
  kCapped   ///< ended because it could no longer win; the payoff is the most that it can be
};

}  // namespace ntune
