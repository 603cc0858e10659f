#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "ntune/study/model/study.h"

namespace ntune {

/// What a study takes, as far as the durations of single evaluations tell.
struct Workload {
  std::int64_t evaluations = 0;  ///< at most
  std::int64_t at_once = 1;      ///< evaluations of the search at the same time
  double seconds = 0.0;          ///< of evaluations; optimisers not counted
};

/// `seconds` holds the duration of one evaluation of each objective, `threads` >= 1 how many are
/// carried out at once where the study allows it. The plans must be settled, or `advise_split` be
/// asked for: then one run is reckoned with.
Workload workload_of(const Study& study, std::span<const double> seconds, int threads);

/// "300 evaluations, about 11.5 min at 2.3 s, 1 at a time". `cost`: what one took of a budget of
/// costs, where that is not its duration.
std::string workload_text(const Study& study, std::span<const double> seconds, int threads,
                          std::optional<double> cost = {});

}  // namespace ntune
