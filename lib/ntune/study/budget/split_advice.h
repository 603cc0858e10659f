#pragma once

#include <string>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// One way to spend the budget, and how it did on synthetic landscapes.
struct SplitCandidate {
  RunPlan plan;
  RunningStats score;   ///< true value of the final pick over the landscapes that it was tried on
  RunningStats behind;  ///< the same less that of the best way, landscape by landscape
};

struct SplitAdvice {
  std::vector<SplitCandidate> candidates;
  std::size_t best = 0;
  std::int64_t simulated_budget = 0;  ///< smaller than the study's if that is above 20,000
  std::int64_t landscapes = 0;        ///< landscapes that the best way was tried on
};

/// Answers `split: auto`: tries ways to spend the study's budget and puts the best into
/// `study.plans`. It tries them on random landscapes over the study's search space, with
/// win-or-loss noise if the objective is noisy. The optimiser is the study's first without a
/// `longest_single_run` (optimisers.h); there must be one. There are four rounds on fresh
/// landscapes. After a round a way drops out if it is three standard errors of the paired
/// difference behind the best; its share of the simulation goes to the others. Costs no evaluation
/// of the objective; a few seconds of computation.
SplitAdvice advise_split(Study& study, StudyProgress& progress);

/// The candidates as a table.
std::string advice_text(const SplitAdvice& advice);

}  // namespace ntune
