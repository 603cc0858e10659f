#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/re_evaluation.h"
#include "ntune/study/run_plan.h"

namespace ntune {

struct StudyObjective {
  std::string label;
  Json options;
  std::shared_ptr<const Objective> objective;
};

struct StudyOptimiser {
  std::string label;
  Json options;
  std::vector<OptimiserPlan> plans;  ///< per objective
};

/// What a table of several cells counts: what each run recommends, or what each repeat picks.
enum class Unit { kRuns, kPicks };

/// What a study asks for, all defaults filled in. Its cells are all combinations of objective, plan
/// and optimiser; each cell is repeated `repeats` times.
struct Study {
  std::string name;
  std::uint64_t seed = 1;
  int threads = 0;
  std::int64_t repeats = 1;
  std::vector<StudyObjective> objectives;
  std::vector<StudyOptimiser> optimisers;
  std::vector<RunPlan> plans;
  ReEvaluationOptions re_evaluation;
  Unit unit = Unit::kPicks;
  bool record_evaluations = false;
  std::string published_file;  ///< CSV to print beside the table; empty: none
  /// `split: auto`: the budget for which `advise_split` must fill in `plans`; 0: none asked.
  std::int64_t advise_budget = 0;
  Json config;  ///< the study file with every default, enough to repeat the study

  [[nodiscard]] std::size_t cells() const {
    return objectives.size() * plans.size() * optimisers.size();
  }
  /// True if every objective knows the true value of its points.
  [[nodiscard]] bool true_values_known() const;
  /// True if the result is a table of cells, false if it is one recommendation.
  [[nodiscard]] bool is_comparison() const { return cells() > 1 || repeats > 1; }
};

/// One recorded evaluation.
struct Evaluation {
  Point point;
  double payoff = 0.0;
};

/// What one run did. Values are in the objective's reported unit.
struct RunRecord {
  bool finished = false;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t evaluations = 0;
  Point point;
  double estimate = 0.0;               ///< what the model believes the point to be worth
  std::int64_t point_evaluations = 0;  ///< how often the run evaluated this very point
  std::optional<double> true_value;
  RunningStats hold_out;          ///< of this run's recommendation, for Unit::kRuns
  std::vector<Evaluation> trace;  ///< if evaluations are recorded

  /// True value, or else the hold-out mean; nothing if neither is known.
  std::optional<double> score;
};

/// The final choice of one repeat of a cell.
struct Pick {
  bool finished = false;
  std::int64_t repeat = 0;
  std::int64_t run = 0;  ///< the first run that recommended it
  Point point;
  double estimate = 0.0;
  RunningStats re_evaluation;
  RunningStats hold_out;
  std::optional<Interval> interval;  ///< 95 %, of the hold-out mean
  std::optional<double> true_value;
  std::int64_t re_evaluations = 0;  ///< of all candidates
  std::int64_t evaluations = 0;     ///< all, the runs included
  std::optional<double> score;      ///< true value, or else the hold-out mean
  std::vector<Evaluation> trace;
};

struct CellResult {
  std::size_t objective = 0;
  std::size_t plan = 0;
  std::size_t optimiser = 0;
  std::vector<RunRecord> runs;  ///< repeats * runs, by repeat and run; unfinished ones too
  std::vector<Pick> picks;      ///< per repeat
};

struct StudyResult {
  bool interrupted = false;
  std::vector<CellResult> cells;  ///< by objective, plan, optimiser
  std::int64_t search_evaluations = 0;
  std::int64_t re_evaluations = 0;
  std::int64_t hold_out_evaluations = 0;

  [[nodiscard]] std::int64_t evaluations() const {
    return search_evaluations + re_evaluations + hold_out_evaluations;
  }
};

/// What an observer may look at while a study runs, and the switch that stops it.
struct StudyProgress {
  std::atomic<std::int64_t> evaluations{0};
  std::atomic<std::int64_t> runs{0};
  std::int64_t total_evaluations = 0;  ///< at most
  std::int64_t total_runs = 0;
  std::atomic<bool> stop{false};
};

/// Most evaluations that the study may spend.
std::int64_t total_evaluations(const Study& study);

/// Runs a study. The result depends on the study and its seed alone, not on the number of threads.
/// Throws EvaluationError. When `progress.stop` turns true it returns soon with what is finished.
StudyResult run_study(const Study& study, StudyProgress& progress);

}  // namespace ntune
