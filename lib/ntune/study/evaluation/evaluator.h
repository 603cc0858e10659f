#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "ntune/core/parallel.h"
#include "ntune/study/evaluation/allowance.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/call_costs.h"
#include "ntune/study/evaluation/evaluation_recorder.h"
#include "ntune/study/evaluation/solver_answers.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// The way of every evaluation of a study: recalled from the log, or else carried out by the
/// backend and recorded. Once something has ended the study, nothing more is returned.
class Evaluator {
 public:
  /// `log` and `observer` may be nullptr. All must outlive the evaluator.
  Evaluator(const Study& study, Backend& backend, StudyProgress& progress, StudyLog* log = nullptr,
            StudyObserver* observer = nullptr);

  /// An evaluation that has been started.
  class Started;

  /// Evaluates on the caller's thread. Nothing if stopped.
  std::optional<Evaluated> evaluate(Request request);
  std::unique_ptr<Started> submit(const Request& request);

  /// Takes the evaluations of a search from the log that stand before its last state, in their
  /// order, until `take` says false. `request` gives the evaluation of that index at a point.
  void recall_search(const EvaluationKey& key,
                     const std::function<Request(std::int64_t index, const Point& point)>& request,
                     const std::function<bool(const Point& point, Evaluated evaluated)>& take);

  /// Carries out `count` evaluations, as many at once as the study allows, and passes what they
  /// brought to `sink` in the order of their indices. False if stopped.
  bool evaluate_all(std::size_t count, const std::function<Request(std::size_t)>& request,
                    const std::function<void(std::size_t, const Evaluated&)>& sink,
                    Parallel& parallel);

  /// True if evaluations are to be made one by one by `evaluate`, false if by `submit`.
  [[nodiscard]] bool one_by_one() const {
    return study_.execution.parallel_evaluations == 1 && backend_.threaded();
  }

  [[nodiscard]] const Study& study() const { return study_; }
  [[nodiscard]] Backend& backend() { return backend_; }
  [[nodiscard]] StudyProgress& progress() { return progress_; }
  [[nodiscard]] EvaluationRecorder& recorder() { return recorder_; }
  [[nodiscard]] Allowance& allowance() { return allowance_; }
  [[nodiscard]] SolverAnswers& answers() { return answers_; }

 private:
  bool evaluate_in_blocks(std::size_t count, const std::function<Request(std::size_t)>& request,
                          const std::function<void(std::size_t, const Evaluated&)>& sink,
                          Parallel& parallel);
  void complete(Request& request) const;
  std::optional<Evaluated> recall(const Request& request);
  void note_recalled(Evaluated& known);
  std::optional<Evaluated> record(const Request& request, std::optional<Outcome> outcome,
                                  const Backend::Begin& begin);

  const Study& study_;
  Backend& backend_;
  StudyProgress& progress_;
  StudyObserver* observer_;
  EvaluationRecorder recorder_;
  CallCosts costs_;
  SolverAnswers answers_;
  Allowance allowance_;
};

class Evaluator::Started {
 public:
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  /// Waits until it is done, once. Nothing if stopped.
  std::optional<Evaluated> wait();

 private:
  friend class Evaluator;
  explicit Started(const Request& request);

  Point point_;
  std::optional<Point> opponent_;
  Request request_;
  std::optional<Evaluated> evaluated_;
  std::unique_ptr<Backend::Ticket> ticket_;  ///< nullptr: done; waits at its end for the above
};

}  // namespace ntune
