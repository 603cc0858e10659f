#pragma once

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "apps/common/progress.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

/// A display of the evaluations and runs of a study. `add` may say more in the view.
inline ProgressDisplay show_study(StudyProgress& progress, const Terminal& terminal, bool quiet,
                                  std::function<void(ProgressView&)> add = {}) {
  const auto look = [&progress, add = std::move(add)] {
    const auto runs = static_cast<double>(progress.runs.load());
    const auto total = static_cast<double>(progress.total_runs);
    ProgressView view{.done = progress.evaluations,
                      .total = progress.total_evaluations,
                      .before = progress.recalled,
                      .unit = "evaluations"};
    if (progress.total_runs != 1) {
      const std::string all = count_text(total);
      view.more = fmt::format("{:>{}} of {} runs", count_text(runs), all.size(), all);
    }
    if (progress.cost_limit > 0.0) {
      view.more += fmt::format("{}cost {:.4g} of {:.4g}", view.more.empty() ? "" : "  ",
                               progress.cost_used.load(), progress.cost_limit);
    }
    view.seconds_limit = progress.seconds_limit;
    view.seconds_used = progress.seconds_used;
    if (add) add(view);
    return view;
  };
  return {look, progress.stop, terminal, quiet};
}

/// A display of evaluations that a test may end early.
inline ProgressDisplay show_test(StudyProgress& progress, const Terminal& terminal, bool quiet) {
  const auto look = [&progress] {
    return ProgressView{.done = progress.evaluations,
                        .total = progress.total_evaluations,
                        .before = progress.recalled,
                        .unit = "evaluations at most"};
  };
  return {look, progress.stop, terminal, quiet};
}

}  // namespace ntune::cli
