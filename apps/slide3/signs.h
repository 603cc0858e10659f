#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ntune/games/slide/evaluation.h"

namespace ntune::slide3 {

/// What chance does to a winning quota: '+' or '-' if the normal 95 % intervals of the two quotas,
/// of so many games each, have no number in common (Heuser 2003, Section 5.2.2), else '='.
char sign_of(double quota, double plain, std::int64_t games);
/// "+", "-", "≈".
std::string sign_text(char sign);

/// How a winning quota goes with the intensity of a randomisation (Heuser 2003, Section 6.2.2):
/// 1 rises at once, 2 rises later, 3 does not rise and falls in the end, 4 falls at once and for
/// good; 5 is none of these. 1 and 2 fall again within the intensities.
struct Pattern {
  int number = 5;
  char sign = '=';  ///< whether the quota rises or falls at any intensity
};
/// The pattern of quotas by rising intensity.
Pattern pattern_of(double plain, std::span<const double> quotas, std::int64_t games);
/// "1", "5 ≈".
std::string pattern_text(const Pattern& pattern);

/// "Det", "Add", "Mult", "Norm+", "Norm-", "Comb".
const char* randomisation_title(Randomisation randomisation);

}  // namespace ntune::slide3
