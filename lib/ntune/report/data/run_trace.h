#pragma once

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

struct RunTrace {
  std::size_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  bool whole = false;  ///< it reached its end
  std::vector<Checkpoint> checkpoints = {};
};

/// One evaluation of a search.
struct SearchEvaluation {
  std::size_t cell = 0;
  Point point = {};
  double payoff = 0.0;
  double progress = 0.0;  ///< share of its run that was over, 0 to 1
};
using VisitEvaluation = std::function<void(const SearchEvaluation&)>;

struct TraceOptions {
  double patience = 3.0;            ///< seconds for making runs again
  std::int64_t replayed = 250'000;  ///< evaluations of a journal that are gone through again
  int threads = 0;
};

struct Traces {
  std::vector<RunTrace> runs = {};  ///< by cell, repeat, run
  std::int64_t of = 0;              ///< runs that the study has begun or finished
  std::int64_t evaluations = 0;     ///< searched, that were passed to visit
  std::int64_t evaluated_runs = 0;  ///< runs that these are from
  bool made_again = false;  ///< the journal keeps runs, or none is kept: the same runs, made afresh
  std::string problem = {};  ///< why there are none; empty: there are
};

/// Goes through the runs of a study again, from the journal's evaluations. Where the journal keeps
/// runs alone, they are made again, which gives the same evaluations. That is for objectives of
/// this process only; run 0 of every cell comes first, then as many as the patience allows. Passes
/// search evaluations to `visit`, in an order that does not depend on threads.
Traces trace_runs(const StudyFolder& study, const TraceOptions& options,
                  const VisitEvaluation& visit);

}  // namespace ntune
