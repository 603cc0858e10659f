#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>

#include "ntune/core/json.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"
#include "ntune/study/serve/search_recommendation.h"

namespace ntune::python {

struct Carriers;

/// Evaluations by workers of Python. The study runs on the thread that calls it, and asks in its
/// own order, so that the result does not depend on who evaluates, nor on how many do.
class PythonBackend final : public Backend, public StudyObserver {
 public:
  /// The workers have start(params, seed, instance, opponent), which returns a handle at once, and
  /// finish(handle, place), which waits and returns a failure's text, or payoffs, a list of
  /// numbers, a cost or None, and whether the payoffs are results of games. A place is cell,
  /// repeat, stage, run and index. Where the study has an objective of its own, they have
  /// start(request), the text of a remote_request, and finish returns a failure's text, or as bytes
  /// what HeldStudy::carry_out does. What they raise ends the study. Everything but this is called
  /// without the interpreter lock. `study` must outlive the backend.
  PythonBackend(const Study& study, const Carriers& carriers, StudyProgress& progress);

  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override;
  [[nodiscard]] bool threaded() const override { return false; }
  [[nodiscard]] int threads() const override { return 1; }

  void made_run(const RunTask& task, const RunRecord& run) override;

  /// What Python has raised, if that has ended the study.
  [[nodiscard]] const std::optional<pybind11::error_already_set>& error() const { return error_; }
  /// What the search recommended then; null if it had nothing.
  [[nodiscard]] const Json& last_recommendation() const { return last_; }

 private:
  class PythonTicket;

  /// Begins an evaluation. Needs the interpreter lock.
  pybind11::object start(const Request& request);
  /// Waits for an evaluation and tells of it. Nothing if the study is stopped.
  std::optional<Outcome> take(const Request& request, const pybind11::object& handle,
                              const Begin& begin);
  void end(const Request& request, const pybind11::error_already_set& error);

  const Study& study_;
  bool is_asked_;
  pybind11::object start_;
  pybind11::object finish_;
  pybind11::object notify_;
  StudyProgress& progress_;
  SearchRecommendation searches_;
  Json last_;
  std::optional<pybind11::error_already_set> error_;
};

}  // namespace ntune::python
