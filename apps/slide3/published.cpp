#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

namespace {

// Quotas and intensities: Althöfer and Heuser 2005, Tables A1 to A3 (Heuser 2003, Appendix B);
// signs: their Tables 1 to 3.
constexpr PublishedQuota kQuotas[] = {
    {4, SlideFeature::kEu, Randomisation::kNone, 0, 0.355, ' '},
    {4, SlideFeature::kEu, Randomisation::kAdd, 0.1, 0.421, '+'},
    {4, SlideFeature::kEu, Randomisation::kMult, 0.1, 0.452, '+'},
    {4, SlideFeature::kEu, Randomisation::kNormPlus, 0.5, 0.001, '-'},
    {4, SlideFeature::kEu, Randomisation::kNormMinus, 1, 0.380, '='},
    {4, SlideFeature::kEu, Randomisation::kComb, 2, 0.343, '='},
    {4, SlideFeature::kMan, Randomisation::kNone, 0, 0.169, ' '},
    {4, SlideFeature::kMan, Randomisation::kAdd, 2.5, 0.254, '+'},
    {4, SlideFeature::kMan, Randomisation::kMult, 0.3, 0.245, '+'},
    {4, SlideFeature::kMan, Randomisation::kNormPlus, 1, 0.001, '-'},
    {4, SlideFeature::kMan, Randomisation::kNormMinus, 1, 0.271, '+'},
    {4, SlideFeature::kMan, Randomisation::kComb, 2, 0.238, '+'},
    {4, SlideFeature::kNb, Randomisation::kNone, 0, 0.046, ' '},
    {4, SlideFeature::kNb, Randomisation::kAdd, 5, 0.099, '+'},
    {4, SlideFeature::kNb, Randomisation::kMult, 0.3, 0.110, '+'},
    {4, SlideFeature::kNb, Randomisation::kNormPlus, -1, 0, '-'},
    {4, SlideFeature::kNb, Randomisation::kNormMinus, 1, 0.117, '+'},
    {4, SlideFeature::kNb, Randomisation::kComb, 2, 0.109, '+'},
    {4, SlideFeature::kPerm, Randomisation::kNone, 0, 0.045, ' '},
    {4, SlideFeature::kPerm, Randomisation::kAdd, 5, 0.052, '='},
    {4, SlideFeature::kPerm, Randomisation::kMult, 0.3, 0.040, '='},
    {4, SlideFeature::kPerm, Randomisation::kNormPlus, -1, 0, '-'},
    {4, SlideFeature::kPerm, Randomisation::kNormMinus, 0.2, 0.045, '='},
    {4, SlideFeature::kInv, Randomisation::kNone, 0, 0.050, ' '},
    {4, SlideFeature::kInv, Randomisation::kAdd, 0.5, 0.065, '='},
    {4, SlideFeature::kInv, Randomisation::kMult, 0.5, 0.047, '='},
    {4, SlideFeature::kInv, Randomisation::kNormPlus, -1, 0, '-'},
    {4, SlideFeature::kInv, Randomisation::kNormMinus, 0.5, 0.054, '='},
    {4, SlideFeature::kInv, Randomisation::kComb, 1, 0.051, '='},
    {4, SlideFeature::kL2, Randomisation::kNone, 0, 0.003, ' '},
    {4, SlideFeature::kL2, Randomisation::kAdd, 2.5, 0.016, '+'},
    {4, SlideFeature::kL2, Randomisation::kMult, 0.5, 0.007, '='},
    {4, SlideFeature::kL2, Randomisation::kNormPlus, 1, 0.001, '-'},
    {4, SlideFeature::kL2, Randomisation::kNormMinus, 0.5, 0.017, '+'},
    {4, SlideFeature::kL2, Randomisation::kComb, 0.5, 0.010, '='},
    {5, SlideFeature::kEu, Randomisation::kNone, 0, 0.463, ' '},
    {5, SlideFeature::kEu, Randomisation::kAdd, 0.005, 0.638, '+'},
    {5, SlideFeature::kEu, Randomisation::kMult, 0.1, 0.645, '+'},
    {5, SlideFeature::kEu, Randomisation::kNormPlus, 1, 0.001, '-'},
    {5, SlideFeature::kEu, Randomisation::kNormMinus, 2, 0.568, '+'},
    {5, SlideFeature::kEu, Randomisation::kComb, 0.5, 0.531, '+'},
    {5, SlideFeature::kMan, Randomisation::kNone, 0, 0.271, ' '},
    {5, SlideFeature::kMan, Randomisation::kAdd, 2.5, 0.460, '+'},
    {5, SlideFeature::kMan, Randomisation::kMult, 0.2, 0.443, '+'},
    {5, SlideFeature::kMan, Randomisation::kNormPlus, -1, 0, '-'},
    {5, SlideFeature::kMan, Randomisation::kNormMinus, 1, 0.481, '+'},
    {5, SlideFeature::kMan, Randomisation::kComb, 0.5, 0.431, '+'},
    {5, SlideFeature::kNb, Randomisation::kNone, 0, 0.086, ' '},
    {5, SlideFeature::kNb, Randomisation::kAdd, 0.5, 0.181, '+'},
    {5, SlideFeature::kNb, Randomisation::kMult, 2.5, 0.137, '+'},
    {5, SlideFeature::kNb, Randomisation::kNormPlus, -1, 0, '-'},
    {5, SlideFeature::kNb, Randomisation::kNormMinus, 0.3, 0.219, '+'},
    {5, SlideFeature::kNb, Randomisation::kComb, 2, 0.200, '+'},
    {5, SlideFeature::kPerm, Randomisation::kNone, 0, 0.064, ' '},
    {5, SlideFeature::kPerm, Randomisation::kAdd, 1, 0.107, '+'},
    {5, SlideFeature::kPerm, Randomisation::kMult, 0.1, 0.078, '='},
    {5, SlideFeature::kPerm, Randomisation::kNormPlus, -1, 0, '-'},
    {5, SlideFeature::kPerm, Randomisation::kNormMinus, 0.2, 0.104, '+'},
    {5, SlideFeature::kInv, Randomisation::kNone, 0, 0.063, ' '},
    {5, SlideFeature::kInv, Randomisation::kAdd, 0.5, 0.132, '+'},
    {5, SlideFeature::kInv, Randomisation::kMult, 0.2, 0.074, '='},
    {5, SlideFeature::kInv, Randomisation::kNormPlus, 2, 0.001, '-'},
    {5, SlideFeature::kInv, Randomisation::kNormMinus, 1, 0.138, '+'},
    {5, SlideFeature::kInv, Randomisation::kComb, 0.5, 0.083, '='},
    {5, SlideFeature::kL2, Randomisation::kNone, 0, 0.007, ' '},
    {5, SlideFeature::kL2, Randomisation::kAdd, 5, 0.038, '+'},
    {5, SlideFeature::kL2, Randomisation::kMult, 0.2, 0.013, '='},
    {5, SlideFeature::kL2, Randomisation::kNormPlus, 0.5, 0.001, '-'},
    {5, SlideFeature::kL2, Randomisation::kNormMinus, 0.2, 0.041, '+'},
    {5, SlideFeature::kL2, Randomisation::kComb, 1.5, 0.022, '+'},
    {6, SlideFeature::kEu, Randomisation::kNone, 0, 0.592, ' '},
    {6, SlideFeature::kEu, Randomisation::kAdd, 0.5, 0.799, '+'},
    {6, SlideFeature::kEu, Randomisation::kMult, 0.1, 0.818, '+'},
    {6, SlideFeature::kEu, Randomisation::kNormPlus, -1, 0, '-'},
    {6, SlideFeature::kEu, Randomisation::kNormMinus, 2, 0.737, '+'},
    {6, SlideFeature::kEu, Randomisation::kComb, 2, 0.682, '+'},
    {6, SlideFeature::kMan, Randomisation::kNone, 0, 0.353, ' '},
    {6, SlideFeature::kMan, Randomisation::kAdd, 2.5, 0.666, '+'},
    {6, SlideFeature::kMan, Randomisation::kMult, 0.2, 0.623, '+'},
    {6, SlideFeature::kMan, Randomisation::kNormPlus, -1, 0, '-'},
    {6, SlideFeature::kMan, Randomisation::kNormMinus, 2, 0.684, '+'},
    {6, SlideFeature::kMan, Randomisation::kComb, 1.5, 0.632, '+'},
    {6, SlideFeature::kNb, Randomisation::kNone, 0, 0.148, ' '},
    {6, SlideFeature::kNb, Randomisation::kAdd, 5, 0.326, '+'},
    {6, SlideFeature::kNb, Randomisation::kMult, 0.5, 0.301, '+'},
    {6, SlideFeature::kNb, Randomisation::kNormPlus, 0.5, 0.001, '-'},
    {6, SlideFeature::kNb, Randomisation::kNormMinus, 0.3, 0.400, '+'},
    {6, SlideFeature::kNb, Randomisation::kComb, 3, 0.344, '+'},
    {6, SlideFeature::kPerm, Randomisation::kNone, 0, 0.139, ' '},
    {6, SlideFeature::kPerm, Randomisation::kAdd, 1, 0.192, '+'},
    {6, SlideFeature::kPerm, Randomisation::kMult, 0.5, 0.178, '='},
    {6, SlideFeature::kPerm, Randomisation::kNormPlus, 0.5, 0.001, '-'},
    {6, SlideFeature::kPerm, Randomisation::kNormMinus, 2, 0.203, '+'},
    {6, SlideFeature::kInv, Randomisation::kNone, 0, 0.134, ' '},
    {6, SlideFeature::kInv, Randomisation::kAdd, 1, 0.220, '+'},
    {6, SlideFeature::kInv, Randomisation::kMult, 0.5, 0.197, '+'},
    {6, SlideFeature::kInv, Randomisation::kNormPlus, -1, 0, '-'},
    {6, SlideFeature::kInv, Randomisation::kNormMinus, 2, 0.228, '+'},
    {6, SlideFeature::kInv, Randomisation::kComb, 1, 0.193, '+'},
    {6, SlideFeature::kL2, Randomisation::kNone, 0, 0.009, ' '},
    {6, SlideFeature::kL2, Randomisation::kAdd, 2.5, 0.092, '+'},
    {6, SlideFeature::kL2, Randomisation::kMult, 0.5, 0.022, '='},
    {6, SlideFeature::kL2, Randomisation::kNormPlus, 0.5, 0.001, '-'},
    {6, SlideFeature::kL2, Randomisation::kNormMinus, 0.5, 0.088, '+'},
    {6, SlideFeature::kL2, Randomisation::kComb, 1, 0.037, '+'},
};

// Heuser 2003, Tables 4.2 and 4.3.
constexpr double kValues[6][kSlideFeatures] = {
    {53, 23, 22, 116, 33, 211}, {48, 22, 25, 111, 31, 115}, {48, 22, 28, 106, 30, 118},
    {44, 22, 24, 102, 28, 94},  {41, 21, 27, 94, 27, 80},   {39, 21, 26, 86, 24, 67},
};
constexpr double kTies[6][kSlideFeatures] = {
    {23.6, 49.3, 23.1, 27.0, 38.7, 1.7},  {46.8, 64.9, 41.1, 24.2, 43.8, 34.1},
    {49.9, 68.0, 43.1, 26.8, 47.0, 30.2}, {52.1, 69.1, 48.2, 29.8, 50.2, 36.8},
    {56.2, 71.3, 49.7, 33.7, 52.3, 41.3}, {55.9, 72.5, 51.2, 34.4, 52.5, 44.2},
};

// Heuser 2003, Tables 6.3, 6.2, 7.1, 6.4 and 6.1.
constexpr PublishedEffect kEffects[] = {
    {SlideFeature::kEu, Randomisation::kAdd, 1, ' ', '+', '+', '+', '+'},
    {SlideFeature::kEu, Randomisation::kMult, 1, ' ', '+', '+', '+', '+'},
    {SlideFeature::kEu, Randomisation::kNormPlus, 4, ' ', '-', '-', '-', '\0'},
    {SlideFeature::kEu, Randomisation::kNormMinus, 5, '=', '=', '+', '+', '+'},
    {SlideFeature::kEu, Randomisation::kComb, 5, '=', '=', '=', '+', ' '},
    {SlideFeature::kMan, Randomisation::kAdd, 1, ' ', '+', '+', '+', '+'},
    {SlideFeature::kMan, Randomisation::kMult, 1, ' ', '+', '+', '+', '+'},
    {SlideFeature::kMan, Randomisation::kNormPlus, 4, ' ', '-', '-', '-', '\0'},
    {SlideFeature::kMan, Randomisation::kNormMinus, 5, '+', '+', '+', '+', '+'},
    {SlideFeature::kMan, Randomisation::kComb, 5, '+', '+', '+', '+', '+'},
    {SlideFeature::kNb, Randomisation::kAdd, 2, ' ', '+', '+', '+', ' '},
    {SlideFeature::kNb, Randomisation::kMult, 2, ' ', '+', '+', '-', ' '},
    {SlideFeature::kNb, Randomisation::kNormPlus, 4, ' ', '-', '-', '-', '\0'},
    {SlideFeature::kNb, Randomisation::kNormMinus, 5, '+', '+', '+', '-', ' '},
    {SlideFeature::kNb, Randomisation::kComb, 5, '+', '+', '+', '-', ' '},
    {SlideFeature::kPerm, Randomisation::kAdd, 3, ' ', '=', '+', '+', '+'},
    {SlideFeature::kPerm, Randomisation::kMult, 3, ' ', '=', '=', '+', '+'},
    {SlideFeature::kPerm, Randomisation::kNormPlus, 4, ' ', '-', '-', '+', '\0'},
    {SlideFeature::kPerm, Randomisation::kNormMinus, 3, ' ', '=', '+', '+', '+'},
    {SlideFeature::kInv, Randomisation::kAdd, 3, ' ', '=', '+', '+', '+'},
    {SlideFeature::kInv, Randomisation::kMult, 3, ' ', '=', '=', '+', '+'},
    {SlideFeature::kInv, Randomisation::kNormPlus, 4, ' ', '-', '-', '-', '\0'},
    {SlideFeature::kInv, Randomisation::kNormMinus, 3, ' ', '=', '+', '+', '+'},
    {SlideFeature::kInv, Randomisation::kComb, 3, ' ', '=', '=', '+', '+'},
    {SlideFeature::kL2, Randomisation::kAdd, 5, '=', '=', '+', '+', ' '},
    {SlideFeature::kL2, Randomisation::kMult, 5, '=', '=', '=', '-', ' '},
    {SlideFeature::kL2, Randomisation::kNormPlus, 4, ' ', '-', '-', '-', '\0'},
    {SlideFeature::kL2, Randomisation::kNormMinus, 5, '=', '=', '+', '-', '+'},
    {SlideFeature::kL2, Randomisation::kComb, 5, '=', '=', '=', '-', '+'},
};

// Heuser 2003, Table E.1.
constexpr PublishedTileTab kTileTab[] = {
    {24, 4, 0.063, 0.075}, {24, 5, 0.071, 0.187}, {24, 6, 0.114, 0.347},
    {14, 4, 0.169, 0.232}, {14, 5, 0.271, 0.406}, {14, 6, 0.353, 0.579},
};

}  // namespace

