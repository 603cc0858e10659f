#pragma once

#include "apps/slide3/reproduce.h"

namespace ntune::slide3 {

/// Figures 6.1 (every evaluation, intensities from 0 to 10) and 6.2 (DTW 8 to 18) of Heuser (2003).
Reproduction reproduce_intensity(Laboratory& laboratory);
Reproduction reproduce_distance(Laboratory& laboratory);

}  // namespace ntune::slide3
