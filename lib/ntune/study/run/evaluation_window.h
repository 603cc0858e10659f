#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/space/point.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run/stage_search.h"

namespace ntune {

/// The search evaluation of a run with that index, in a block if the optimiser names one.
Request search_request(const RunTask& task, std::int64_t index, const Point& point,
                       const RunView* view, std::optional<std::int64_t> block = {});

/// Tells a search what was offered. False where that is of no use to it: it learns from what it
/// asks alone, or its space forbids the point.
bool tell_offered(const StageSearch& search, const OfferedObservation& offered, Rng rng);

/// The evaluations of one run that are in flight, oldest first.
class EvaluationWindow {
 public:
  /// `first` is the index of the first evaluation. All references must outlive the window.
  EvaluationWindow(const RunTask& task, const StageSearch& search, RunView& view,
                   Evaluator& evaluator, const std::vector<Point>& starts, std::int64_t first);

  /// Asks for points and returns the next answer, in the order of the asks. With several in flight,
  /// as many are asked for first as the window holds and the `left` evaluations allow. Nothing if
  /// stopped.
  std::optional<Answer> next(Rng& rng, std::int64_t left);
  /// Tells what was offered before the next evaluation is asked for.
  void take_offered();

  [[nodiscard]] std::int64_t in_flight() const { return std::ssize(in_flight_); }

 private:
  struct Asked {
    Request request;
    Answer answer;
    std::unique_ptr<Evaluator::Started> evaluation = {};  ///< nullptr: not started yet
  };

  std::optional<Answer> next_alone(Rng& rng);
  void start(std::int64_t left);
  Answer ask(Rng& rng);
  Proposal propose(Rng& rng);
  [[nodiscard]] bool may_ask() const;
  Request request(const Answer& answer) {
    const std::int64_t index = view_.asked++;
    Request request = search_request(task_, index, answer.point, &view_, answer.asked.block);
    if (answer.opponent) request.opponent = &*answer.opponent;
    request.cap = cap(index, answer.asked.losing_payoff);
    return request;
  }
  [[nodiscard]] double cap(std::int64_t index, double losing_payoff) const;

  const RunTask& task_;
  const StageSearch& search_;
  Optimiser& optimiser_;
  RunView& view_;
  Evaluator& evaluator_;
  const std::vector<Point>& starts_;
  std::int64_t width_;
  bool may_cap_;
  std::int64_t most_payoffs_ = 0;  ///< most payoffs that a call has brought
  std::size_t offered_ = 0;        ///< observations taken
  std::deque<Asked> in_flight_;
};

}  // namespace ntune
