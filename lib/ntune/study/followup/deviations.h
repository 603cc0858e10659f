#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// How a change of one parameter compares with the point that it changes.
enum class DeviationVerdict {
  kWorse,      ///< the interval of the difference lies below 0, or all of it fails
  kBetter,     ///< the interval lies above 0
  kUndecided,  ///< the interval holds 0, or failures speak against what it says
  kUntested    ///< too few evaluations were left to test it
};

/// "worse", …
const char* verdict_name(DeviationVerdict verdict);

/// One parameter at another value; parameters that become active with it take their defaults, or
/// else their first values.
struct Deviation {
  int parameter = 0;
  std::uint16_t value = 0;
  Point point = {};
  bool is_default = false;    ///< the value is the parameter's default
  bool is_neighbour = false;  ///< the next value of an ordered parameter, any of an unordered one
  /// To the point's payoff with the same random stream; over instances by their weights.
  RunningStats difference = {};
  std::int64_t pairs = 0;  ///< payoffs that it is of
  std::int64_t tried = 0;
  std::int64_t failed = 0;  ///< without a payoff, of those tried
  /// Simultaneous interval of the mean difference: with 95 % all intervals of all looks hold.
  /// There is none where the sample is too small.
  std::optional<Interval> interval = {};
  DeviationVerdict verdict = DeviationVerdict::kUntested;
};

struct DeviationOptions {
  std::int64_t evaluations = 10'000;  ///< at most
};

struct Deviations {
  Point point;
  RunningStats payoffs;           ///< of the point itself
  std::int64_t failed = 0;        ///< of it, without a payoff
  std::vector<Deviation> tested;  ///< in budget order; untested ones last
  std::int64_t evaluations = 0;
  std::int64_t failures = 0;
  EarlyEndings endings = {};  ///< of all evaluations
  int looks = 0;              ///< how often the intervals were computed
  bool stopped = false;
};

/// All allowed points that differ from `point` in one parameter, in budget order: neighbours and
/// defaults first, then by distance. `defaults` is nullptr where none are known.
std::vector<Deviation> one_step_deviations(const SearchSpace& space, const Point& point,
                                           const Point* defaults);

/// Evaluates the deviations from a point by successive elimination (Even-Dar, Mannor and Mansour
/// 2006) with paired differences. Every round evaluates the undecided deviations and the point
/// itself on the same new random streams, as many as in all rounds before. It ends when each is
/// better or worse than the point with confidence, or when the evaluations are spent. Deviations
/// that the evaluations cannot give 16 each are not tested. Intervals are those of paired
/// differences at the confidence 1 - 0.05 / (tested * looks) (Bonferroni). The same for any number
/// of threads. Throws EvaluationError. `log` remembers evaluations, for a test that is interrupted.
Deviations test_deviations(const Study& study, const Point& point,
                           std::vector<Deviation> deviations, const DeviationOptions& options,
                           StudyProgress& progress, StudyLog* log = nullptr);

}  // namespace ntune
