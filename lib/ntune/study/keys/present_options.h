#pragma once

#include "ntune/core/json_fwd.h"

namespace ntune {

struct Study;

/// A recorded configuration whose objectives have every option of this version: those that the
/// version which wrote it did not know have their defaults. What cannot be read stays as it is.
Json with_present_options(const Json& config);

/// A recorded configuration with the rules of the version that wrote it, where rules have changed
/// since. Before there was a `fail_limit`, searches were not told of failures. Before there was
/// `instance_blocks`, every evaluation of a race had an instance of its own. Before a budget of
/// costs had a `cost_exponent`, costs did not guide searches. Before N-tuple models had `unseen`, a
/// tuple without payoffs was worth 0. Before there was `learn_from_penalties`, searches took them
/// for ordinary payoffs. Before there was `penalty`, that of any cutoff was in seconds, and before
/// there was `unsolved`, exit status 0 was a success.
Json with_recorded_rules(Json config);

/// Plans the searches of a study anew by the rule for unseen tuples of the version that wrote a
/// configuration of the same study.
void keep_unseen_tuples(const Json& written, Study& study);

/// Whether a recorded configuration has such a budget of costs.
bool lacks_cost_exponent(const Json& config);

/// Whether evaluations of this configuration may bring penalties that its searches are to know of.
bool has_penalties(const Json& config);

/// Whether a search of this configuration compares points within blocks of one instance, where the
/// rules are those of this version.
bool compares_in_blocks(const Json& config);

}  // namespace ntune
