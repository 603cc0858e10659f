#pragma once

#include <fmt/format.h>

#include "apps/common/progress.h"
#include "ntune/core/text.h"
#include "ntune/study/study.h"

namespace ntune::cli {

/// A display of the evaluations and runs of a study.
inline ProgressDisplay show_study(StudyProgress& progress, const Terminal& terminal, bool quiet) {
  const auto look = [&progress] {
    const auto runs = static_cast<double>(progress.runs.load());
    const auto total = static_cast<double>(progress.total_runs);
    return ProgressView{.done = progress.evaluations,
                        .total = progress.total_evaluations,
                        .unit = "evaluations",
                        .more = fmt::format("{} of {} runs", count_text(runs), count_text(total))};
  };
  return {look, progress.stop, terminal, quiet};
}

}  // namespace ntune::cli
