#pragma once

#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

/// Table 6.1 and Appendix A of Heuser (2003): Hits of every evaluation with and without chance, by
/// depth, intensity and DTW.
Reproduction reproduce_moves(Laboratory& laboratory);
/// Section 3.2 of Althöfer and Heuser (2005), why chance may help: how often a game comes back to a
/// position, makes a move that is not the best without chance, and breaks a tie to the fuller side.
Reproduction reproduce_reasons(Laboratory& laboratory);

}  // namespace ntune::slide3
