#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ntune/report/data/study_folder.h"

namespace ntune {

/// What a run would have recommended after so many evaluations, in the reported unit.
struct Checkpoint {
  std::int64_t evaluations = 0;
  double estimate = 0.0;
  std::optional<double> true_value = {};
  Point point = {};
};

/// What a run thought its best setting to be worth, oldest first: at most 40 of the estimates of
/// its checkpoints, the last one among them.
template <class Checkpoints>
std::vector<double> course_of(const Checkpoints& checkpoints) {
  constexpr std::size_t kMost = 40;
  const std::size_t step = (checkpoints.size() + kMost - 1) / kMost;
  std::vector<double> course;
  for (std::size_t back = 0; back < checkpoints.size(); back += step) {
    course.insert(course.begin(), checkpoints[checkpoints.size() - 1 - back].estimate);
  }
  return course;
}

struct RunTrace {
  std::size_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  bool whole = false;  ///< it reached its end
  std::vector<Checkpoint> checkpoints = {};
};

/// One evaluation of a search, or one payoff of several that a call has brought.
struct SearchEvaluation {
  std::size_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t index = 0;  ///< of the call in its run
  Point point = {};
  bool failed = false;  ///< it has no payoff
  double payoff = 0.0;
  double progress = 0.0;  ///< share of its run that was over, 0 to 1
};
using VisitEvaluation = std::function<void(const SearchEvaluation&)>;

struct TraceOptions {
  std::int64_t replayed = 250'000;  ///< evaluations of a journal that optimisers are told again
  int threads = 0;
};

struct Traces {
  std::vector<RunTrace> runs = {};  ///< by cell, repeat, run
  std::int64_t of = 0;              ///< runs that the study has begun or finished
  std::int64_t evaluations = 0;     ///< payoffs of searches, that were passed to visit
  std::int64_t evaluated_runs = 0;  ///< runs that these are from
  /// Why it is not all runs: "the study keeps the evaluations of these"; or, where there are none,
  /// why not. Empty: it is all of them.
  std::string problem = {};

  [[nodiscard]] bool is_whole() const { return std::ssize(runs) >= of && evaluated_runs >= of; }
};

/// Goes through the runs of a study again: from the traces that its journal keeps of them, or from
/// the journal's evaluations. Passes search evaluations to `visit`, in an order that does not
/// depend on threads.
Traces trace_runs(const StudyFolder& study, const TraceOptions& options,
                  const VisitEvaluation& visit);

/// "7 of 10 runs", or "10 runs" where these are all.
std::string share_of_runs(std::int64_t shown, std::int64_t of);

}  // namespace ntune
