#pragma once

#include "ntune/games/slide/position.h"

namespace ntune {

/// The heuristic evaluations of SlideThree (Heuser 2003, Definition 4.2.1): estimates of the
/// distance to Win, 0 for Win alone.
enum class SlideFeature { kEu, kMan, kNb, kPerm, kInv, kL2 };
inline constexpr int kSlideFeatures = 6;

/// "Eu", "Man", "Nb", "Perm", "Inv", "L2".
const char* slide_feature_name(SlideFeature feature);

/// The feature of a position by its definition, square by square: the slow twin of SlideTables.
double slide_feature(SlideFeature feature, const SlidePosition<3>& position);

}  // namespace ntune
