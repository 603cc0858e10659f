#pragma once

#include <cstdint>
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

/// Chooses what one repeat of a cell recommends: compares what its finished runs recommend, the
/// default and the starts by fresh evaluations, and holds the best one out. `pick.repeat` says
/// which repeat; without a finished run the pick stays unfinished. Throws EvaluationError.
void choose_recommendation(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
                           const CellResult& cell, Pick& pick);

}  // namespace ntune
