#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/run_record.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Evaluator;

/// The part of a run that it made before it was given more.
struct RunStage {
  std::int64_t iterations = 0;          ///< of all stages so far
  const OptimiserPlan* plan = nullptr;  ///< the optimiser, made for the space
  bool has_starts = true;               ///< it begins with the starts of the study
  bool adaptive = false;                ///< the plan's optimiser in MultiStart
  const SearchSpace* space = nullptr;   ///< nullptr: the objective's
};

/// One run to be made.
struct RunTask {
  std::uint32_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  const Objective* objective = nullptr;
  const OptimiserPlan* optimiser = nullptr;
  std::int64_t iterations = 0;
  std::int64_t hold_out = 0;   ///< fresh evaluations of what the run recommends
  bool takes_leaders = false;  ///< the record is to hold the points that lead beside its best one
  std::int64_t front = 0;      ///< points of the front of several goals that the record is to hold
  bool claims = false;         ///< it says how sure it is of what it recommends
  const Beginning* beginning = nullptr;
  Rng stream;
  std::vector<RunStage> earlier = {};  ///< what it goes on from, oldest first
  bool keeps_trace = false;            ///< the record is to hold the trace of the search

  /// Names an evaluation of its search.
  [[nodiscard]] EvaluationKey key(std::int64_t index) const {
    return {.cell = cell, .repeat = repeat, .run = run, .index = index};
  }
};

/// Run `run` of a repeat of a cell. Its streams are the same in every cell: cells are compared in
/// pairs.
RunTask make_run_task(const Study& study, std::uint32_t cell, std::int64_t repeat,
                      std::int64_t run);

/// Whether no run claims what its recommendation is worth, and the chosen one is made again for
/// that. So it is in studies of many runs whose evaluations can be repeated at will: claims would
/// take longer than all else there.
bool claims_when_chosen(const Study& study);
/// Makes a run of such a study again; what it claims.
std::optional<Certainty> claim_again(const Study& study, std::uint32_t cell, std::int64_t repeat,
                                     std::int64_t run);

/// From payoffs to the reported unit.
void to_reported(const Unit& unit, Certainty& certainty);

/// One run: ask, evaluate, tell until the task's iterations are used; then the recommendation. With
/// several evaluations in flight, results are told in the order of the asks, however they finish.
/// Streams: `task.stream` gives a stream for the optimiser and one per evaluation. The record is
/// unfinished if stopped midway, and if every evaluation has failed.
RunRecord run_once(const RunTask& task, Evaluator& evaluator, Parallel& parallel);

}  // namespace ntune
