#pragma once

#include <memory>
#include <optional>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

struct TrapOptions {
  int dimensions = 12;
  int block = 4;  ///< parameters per trap; divides `dimensions`

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// Deceptive traps (Ackley 1987; Deb and Goldberg 1993): a mean over consecutive blocks of b
/// parameters, of which u are one. A block counts 1 if u = b, else (b - 1 - u) / b. So every step
/// but the last leads away from the optimum 1. A value of at least 0.5 counts as one. Throws
/// InputError if `block` does not divide `dimensions`.
std::unique_ptr<BenchmarkFunction> make_trap(const TrapOptions& options = {});

}  // namespace ntune
