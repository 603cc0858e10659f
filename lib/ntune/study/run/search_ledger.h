#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/evaluation/evaluation_counter.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run/search_trace.h"

namespace ntune {

/// Writes the trace of a run while it searches; does nothing where its task asks for none.
class RunTracer {
 public:
  /// `task` must outlive the tracer.
  explicit RunTracer(const RunTask& task);

  /// Takes an evaluation, at a point of the objective's space.
  void add(const KeptReport& told);
  /// Takes what the run would recommend after so many evaluations, if it is time for that.
  void add_recommendation(const RunView& view, std::int64_t evaluations);
  /// Gives the record its trace. Call it once the record holds what the run recommends.
  void finish(RunRecord& record);

 private:
  const RunTask& task_;
  std::optional<SearchTrace> trace_ = {};
  std::vector<std::int64_t> checkpoints_ = {};  ///< that are still to come, last first
};

/// Counts the failures of a run's search, and ends the study if there are too many.
class SearchFailures {
 public:
  SearchFailures(const RunTask& task, Evaluator& evaluator)
      : task_(task), recorder_(evaluator.recorder()), limit_(recorder_.failure_limit()) {}

  /// Takes the next answer, in the order of the asks.
  void add(const Answer& answer, RunRecord& record) {
    const Evaluated& evaluated = answer.evaluated;
    by_value_.add(task_.objective->space(), answer.point, evaluated.failed(),
                  answer.opponent ? &*answer.opponent : nullptr);
    if (evaluated.failed()) {
      ++record.failures;
      record.failure_statistics.causes.add_failure(evaluated.failure);
    }
    record.endings.add(evaluated.ending, evaluated.games);
    if (!limit_.add(evaluated.failed())) return;
    recorder_.end_study(limit_,
                        {.key = task_.key(0),
                         .objective = task_.objective,
                         .point = &answer.point,
                         .stream = task_.stream},
                        evaluated);
  }
  /// Call it after the last answer.
  void finish(RunRecord& record) const {
    if (record.failures > 0) record.failure_statistics.by_value = by_value_;
  }

 private:
  const RunTask& task_;
  EvaluationRecorder& recorder_;
  FailureLimit limit_;
  FailuresByValue by_value_;
};

/// What the evaluations of a run's search have brought so far, and what they have used.
class SearchLedger {
 public:
  /// All three must outlive the ledger.
  SearchLedger(const RunTask& task, Evaluator& evaluator, RunRecord& record);

  /// Takes the next answer, in the order of the asks, and what the optimiser was told of it.
  void take(const Answer& answer, KeptReport told, const RunStage& stage);
  /// Counts such an answer alone, where nobody keeps what was told.
  void count(const Answer& answer, std::span<const double> payoffs, const RunStage& stage);
  /// Completes the record, which holds what the run recommends if there was a payoff.
  void finish();

  [[nodiscard]] std::int64_t answered() const { return answered_; }
  /// Evaluations of the budget that the answers have used.
  [[nodiscard]] std::int64_t used() const { return used_; }
  /// Reports of a run with several stages, in the objective's space.
  [[nodiscard]] const std::vector<KeptReport>& history() const { return history_; }
  /// The points beside the best one that the optimiser holds for the best; where it has no model,
  /// those that were evaluated most often.
  [[nodiscard]] std::vector<Recommendation> leaders(const Optimiser& optimiser,
                                                    const Point& best) const;
  [[nodiscard]] bool stopped() const { return counter_.stopped(); }

  RunView view = {};  ///< the run as those see it who look on

 private:
  [[nodiscard]] bool is_without_game(const Answer& answer) const;
  void finish_costs();
  void finish_capping();

  const RunTask& task_;
  RunRecord& record_;
  EvaluationCounter counter_;
  SearchFailures failures_;
  RunTracer tracer_;
  bool keeps_history_;
  double fail_limit_;
  bool failures_have_value_;
  std::vector<KeptReport> history_ = {};
  struct Met {
    RunningStats payoffs = {};
    std::int64_t failures = 0;
  };
  std::map<Point, Met> met_ = {};          ///< where leaders are taken
  std::vector<double> whole_costs_ = {};   ///< of evaluations that were not ended early
  std::vector<double> capped_costs_ = {};  ///< when they were ended early
  std::int64_t answered_ = 0;
  std::int64_t used_ = 0;
};

}  // namespace ntune
