#pragma once

#include <array>
#include <span>

namespace ntune::amazons {

// Coverage as Zhang and Mueller (2015) measured it: cases of 600 that a variant solves, 80 MB,
// a Xeon of 2.4 GHz.

struct PublishedCoverage {
  const char* variant;
  const char* delta;          ///< "auto": exact
  std::array<int, 6> solved;  ///< by limit
};

/// Table 1.
inline constexpr std::array<double, 6> kTable1Seconds = {1, 2.5, 10, 25, 100, 250};
std::span<const PublishedCoverage> published_table_1();
/// Table 2, without delta = 1/8, whose numbers are not in the text that was at hand.
inline constexpr std::array<double, 5> kTable2Seconds = {1, 3, 10, 30, 100};
std::span<const PublishedCoverage> published_table_2();

}  // namespace ntune::amazons
