#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

/// A distinct recommendation of the runs and how it fared in fresh evaluations. Reported unit.
struct Rival {
  Point point = {};
  std::int64_t runs = 0;
  bool recommended = false;  ///< the study's choice
  bool stopped = false;      ///< it could no longer win: the mean is of its first evaluations
  std::int64_t n = 0;        ///< fresh evaluations: comparison and hold-out
  double mean = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %, of the mean
  std::optional<double> true_value = {};
  std::optional<double> best_probability = {};  ///< of being the best of those with n > 0
  std::optional<double> regret = {};            ///< expected shortfall from the best of them
};

/// The recommendations of a study of one cell as result.json has them, the study's choice first,
/// then by mean. Empty where the result does not hold them.
std::vector<Rival> rivals_of(const StudyFolder& study);

}  // namespace ntune
