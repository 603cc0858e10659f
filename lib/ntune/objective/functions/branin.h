#pragma once

#include <memory>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

/// Branin's function f on [-5, 10] x [0, 15] (Dixon and Szegö 1978) as the probability of a win
/// p = (10 - f) / 12, floored at 0 (Goodman and Lucas 2020, section 4.1). Default grid: 20 x 20,
/// upper ends excluded.
std::unique_ptr<BenchmarkFunction> make_branin(const FloorOptions& options = {});

}  // namespace ntune
