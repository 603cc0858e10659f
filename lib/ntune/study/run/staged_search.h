#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/evaluation/evaluation_counter.h"
#include "ntune/study/instances/instance_aware_search.h"
#include "ntune/study/run/evaluation_window.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run/search_failures.h"
#include "ntune/study/run/search_trace.h"

namespace ntune {

class SearchAllowance;

/// The search of a stage of a run.
struct StageSearch {
  std::optional<WidenedSpace> widen = {};  ///< of a stage in another space than the objective's
  std::vector<Point> anchors = {};         ///< fixed opponents, in the space of such a stage
  std::unique_ptr<Optimiser> optimiser = {};
  InstanceAwareSearch* instance_aware = nullptr;  ///< the same, where effects are learned

  /// nullptr: its points are of the objective's space.
  [[nodiscard]] const WidenedSpace* widening() const { return widen ? &*widen : nullptr; }
};
/// The search of the stage of that index of a run, before it has been told anything.
StageSearch make_search(const RunTask& task, const RunStage& stage, std::size_t index,
                        const Study& study);

/// The search of a run, stage by stage. Each stage begins with a new optimiser, which adopts all
/// that has been evaluated before, and then goes on to the iterations of the stage.
class StagedSearch {
 public:
  /// All three must outlive the search.
  StagedSearch(const RunTask& task, Evaluator& evaluator, RunRecord& record);

  /// False if stopped.
  bool carry_out(std::size_t index);
  /// In place of the stages: a search that ends with its part in the limits of the study. False if
  /// stopped.
  bool carry_out_limited();
  /// Call it after the last stage.
  void finish();
  /// Takes down what evaluations of the point that the record holds have cost.
  void count_cost_of_point();
  /// Gives the record its trace, where the task asks for one. Call it once the record holds what
  /// the run recommends.
  void keep_trace();

  [[nodiscard]] std::int64_t payoffs() const { return view_.payoffs; }
  /// The optimiser of the last stage.
  [[nodiscard]] const Optimiser& optimiser() const { return *now_.optimiser; }

 private:
  [[nodiscard]] bool keeps_matches() const;
  [[nodiscard]] Rng stream_of_stage(std::size_t index) const;
  void start_optimiser(const RunStage& stage, std::size_t index);
  bool recall(const RunStage& stage);
  std::optional<Answer> recalled(const StudyLog::Recorded& entry, const RunView* view);
  bool recall_to_state(const RunStage& stage, Rng& rng);
  void save_state(const Rng& rng);
  [[nodiscard]] bool has_states() const;
  void adopt_history(Rng& rng);
  bool search(const RunStage& stage, Rng& rng, SearchAllowance* allowance = nullptr);
  void take(const Answer& answer, KeptReport told, const RunStage& stage);
  void trace(const KeptReport& told);
  void trace_recommendation();
  [[nodiscard]] KeptReport report_of(const Answer& answer, std::int64_t left) const;
  void tell(const Proposal& asked, Report report, std::int64_t index);
  /// Whether the optimiser is told of failures.
  [[nodiscard]] bool learns() const { return evaluator_.study().execution.on_failure.learn; }

  const RunTask& task_;
  Evaluator& evaluator_;
  RunRecord& record_;
  EvaluationCounter counter_;
  SearchFailures failures_;
  RunView view_;
  StageSearch now_;                  ///< of the stage under way
  std::vector<KeptReport> history_;  ///< of a run with several stages, in the objective's space
  std::optional<SearchTrace> trace_;
  std::vector<std::int64_t> checkpoints_;  ///< of the trace that are still to come, last first
  std::int64_t answered_ = 0;              ///< evaluations
  std::int64_t told_ = 0;                  ///< what they have used of the iterations
};

}  // namespace ntune
