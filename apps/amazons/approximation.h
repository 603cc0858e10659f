#pragma once

#include <string>
#include <vector>

#include "apps/amazons/coverage.h"
#include "ntune/core/json.h"
#include "ntune/core/statistics.h"

namespace ntune::amazons {

/// How far off the answers of a variant are within a limit, over all cases.
struct Approximation {
  std::string variant;
  double limit = 0.0;
  std::string limit_text;
  int finished = 0;
  RunningStats temperature;  ///< absolute errors
  RunningStats mean;
};

/// Approximations by variant and limit. Empty where it is interrupted.
std::vector<Approximation> approximations(CaseRunner& runner,
                                          const std::vector<TdsOptions>& variants,
                                          const Limits& limits);
std::vector<Json> rows_of(const std::vector<Approximation>& approximations, const Limits& limits);
std::string table_of(const std::vector<Approximation>& approximations);

}  // namespace ntune::amazons
