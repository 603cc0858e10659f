#pragma once

#include "apps/common/terminal.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

/// Says that what follows is of means, where the study's value is another aggregate of instances.
inline void note_aggregate(const Study& study, const Terminal& terminal) {
  if (study.instances.empty() || study.instances.aggregate.is_mean()) return;
  terminal.err << "note: what follows is of means over the instances, not of the `aggregate` that "
                  "the study's value is\n";
}

}  // namespace ntune::cli
