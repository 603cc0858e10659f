#pragma once

#include <array>
#include <cstddef>

namespace ntune {

/// The heuristic evaluations of SlideThree (Heuser 2003, Definition 4.2.1): estimates of the
/// distance to Win, 0 for Win alone.
enum class SlideFeature { kEu, kMan, kNb, kPerm, kInv, kL2 };
inline constexpr int kSlideFeatures = 6;

inline const char* slide_feature_name(SlideFeature feature) {
  constexpr std::array<const char*, kSlideFeatures> kNames = {"Eu",   "Man", "Nb",
                                                              "Perm", "Inv", "L2"};
  return kNames[static_cast<std::size_t>(feature)];
}

}  // namespace ntune
