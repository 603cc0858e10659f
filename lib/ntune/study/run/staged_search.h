#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/search_ledger.h"
#include "ntune/study/run/stage_search.h"

namespace ntune {

/// The recorded states of a run's search, so that a run that goes on need not ask again for what is
/// recorded. Only a search that is nothing but asks and tells has them.
class SearchStates {
 public:
  /// All three must outlive it.
  SearchStates(const RunTask& task, Evaluator& evaluator, const StageSearch& search);

  /// The last one, within that many evaluations.
  [[nodiscard]] std::optional<SearchState> last(std::int64_t iterations) const;
  /// Records where the search is, from time to time.
  void save(std::int64_t answered, const Rng& rng);

 private:
  const RunTask& task_;
  EvaluationRecorder& recorder_;
  SearchPlace* place_ = nullptr;  ///< of the optimiser; nullptr: there are no states
};

class SearchAllowance;

/// The search of a run, stage by stage. Each stage begins with a new optimiser, which adopts all
/// that has been evaluated before, and then goes on to the iterations of the stage.
class StagedSearch {
 public:
  /// All three must outlive the search.
  StagedSearch(const RunTask& task, Evaluator& evaluator, SearchLedger& ledger)
      : task_(task), evaluator_(evaluator), ledger_(ledger) {}

  /// Carries out all stages, or those that the limits of the study allow; `usage` takes what these
  /// have used. False if stopped.
  bool carry_out(RunUsage& usage);
  /// The optimiser of the last stage.
  [[nodiscard]] const Optimiser& optimiser() const { return *now_.optimiser; }

 private:
  bool carry_out_stages();
  bool carry_out_limited(RunUsage& usage);
  Rng start(const RunStage& stage, std::size_t index);
  bool search(const RunStage& stage, Rng& rng, SearchAllowance* allowance = nullptr);
  void tell(const Proposal& asked, Report report, std::int64_t index);

  // What the log knows.
  bool recall_stage(const RunStage& stage);
  bool recall_to_state(const RunStage& stage, Rng& rng);
  std::optional<Answer> recall(const StudyLog::Recorded& entry);

  const RunTask& task_;
  Evaluator& evaluator_;
  SearchLedger& ledger_;
  StageSearch now_;  ///< of the stage under way
};

}  // namespace ntune
