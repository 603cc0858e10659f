#pragma once

#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/report/data/search_statistics.h"

namespace ntune {

/// How much of the variance of the observed payoffs goes with the values of a parameter, or of a
/// pair beyond its two parameters.
struct PairShare {
  int a = 0;
  int b = 0;
  double share = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %
};
struct Importance {
  std::vector<double> mains;  ///< per parameter; 0 for those with one value
  std::vector<std::optional<Interval>> main_intervals;  ///< 95 %
  std::vector<PairShare> pairs;                         ///< largest first
  std::optional<double> noise;  ///< share within equal points, of points sampled again
};

/// Omega squared (Hays 1963) of the groups of values: the share of the sum of squares beyond what
/// chance gives. An interaction is what the cells of a pair explain beyond both main effects. The
/// searches sample what they like, so that effects of parameters that moved together are counted in
/// both. Intervals are by the jackknife over the batches of the statistics, with Student's quantile
/// of one degree less than batches, kept within 0 and 1.
Importance importance_of(const SearchStatistics& search);

}  // namespace ntune
