#pragma once

#include <span>

#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

/// The thesis's intervals by their ends, as far as its tables name them, and a weak one before and
/// an intense one behind them.
std::span<const double> intensities_of(Randomisation randomisation);

/// Winning quotas of all evaluations and randomisations over the whole range of intensities, at one
/// depth and DTW, and how broad the range is in which chance helps. Tables 6.2, 6.3 and 7.1 of
/// Heuser (2003), Tables 1 to 4 of Althöfer and Heuser (2005).
Reproduction reproduce_intensities(Laboratory& laboratory);
/// Table 6.4 of Heuser (2003): whether weak randomisation raises the fat quota.
Reproduction reproduce_weak(Laboratory& laboratory);

}  // namespace ntune::slide3
