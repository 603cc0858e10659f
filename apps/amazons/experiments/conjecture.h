#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/amazons/experiments/rectangle.h"
#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/core/parallel.h"

namespace ntune {

/// Readings of "the temperature found with delta". They differ in what is preferred among equally
/// good moves, coupon or board, and in which coupon counts. That is the last one taken before the
/// first board move (prior) or the one on top at that moment. At the final stack both are -1.
enum class ConjectureReading {
  kCouponPrior,  ///< R1
  kBoardPrior,   ///< R2
  kBoardTop,     ///< R3
  kCouponTop     ///< R4
};
inline constexpr std::size_t kConjectureReadings = 4;

/// A position whose temperature is more than 2 delta above the one found.
struct ConjectureFailure {
  AmazonsRectangle::Position position;
  Player first = Player::kLeft;
  /// Whether Black is on turn where the level (c + 1) / delta of the top coupon c is even.
  bool black_at_even_levels = false;
  Dyadic temperature;
  Dyadic found;
};

/// Whether t <= t_delta + 2 delta (Zhang and Mueller 2015, 2-delta conjecture).
struct ConjectureCount {
  std::int64_t violations = 0;
  Dyadic worst;  ///< largest t - t_delta, 0 if none is positive
  std::vector<ConjectureFailure> failures;
};

/// Minimax over G + C of positions and players who begin, against exact values.
struct ConjectureReport {
  std::int64_t cases = 0;
  std::array<ConjectureCount, kConjectureReadings> readings;
  std::int64_t prior_exact = 0;    ///< cases where R1's coupon is the temperature
  std::int64_t prior_below = 0;    ///< cases where it is delta below the temperature
  std::int64_t rounded_wrong = 0;  ///< cases where R1 rounded up to a possible temperature is wrong
  std::int64_t top_exact = 0;      ///< cases where R3's coupon is the temperature
  std::int64_t top_above = 0;      ///< cases where it is above the temperature
  std::int64_t mean_exact = 0;
  Dyadic worst_mean;  ///< largest error of the mean
};

/// All positions with `least` to `most` empty squares, 0 <= least <= most <= positions.most(), by
/// dynamic programming over the levels of the stack. delta = 2^-exponent, 0 <= exponent <= 15, and
/// t_max is above every temperature. Keeps the first `failures` of each reading by number of empty
/// squares. 1, 1/2, 1/4 … double the time: 2^exponent * most levels.
ConjectureReport check_two_delta_conjecture(const AmazonsRectangle& positions, int exponent,
                                            int least, int most, std::size_t failures,
                                            Parallel& parallel);

}  // namespace ntune
