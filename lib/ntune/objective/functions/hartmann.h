#pragma once

#include <memory>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

/// Hartmann's functions on [0, 1]^d (Dixon and Szegö 1978), as probabilities of a win (Goodman and
/// Lucas 2020, section 4.1): sum_i alpha_i exp(-sum_j A_ij (x_j - P_ij)^2) / 4.
/// Default grid: d = 3 with 10 values, d = 6 with 5 values per parameter.
std::unique_ptr<BenchmarkFunction> make_hartmann3(const NoOptions& options = {});
std::unique_ptr<BenchmarkFunction> make_hartmann6(const NoOptions& options = {});

/// Hartmann-6 with P[2][0] = 0.2548, as the framework TAG has it, for 0.2348 of the literature.
std::unique_ptr<BenchmarkFunction> make_hartmann6_tag(const NoOptions& options = {});

}  // namespace ntune
