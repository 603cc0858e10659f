#pragma once

#include <span>
#include <vector>

#include "ntune/games/slide/evaluation.h"

namespace ntune::slide3 {

/// A cell of Tables A1 to A3: the best winning quota over several intensities from one sample of
/// 1,068 positions of DTW 14.
struct PublishedQuota {
  int depth;
  SlideFeature feature;
  Randomisation randomisation;
  double intensity;  ///< negative: not given
  double quota;
  char sign;  ///< '+', '-', or '=' for no significant change; ' ' without randomisation
};
std::span<const PublishedQuota> published_quotas();

/// Table 4.2: different values among successors of 5,000 positions, depths 0 to 5.
double published_values(SlideFeature feature, int depth);
/// Table 4.3: positions with ties in per cent, depths 1 to 6.
double published_ties(SlideFeature feature, int depth);

/// A row of Table E.1: winning quotas.
struct PublishedTileTab {
  int dtw;
  int depth;
  double man;
  double tile_tab;
};
std::span<const PublishedTileTab> published_tile_tab();

/// Rankings of evaluations without chance: mean Hits, mean winning quota.
struct PublishedRank {
  SlideEvaluation evaluation;
  double hits;
  double quota;  ///< negative: not given
};
const std::vector<PublishedRank>& published_ranking();

}  // namespace ntune::slide3
