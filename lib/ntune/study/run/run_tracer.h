#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/optim/base/optimiser.h"
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

}  // namespace ntune
