#pragma once

#include <span>

#include "ntune/core/parallel.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Evaluator;

/// Measures what the run of a study with several goals holds for its front, and the default, by
/// fresh evaluations: equally many of all, call i of every setting with the same stream. Fills in
/// the pick. Nothing where the run has found nothing, or the study is stopped.
void choose_front(Evaluator& evaluator, Parallel& parallel, const Objective& objective,
                  std::span<const RunRecord> runs, Pick& pick);

}  // namespace ntune
