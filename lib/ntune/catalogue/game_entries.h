#pragma once

#include <vector>

#include "ntune/objective/objective_entry.h"

namespace ntune {

/// The lines of the table of objectives for the games; empty in a build without them.
std::vector<ObjectiveEntry> game_entries();

}  // namespace ntune
