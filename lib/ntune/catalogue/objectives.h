#pragma once

#include <span>

#include "ntune/objective/objective_entry.h"

namespace ntune {

std::span<const ObjectiveEntry> objective_table();

/// The entry that a study's `objective:` map selects. Throws InputError with the names allowed.
const ObjectiveEntry& find_objective(const YamlNode& objective);

/// The line of the table for `objective: {match: …}`, which finds what plays in the same table.
ObjectiveEntry match_entry();

}  // namespace ntune
