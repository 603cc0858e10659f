#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/rng.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/run.h"
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

}  // namespace ntune
