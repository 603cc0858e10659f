#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

/// The iterate of `spsa_duels`: names of parameters, and values between those of the grid, in the
/// order of the space.
using Iterate = std::vector<std::pair<std::string, double>>;

/// Whether the optimiser of the study has an iterate.
bool has_iterate(const Study& study);

/// Where the iterate of a study's recommended run is now: the journal's matches are told again.
/// Empty for another optimiser, a comparison, and a journal without evaluations. Without a finished
/// recommendation it is that of run 0. Throws InputError for what is no folder of a study.
Iterate recorded_iterate(const std::filesystem::path& folder);

/// "12.75": what is not rounded to the grid, without the noise of the arithmetic.
std::string iterate_text(double value);

/// A heading and a line of each parameter; empty without an iterate.
std::string iterate_lines(const Iterate& iterate);

/// {"Mobility": 12.75, …}
Json iterate_json(const Iterate& iterate);

}  // namespace ntune::cli
