#pragma once

#include <filesystem>
#include <string>

#include "ntune/core/json.h"
#include "ntune/facts/fact.h"
#include "ntune/study/followup/merge.h"

namespace ntune {

/// The picks by their values, the best first; none of a comparison.
Facts merge_facts(const Merge& merge);

/// A text for a person: the recommendation with the table of picks, or the table of cells.
std::string merge_text(const Merge& merge);

/// result.json of a merge: that of a study with `seeds` in place of `seed`, and `picks`.
Json merge_json(const Merge& merge);

/// runs.csv of all folders with the column `seed` in front.
std::string merged_runs_csv(const Merge& merge);

/// Writes result.json and runs.csv, each whole or not at all. Throws InputError.
void write_merge(const std::filesystem::path& folder, const Merge& merge);

}  // namespace ntune
