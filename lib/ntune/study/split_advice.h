#pragma once

#include <string>
#include <vector>

#include "ntune/study/study.h"
#include "ntune/study/summary.h"

namespace ntune {

/// One way to spend the budget, and how it did on synthetic landscapes.
struct SplitCandidate {
  RunPlan plan;
  SampleSummary score;  ///< true value of the final pick over the landscapes
};

struct SplitAdvice {
  std::vector<SplitCandidate> candidates;
  std::size_t best = 0;
  std::int64_t simulated_budget = 0;  ///< smaller than the study's if that is above 20,000
  std::int64_t landscapes = 0;
};

/// Answers `split: auto`: tries ways to spend the study's budget on random landscapes over its own
/// search space, with win-or-loss noise if the objective is noisy, and puts the best into
/// `study.plans`. Costs no evaluation of the objective; a few seconds of computation.
SplitAdvice advise_split(Study& study, StudyProgress& progress);

/// The candidates as a table, best first.
std::string advice_text(const SplitAdvice& advice);

}  // namespace ntune
