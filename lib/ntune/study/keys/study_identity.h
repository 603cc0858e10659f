#pragma once

#include <cstddef>
#include <string>

#include "ntune/core/json_fwd.h"

namespace ntune {

struct Study;

/// Options of a command that change no finished evaluation, only how one is waited for or tried.
inline constexpr const char* kCommandPatience[] = {"timeout", "timeout_retries", "retries",
                                                   "backoff", "memory",          "max_output"};

/// A recorded configuration whose objectives have every option of this version: those that the
/// version which wrote it did not know have their defaults. What cannot be read stays as it is.
Json with_present_options(const Json& config);

/// A recorded configuration with the rules of the version that wrote it, where rules have changed
/// since. Before there was a `fail_limit`, searches were not told of failures. Before there was
/// `instance_blocks`, every evaluation of a race had an instance of its own. Before a budget of
/// costs had a `cost_exponent`, costs did not guide searches. Before N-tuple models had `unseen`, a
/// tuple without payoffs was worth 0. Before `auto` had a `k`, it was 3. Before models had a
/// `scale`, they took payoffs as they are. Before there was
/// `learn_from_penalties`, searches took them for ordinary payoffs. Before there was `penalty`,
/// that of any cutoff was in seconds, and before there was `unsolved`, exit status 0 was a success.
Json with_recorded_rules(Json config);

/// Plans the searches of a study anew by the rules of the version that wrote a configuration of the
/// same study: for unseen tuples, and for the k and the scale of Gaussian processes.
void keep_search_rules(const Json& written, Study& study);

/// Whether a recorded configuration has such a budget of costs.
bool lacks_cost_exponent(const Json& config);

/// Whether evaluations of this configuration may bring penalties that its searches are to know of.
bool has_penalties(const Json& config);

/// Whether a search of this configuration compares points within blocks of one instance, where the
/// rules are those of this version.
bool compares_in_blocks(const Json& config);

/// A study's configuration without what may differ between two files of one study. That is where
/// files are seen from, what is printed beside the result, and keys that older versions did not
/// write.
Json comparable_config(const Json& config);

/// True if the study has a limit of time or cost.
bool has_limits(const Json& config);

/// A comparable configuration without all that a study may be given more of, and without the space.
Json study_identity(const Json& config);

/// True if both are the same study. Digests of tables count where both have one.
bool is_same_study(const Json& one, const Json& other);
/// True if they differ at most in what a study may be given more of, and in the space.
bool is_same_study_but_for_size(const Json& one, const Json& other);

/// How often the study had been given more.
std::size_t stages_of_config(const Json& config);

/// What of two configurations of one study is different without changing what a finished evaluation
/// was, such as "'objective.timeout' is 60 there, 30 here", with semicolons between; or empty.
std::string harmless_difference(const Json& there, const Json& here);

/// "'space.x.default' is 1 there, 2 here" for the first difference; empty for equal ones.
std::string config_difference(const Json& there, const Json& here);

}  // namespace ntune
