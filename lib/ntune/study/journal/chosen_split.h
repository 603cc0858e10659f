#pragma once

#include <string_view>

#include "ntune/study/budget/split_advice.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Fills in the plan of a study with `split: auto`; false where it is known already.
bool take_chosen_split(Study& study, const RunPlan& split);

/// Fills in the plan of a study with `split: auto`, which has been chosen before: as its journal
/// says, so that neither time nor another version changes what was begun. False where the text of
/// the journal does not say.
bool take_chosen_split(Study& study, std::string_view journal);

/// The same, or else by simulation (advise_split).
void settle_split(Study& study, std::string_view journal);

}  // namespace ntune
