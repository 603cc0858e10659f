#pragma once

#include <memory>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

struct OneMaxOptions {
  int dimensions = 10;
  int values = 2;  ///< per parameter: 0 … values - 1

  void visit(Options& options);
};

/// OneMax for any number of values: the mean of x_i / (values - 1). Optimum 1, where all parameters
/// have their last value.
std::unique_ptr<BenchmarkFunction> make_one_max(const OneMaxOptions& options = {});

}  // namespace ntune
