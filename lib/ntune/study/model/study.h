#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/model/candidates.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/goal_front.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/model/instances.h"
#include "ntune/study/model/limits.h"
#include "ntune/study/model/run_plan.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

/// Name of the journal in a study's folder.
inline constexpr const char* kJournalName = "journal.log";

/// An objective of a study: its name in tables, its options with every default, and itself.
struct StudyObjective {
  std::string label;
  Json options;
  std::shared_ptr<const Objective> objective;
};

/// An optimiser of a study: its name in tables, its options with every default, and its plans.
struct StudyOptimiser {
  std::string label;
  Json options;
  std::vector<OptimiserPlan> plans;          ///< per objective
  std::vector<OptimiserPlan> adaptive = {};  ///< plans in MultiStart, where one is adaptive

  [[nodiscard]] std::string algorithm() const { return options["algorithm"]; }
  [[nodiscard]] bool is_auto() const { return algorithm() == "auto"; }
};

/// What a table of several cells counts: what each run recommends, or what each repeat picks.
enum class SampleUnit { kRuns, kPicks };

/// What a study's log keeps: every evaluation, or every finished run, or nothing.
enum class Recording { kEvaluations, kRuns, kNone };
/// "evaluations", "runs" or "none".
const char* recording_name(Recording record);

/// How the evaluations of a study are carried out and remembered. Only the rule for failures and
/// the number in flight have a part in the result.
struct Execution {
  int threads = 0;  ///< 0: as many as there are cores
  /// Evaluations of one run that may be in flight at once.
  std::int64_t parallel_evaluations = 1;
  FailurePolicy on_failure;
  Recording record = Recording::kRuns;
};

/// What a study was before it was given more. Its runs go on from the evaluations of the runs that
/// this study made, which a new optimiser with the larger budget adopts.
struct EarlierStage {
  struct Plan {
    std::int64_t runs = 1;
    std::int64_t iterations = 1;
    std::int64_t hold_out = 0;  ///< of each run, where runs are held out
  };

  std::int64_t repeats = 1;
  std::int64_t starts = 0;  ///< points that each run began with: those of today, or none of them
  std::vector<Plan> plans;  ///< as many as the study has
  /// Where the study has a wider space now: the space of that time, and the optimisers for it.
  std::shared_ptr<const SearchSpace> space = nullptr;
  std::vector<OptimiserPlan> optimisers = {};
};

/// What a study asks for, all defaults filled in. Its cells are all combinations of objective, plan
/// and optimiser; each cell is repeated `repeats` times.
struct Study {
  std::string name;
  std::uint64_t seed = 1;
  std::int64_t repeats = 1;
  std::vector<StudyObjective> objectives;
  std::vector<StudyOptimiser> optimisers;
  std::vector<RunPlan> plans;
  std::vector<EarlierStage> earlier = {};  ///< what it was before it was given more, oldest first
  ReEvaluationOptions re_evaluation;
  SampleUnit unit = SampleUnit::kPicks;
  Execution execution;
  Limits limits;
  double cost_exponent = 0.0;               ///< as in OptimiserContext; 0 without a limit of cost
  std::optional<LimitedPlan> limited = {};  ///< with limits; then there is one plan, of one cell
  Beginning beginning;
  Instances instances = {};
  /// Whether searches know which payoffs are penalties, of failures and at the cutoff. Older
  /// versions did not, and ended evaluations of the leading points too.
  bool learn_from_penalties = true;
  std::string published_file;               ///< CSV to print beside the table; empty: none
  std::optional<std::int64_t> budget = {};  ///< where the file has one, of evaluations in all
  /// `split: auto`: the budget for which `advise_split` must fill in `plans`; 0: none asked.
  std::int64_t advise_budget = 0;
  std::filesystem::path folder = {};  ///< folder that files named in the study are relative to
  Json config;  ///< the study file with every default, enough to repeat the study

  [[nodiscard]] std::size_t cells() const {
    return objectives.size() * plans.size() * optimisers.size();
  }
  /// Index of a cell's objective.
  [[nodiscard]] std::size_t objective_of(std::size_t cell) const {
    return cell / (plans.size() * optimisers.size());
  }
  /// Index of a cell's plan.
  [[nodiscard]] std::size_t plan_of(std::size_t cell) const {
    return cell / optimisers.size() % plans.size();
  }
  /// Index of a cell's optimiser.
  [[nodiscard]] std::size_t optimiser_of(std::size_t cell) const {
    return cell % optimisers.size();
  }
  /// What tells a cell from the others: optimiser and plan where there are several.
  [[nodiscard]] std::string cell_label(std::size_t cell, bool with_objective) const;
  /// Name of the algorithm that the runs of a cell use, or the searches of its adaptive plan. For
  /// `auto`: the one that is chosen.
  [[nodiscard]] std::string algorithm(std::size_t objective, std::size_t plan,
                                      std::size_t optimiser) const;
  /// Name of the algorithm for runs of that many iterations.
  [[nodiscard]] std::string algorithm_for(std::size_t objective, std::size_t plan,
                                          std::size_t optimiser, std::int64_t iterations) const;
  /// True if every objective knows the true value of its points.
  [[nodiscard]] bool true_values_known() const;
  /// Whether the searches of a cell choose both players of matches.
  [[nodiscard]] bool chooses_opponents(std::size_t cell) const;
  /// How many points a repeat of a cell holds out: what each run recommends, or else the pick and
  /// the default that it is compared with.
  [[nodiscard]] std::int64_t points_held_out(const RunPlan& plan) const {
    if (unit == SampleUnit::kRuns) return plan.runs;
    return holds_out_incumbent() ? 2 : 1;
  }
  /// True if the default is evaluated beside the pick: there is one, and its value is not known by
  /// definition.
  [[nodiscard]] bool holds_out_incumbent() const;
  /// True if the result is a table of cells, false if it is one recommendation.
  [[nodiscard]] bool is_comparison() const { return cells() > 1 || repeats > 1; }
};

