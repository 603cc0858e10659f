#pragma once

#include "ntune/objective/objective_entry.h"

namespace ntune {

/// The line of the table for `objective: {match: …}`, which finds what plays in the same table.
ObjectiveEntry match_entry();

}  // namespace ntune
