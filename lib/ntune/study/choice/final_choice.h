#pragma once

#include <cstdint>

#include "ntune/core/parallel.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Evaluator;

/// Chooses what one repeat of a cell recommends: compares what its finished runs recommend, the
/// default and the starts by fresh evaluations, and holds the best one out. `pick.repeat` says
/// which repeat; without a finished run the pick stays unfinished. Throws EvaluationError.
void choose_recommendation(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
                           const CellResult& cell, Pick& pick);

}  // namespace ntune
