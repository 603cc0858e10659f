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

/// What the thesis says of a pair of evaluation and randomisation as a whole.
struct PublishedEffect {
  SlideFeature feature;
  Randomisation randomisation;
  int pattern;         ///< Table 6.3 (Table 4 of the report): 1 to 5
  char pattern_sign;   ///< of pattern 5
  char first_sign;     ///< Table 6.2, of the first programs
  char repaired_sign;  ///< Table 7.1, of the repaired ones
  char fat_sign;       ///< Table 6.4: whether weak randomisation raises the fat quota
  char moves_sign;     ///< Table 6.1: '+' or ' '; 0: not tried

  [[nodiscard]] SlideEvaluation at(double intensity) const {
    return SlideEvaluation::of(feature, randomisation, intensity);
  }
};
std::span<const PublishedEffect> published_effects();

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
