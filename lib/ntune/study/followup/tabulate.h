#pragma once

#include <cstdint>
#include <filesystem>

#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/study/study.h"

namespace ntune {

/// How far a table of `tabulate` is filled.
struct Tabulation {
  std::int64_t points = 0;        ///< with as many observations as asked for
  std::int64_t all_points = 0;    ///< of the space
  std::int64_t observations = 0;  ///< of all points
  bool finished = false;
};

/// Evaluates every allowed point of a study's only objective until it has `times` observations, and
/// writes them as a table for `objective: {table: FILE}`. Rows that the file already has are kept
/// and filled up. The file is replaced whole, now and then, at the end and when `progress.stop` has
/// turned true. It depends on the objective, the seed and `times` alone, not on threads or on how
/// often it was interrupted. In a table by an older version options that it did not have are taken
/// to have their defaults. Throws InputError: several objectives, more than 2^20 points, a file
/// of another objective, space or seed; EvaluationError, after what is complete has been written.
Tabulation tabulate(const Study& study, std::int64_t times, const std::filesystem::path& file,
                    Progress& progress, Parallel& parallel);

}  // namespace ntune
