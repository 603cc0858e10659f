#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/evaluation/evaluation_counter.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_tracer.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run/search_failures.h"

namespace ntune {

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
  bool keeps_matches_;
  bool keeps_history_;
  double fail_limit_;
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