std::span<const PublishedQuota> published_quotas() { return kQuotas; }

double published_values(SlideFeature feature, int depth) {
  return kValues[depth][static_cast<int>(feature)];
}

double published_ties(SlideFeature feature, int depth) {
  return kTies[depth - 1][static_cast<int>(feature)];
}

std::span<const PublishedEffect> published_effects() { return kEffects; }

std::span<const PublishedTileTab> published_tile_tab() { return kTileTab; }

const std::vector<PublishedRank>& published_ranking() {
  // Heuser 2003, Sections 6.1.1 and 6.2.1.
  static const std::vector<PublishedRank> kRanking = {
      {SlideEvaluation::of(SlideFeature::kEu), 0.693, 0.360},
      {SlideEvaluation::of(SlideFeature::kPerm), 0.651, 0.045},
      {SlideEvaluation::of(SlideFeature::kInv), 0.633, 0.047},
      {SlideEvaluation::of(SlideFeature::kMan), 0.624, 0.174},
      {SlideEvaluation::of(SlideFeature::kNb), 0.618, 0.050},
      {SlideEvaluation::of(SlideFeature::kL2), 0.562, 0.003},
      {{.randomisation = Randomisation::kRandom}, 0.503, 0.001},
      {{}, 0.500, -1},
  };
  return kRanking;
}

}  // namespace ntune::slide3
