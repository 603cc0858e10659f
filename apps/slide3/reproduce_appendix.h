#pragma once

#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

/// The figures of Chapter 7 of Heuser (2003): winning quota against the intensity of Add and Norm-
/// with Win worth 0, as in the first programs, and -1000, as in the repaired ones.
Reproduction reproduce_repair(Laboratory& laboratory);
/// Appendix B of Heuser (2003): for every evaluation and DTW 14 and 24, winning quota and fat quota
/// against the intensity of Add, and the winning quota of fat tie-breaks.
Reproduction reproduce_fat(Laboratory& laboratory);
/// Appendix D of Heuser (2003): winning quota against DTW 8 to 18 for every evaluation with and
/// without Add, and for Random Play and Random Evaluation.
Reproduction reproduce_distances(Laboratory& laboratory);

}  // namespace ntune::slide3
