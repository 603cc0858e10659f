#pragma once

#include "ntune/mpi/mpi_dispatcher.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Deals the evaluations of a study to the working ranks, or its runs where the log does not keep
/// every evaluation. The result is that of LocalBackend, byte for byte.
class MpiBackend final : public ThreadedBackend {
 public:
  /// Both must outlive the backend.
  MpiBackend(const Study& study, MpiDispatcher& dispatcher)
      : study_(study), dispatcher_(dispatcher) {}

  std::optional<Outcome> evaluate(const Request& request) override;
  std::optional<RunRecord> run(const RunTask& task, const std::atomic<bool>& stop) override;
  [[nodiscard]] int threads() const override { return dispatcher_.workers(); }

 private:
  const Study& study_;
  MpiDispatcher& dispatcher_;
};

/// What a working rank does: carries out what it is sent, until told to end.
void work_mpi(const Study& study, StudyProgress& progress);

}  // namespace ntune
