#pragma once

#include "ntune/study/results/saved_result.h"

namespace ntune {

/// What the matches of the searches say beside the value.
SavedDuels saved_duels(const Objective& objective, const CellResult& cell);

/// True if a parameter that `after` uses has another value in `before`, or is not used there.
bool has_moved(const SearchSpace& space, const Point& before, const Point& after, int parameter);

}  // namespace ntune
