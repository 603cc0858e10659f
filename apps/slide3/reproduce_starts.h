#pragma once

#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

/// Appendix C of Heuser (2003): games from Start beside games from DTW 24.
Reproduction reproduce_starts(Laboratory& laboratory);
/// Appendix F of Heuser (2003): Perm and L2 rounded to whole numbers.
Reproduction reproduce_rounded(Laboratory& laboratory);
/// Equation 3.4 of Heuser (2003): how many positions SlideK has, counted for K = 2 and 3.
Reproduction reproduce_count(Laboratory& laboratory);

}  // namespace ntune::slide3