/// A study as an earlier stage of one that goes on with more. `widened`: in another space.
EarlierStage as_earlier_stage(const Study& study, bool widened);

/// A study of several stages may have become wider late: the stages before have the space of the
/// first one that names any.
void inherit_spaces(std::vector<EarlierStage>& stages);

/// The re-evaluations by which the recommendations of several runs were compared.
struct ComparedCandidates {
  std::vector<Candidate> candidates;      ///< the distinct recommendations, in order of the runs
  MeanSample payoffs;                     ///< of the one that was chosen
  GameCounts games = {};                  ///< of the one that was chosen
  std::optional<Standing> standing = {};  ///< of the one that was chosen
  std::int64_t evaluations = 0;           ///< of all candidates
};

/// The final choice of one repeat of a cell.
struct Pick {
  bool finished = false;
  std::int64_t repeat = 0;
  /// Index of the run that recommended the point; of several the one with the highest estimate.
  /// kNoRun: the point is the default or a start.
  std::int64_t run = 0;
  Point point;
  double estimate = 0.0;
  std::optional<Certainty> certainty = {};  ///< of the estimate, by the model of `run`
  bool of_several_studies = false;          ///< `run` has sampled a part of what was sampled
  ComparedCandidates comparison;
  HoldOut hold_out;
  /// The comparison with the default, where one is declared.
  std::optional<IncumbentComparison> incumbent = {};
  std::optional<GoalFront> front = {};  ///< of several goals; then nothing else was measured
  std::optional<double> true_value;
  std::int64_t evaluations = 0;  ///< all, the runs included
  std::int64_t failures = 0;     ///< of the re-evaluations and the hold-out
  FailureCauses failure_causes;
  EarlyEndings endings = {};         ///< of the re-evaluations and the hold-out
  double cost = 0.0;                 ///< of the same, as they reported it
  std::optional<RunPlan> made = {};  ///< in a study with limits
  std::string algorithm = {};        ///< in a study with limits: of the searches when they ended
  std::optional<double> score;       ///< true value, or else the hold-out mean

  /// Fresh games of the point: those of the hold-out, or else of the comparison that chose it.
  [[nodiscard]] const GameCounts& games() const {
    return hold_out.measured() ? hold_out.games : comparison.games;
  }
};

/// What a cell of the study has found: its runs, and the picks of its repeats.
struct CellResult {
  std::size_t objective = 0;
  std::size_t plan = 0;
  std::size_t optimiser = 0;
  std::vector<RunRecord> runs;  ///< repeats * runs, by repeat and run; unfinished ones too
  std::vector<Pick> picks;      ///< per repeat
};

/// What a study with limits has come to.
struct Spending {
  RunPlan plan;                        ///< what it made; iterations of its longest run
  double cost = 0.0;                   ///< as the evaluations reported it
  std::optional<double> seconds = {};  ///< of wall clock, where they are limited
};

/// An instance that one point calls satisfiable and another not.
struct Contradiction {
  std::string instance;
  Point satisfiable;
  Point unsatisfiable;
};

/// What a study has found, whole or as far as it came, and what it has spent.
struct StudyResult {
  bool interrupted = false;
  std::vector<CellResult> cells;  ///< by objective, plan, optimiser
  std::int64_t search_evaluations = 0;
  std::int64_t re_evaluations = 0;
  std::int64_t hold_out_evaluations = 0;
  std::int64_t failures = 0;
  std::int64_t set_aside = 0;  ///< payoffs that models took for less extreme ones
  EarlyEndings endings = {};
  std::vector<Contradiction> contradictions = {};     ///< by instance
  std::optional<Spending> spending = {};              ///< of a study with limits
  std::vector<FailureStatistics> failure_statistics;  ///< per objective
  PayoffsByValue payoffs_by_value = {};               ///< unknown in a comparison

  [[nodiscard]] std::int64_t evaluations() const {
    return search_evaluations + re_evaluations + hold_out_evaluations;
  }
  /// True if none has run to its end: the cutoff is too short for this study.
  [[nodiscard]] bool all_cut_off() const {
    return endings.cut_off > 0 && endings.cut_off == evaluations();
  }
};

/// Changes the seed of a study that has been read, in its configuration too.
void set_seed(Study& study, std::uint64_t seed);
/// Changes what its journal keeps, likewise.
void set_record(Study& study, Recording record);

/// Most evaluations that the study may spend; 0 where only a time or a cost limits them.
std::int64_t total_evaluations(const Study& study);

}  // namespace ntune
