#pragma once

#include <cstddef>
#include <string>

#include "ntune/core/json_fwd.h"

namespace ntune {

/// A study's configuration without what may differ between two files of one study. That is where
/// files are seen from, what is printed beside the result, and keys that older versions did not
/// write.
Json comparable_config(const Json& config);

/// True if the study has a limit of time or cost.
bool has_limits(const Json& config);

/// The same without all that a study may be given more of, and without the space.
Json study_identity(const Json& config);

/// True if both are the same study. Digests of tables count where both have one.
bool is_same_study(const Json& one, const Json& other);
/// True if they differ at most in what a study may be given more of, and in the space.
bool is_same_study_but_for_size(const Json& one, const Json& other);

/// How often the study had been given more.
std::size_t stages_of_config(const Json& config);

/// What of two configurations of one study is different without changing what a finished evaluation
/// was, such as "'objective.timeout' is 60 there, 30 here"; empty where nothing is.
std::string harmless_difference(const Json& there, const Json& here);

/// "'space.x.default' is 1 there, 2 here" for the first difference; empty for equal ones.
std::string config_difference(const Json& there, const Json& here, const std::string& path = "");

}  // namespace ntune
