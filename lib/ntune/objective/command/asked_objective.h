#pragma once

#include "ntune/objective/objective_entry.h"

namespace ntune {

/// The line of the table of objectives for `ask_tell`, which somebody else evaluates.
ObjectiveEntry asked_entry();

}  // namespace ntune
