#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/slide3/experiments/autoplay.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {

/// The choice-of-moves experiment at one depth (Heuser 2003, Section 5.1): candidates are the moves
/// of least value, good moves those that come nearer to Win.
struct ChoiceOfMoves {
  int depth = 0;
  RunningStats hits;    ///< per position: good candidates per candidate; Fakes are 1 - Hits
  RunningStats misses;  ///< good moves per rejected move, over the positions that reject any; Keeps
                        ///< are 1 - Misses
  std::int64_t all_best = 0;  ///< positions whose successors all have the same value

  void merge(const ChoiceOfMoves& other);
};

/// One result per depth from `first` to `last`. Position i at depth t uses the stream ("position",
/// t, i); the results do not depend on threads. No position may be Win.
std::vector<ChoiceOfMoves> choice_of_moves(const DepthPlayer& player, int first, int last,
                                           std::span<const SlidePosition<3>> sample,
                                           const SlideDatabase<3>& database, const Rng& rng,
                                           Parallel& parallel, Progress& progress);

/// How coarse an evaluation is at one depth (Heuser 2003, Tables 4.2 and 4.3).
struct Coarseness {
  int depth = 0;
  std::int64_t positions = 0;  ///< different successors of the sample's positions
  std::int64_t values = 0;     ///< different values of these positions after a search of `depth`
  RunningStats ties;  ///< per position of the sample, for depth >= 1: 1 if several moves are best
};

/// One result per depth from 0 to `last`, for an evaluation without chance. No position may be Win.
std::vector<Coarseness> coarseness(SlideFeature feature, int last,
                                   std::span<const SlidePosition<3>> sample, Parallel& parallel,
                                   Progress& progress);

}  // namespace ntune
