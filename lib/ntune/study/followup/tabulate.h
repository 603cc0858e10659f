#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// How far a table of `tabulate` is filled.
struct Tabulation {
  std::int64_t points = 0;        ///< with as many observations as asked for
  std::int64_t all_points = 0;    ///< of the space
  std::int64_t observations = 0;  ///< of all points
  bool finished = false;
  std::int64_t failures = 0;      ///< evaluations whose points were left as they are
  std::string last_failure = {};  ///< what is said of the last of them
};

/// Evaluates every allowed point of a study's only objective until it has `times` observations, and
/// writes them as a table for `objective: {table: FILE}`. Rows that the file already has are kept
/// and filled up. What has been observed is appended at once. At the end, and when `progress.stop`
/// has turned true, the file is replaced whole, in the order of the points. It depends on the
/// objective, the seed and `times` alone, not on threads or on how often it was interrupted. In a
/// table by an older version options that it did not have are taken to have their defaults. Throws
/// InputError: several objectives, more than 2^20 points, a file of another objective, space or
/// seed, or one that another process fills. A failure is treated by the study's rule:
/// EvaluationError, or the rest of its point is left out, or a value.
Tabulation tabulate(const Study& study, std::int64_t times, const std::filesystem::path& file,
                    Progress& progress, Parallel& parallel);

}  // namespace ntune
