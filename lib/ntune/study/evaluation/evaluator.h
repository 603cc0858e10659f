#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/study/evaluation/allowance.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/evaluation_recorder.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// What solvers have said of each instance, whatever the order. May be told from several threads at
/// once.
class SolverAnswers {
 public:
  /// Takes what the evaluation of the request has brought.
  void add(const Request& request, const Outcome& outcome) {
    if (outcome.answer == SolverAnswer::kNone || !outcome.failure.empty()) return;
    InstanceAnswers answers{.instance = request.instance == nullptr ? "" : request.instance->name};
    (outcome.answer == SolverAnswer::kSatisfiable ? answers.satisfiable : answers.unsatisfiable) =
        *request.point;
    add(request.key, answers);
  }
  /// Takes an answer of the run that the key names, which may have been made elsewhere or before.
  void add(const EvaluationKey& key, const InstanceAnswers& answers) {
    const std::lock_guard lock(mutex_);
    InstanceAnswers& all = runs_[{key.cell, key.repeat, key.run}][answers.instance];
    all.instance = answers.instance;
    merge(answers, all);
  }

  /// Those of the run that the key names.
  [[nodiscard]] std::vector<InstanceAnswers> of_run(const EvaluationKey& key) const {
    std::vector<InstanceAnswers> list;
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find({key.cell, key.repeat, key.run});
    if (found == runs_.end()) return list;
    for (const auto& [name, answers] : found->second) list.push_back(answers);
    return list;
  }
  [[nodiscard]] std::vector<Contradiction> contradictions() const {
    std::map<std::string, InstanceAnswers> all;
    const std::lock_guard lock(mutex_);
    for (const auto& [run, instances] : runs_) {
      for (const auto& [name, answers] : instances) merge(answers, all[name]);
    }
    std::vector<Contradiction> found;
    for (const auto& [name, answers] : all) {
      if (answers.satisfiable && answers.unsatisfiable) {
        found.push_back({name, *answers.satisfiable, *answers.unsatisfiable});
      }
    }
    return found;
  }

 private:
  /// Of several points the least one stands for all.
  static void merge(const InstanceAnswers& some, InstanceAnswers& all) {
    const auto keep_least = [](const std::optional<Point>& point, std::optional<Point>& least) {
      if (point && (!least || *point < *least)) least = point;
    };
    keep_least(some.satisfiable, all.satisfiable);
    keep_least(some.unsatisfiable, all.unsatisfiable);
  }

  mutable std::mutex mutex_;
  /// By cell, repeat and run, and by the name of the instance.
  std::map<std::array<std::int64_t, 3>, std::map<std::string, InstanceAnswers>> runs_;
};

/// What calls cost where a budget is of costs: what they report, and else their seconds. Once a
/// program has reported a cost, a call without one, as a failure often is, counts the mean of those
/// that successes have reported: seconds would be in another unit. A failure before any success
/// costs nothing yet: the first success counts its seconds too, if it reports no cost either. All
/// members may be called from several threads at once.
class CallCosts {
 public:
  /// Takes the cost of a success that was recorded earlier, reported or not.
  void recall(double cost);
  /// The cost of a call that took so many seconds.
  double cost_of(const Outcome& outcome, double seconds);

 private:
  std::mutex mutex_;
  RunningStats costs_;             ///< of successes
  double waiting_ = 0.0;           ///< seconds of failures before the first success
  std::optional<bool> reporting_;  ///< whether successes report; nothing: none was seen yet
};

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
