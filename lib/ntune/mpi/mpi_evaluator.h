#pragma once

#include "ntune/mpi/mpi_dispatcher.h"
#include "ntune/study/evaluator.h"

namespace ntune {

/// Deals the evaluations of a study to the working ranks, or its runs where the log does not keep
/// every evaluation. The result is that of LocalEvaluator, byte for byte.
class MpiEvaluator final : public LocalEvaluator {
 public:
  MpiEvaluator(const Study& study, StudyProgress& progress, StudyLog* log,
               MpiDispatcher& dispatcher)
      : LocalEvaluator(study, progress, log), dispatcher_(dispatcher) {}

  [[nodiscard]] int threads() const override { return dispatcher_.workers(); }

 protected:
  Outcome perform(const Request& request) override;
  RunRecord perform_run(const RunTask& task, Parallel& parallel) override;

 private:
  MpiDispatcher& dispatcher_;
};

/// What a working rank does: carries out what it is sent, until told to end.
void work_mpi(const Study& study, StudyProgress& progress);

}  // namespace ntune
