#pragma once

#include <cstdint>

namespace ntune {

/// How far an evaluation went.
enum class Ending : std::uint8_t {
  kWhole,
  kCutOff,  ///< ended at the cutoff or without a solution; the payoff is that of the penalty
  kCapped   ///< ended because it could no longer win; the payoff is the most that it can be
};

/// What a solver says of its problem.
enum class SolverAnswer : std::uint8_t { kNone, kSatisfiable, kUnsatisfiable };

}  // namespace ntune
