#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"

namespace ntune {

struct Study;

/// Calls `visit` for the options of each objective of a study's configuration. Where an objective
/// is matches between the points of another one, the options of that one follow.
void for_each_objective(Json& config, const std::function<void(Json&)>& visit);

/// Calls `visit` for each objective that the configuration names, not for those within matches.
void for_each_named_objective(Json& config, const std::function<void(Json&)>& visit);
/// Calls `visit` for the options of each optimiser of a configuration, and of those that it starts.
void for_each_optimiser(Json& config, const std::function<void(Json&)>& visit);
/// Calls `visit` for these options of an optimiser, or a list of them, and of those that it starts.
void for_each_started(Json& optimisers, const std::function<void(Json&)>& visit);

/// Options of an objective that may name files; see ObjectiveEntry::files.
std::vector<std::string> file_options(const Json& objective);

/// True if the options of an objective have this key, or those of the one whose points it matches.
bool has_option(const Json& objective, const char* key);

/// Whether a study has no command: its evaluations are carried out by programs that ask for them,
/// in their own code (`ask_tell`).
bool is_asked(const Study& study);

}  // namespace ntune
