#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "apps/arcade/agents.h"
#include "ntune/core/statistics.h"

namespace ntune::arcade {

// Goodman and Lucas 2020, Weighting NTBEA for Game AI Optimisation. The weightings are called as in
// configs/papers/, "vanilla" is none.

/// A line of Table 2: what NTBEA recommends after 288 (Planet Wars) or 336 games.
struct PublishedTable2 {
  Game game;
  std::string_view weighting;
  std::int64_t runs;
  double mean;  ///< of the true values, by 1,000 or 500 games
  double sd;
  double delta;  ///< mean of estimate minus true value
  Interval delta_interval;
  double top_six;  ///< share of runs that recommend one of the six best points
};
std::span<const PublishedTable2> published_table_2();

/// A cell of Table 3: recommendations of several runs in the large spaces.
struct PublishedTable3 {
  Game game;
  std::string_view weighting;
  std::int64_t runs;
  std::int64_t iterations;
  double mean;
  double best;
};
std::span<const PublishedTable3> published_table_3();

}  // namespace ntune::arcade
