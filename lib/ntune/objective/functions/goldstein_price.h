#pragma once

#include <memory>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

/// Goldstein and Price's function f on [-2, 2]^2 (Dixon and Szegö 1978) as the probability of a win
/// p = (400 - f) / 500, floored at 0 (Goodman and Lucas 2020, section 4.1). Default grid: 20 x 20,
/// upper ends excluded.
std::unique_ptr<BenchmarkFunction> make_goldstein_price(const FloorOptions& options = {});

}  // namespace ntune
