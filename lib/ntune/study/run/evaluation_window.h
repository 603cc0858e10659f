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
#include "ntune/space/widened_space.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/instances/instance_aware_search.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"

namespace ntune {

/// A point that a run has asked for, with what its evaluation has brought.
struct Answer {
  Proposal asked;  ///< in the optimiser's space
  Point point;     ///< in the objective's, as the opponent that was asked for
  std::optional<Point> opponent = {};
  Evaluated evaluated = {};
};

/// The search evaluation of a run with that index, in a block if the optimiser names one.
Request search_request(const RunTask& task, std::int64_t index, const Point& point,
                       const RunView* view, std::optional<std::int64_t> block = {});

/// Tells a search what was offered, at a point of its space.
void tell_offered(Optimiser& optimiser, const OfferedObservation& offered, const Point& point,
                  Rng& rng);

/// The evaluations of one run that are in flight, oldest first.
class EvaluationWindow {
 public:
  /// `widen` brings the optimiser's points into the objective's space; nullptr: they are its own.
  /// `first` is the index of the first evaluation. All references must outlive the window.
  EvaluationWindow(const RunTask& task, Optimiser& optimiser, RunView& view, Evaluator& evaluator,
                   const std::vector<Point>& starts, const WidenedSpace* widen, std::int64_t first);

  /// Asks for points and returns the next answer, in the order of the asks. With several in flight,
  /// as many are asked for first as the window holds and the `left` evaluations allow. Nothing if
  /// stopped.
  std::optional<Answer> next(Rng& rng, std::int64_t left);
  /// The search is told payoffs less the effects that it knows; nullptr: as they are.
  void set_instance_aware(InstanceAwareSearch* search) { instance_aware_ = search; }
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
  [[nodiscard]] EvaluationKey key(std::int64_t index) const {
    return {.cell = task_.cell, .repeat = task_.repeat, .run = task_.run, .index = index};
  }
  Request request(const Answer& answer) {
    const std::int64_t index = view_.asked++;
    Request request = search_request(task_, index, answer.point, &view_, answer.asked.block);
    if (answer.opponent) request.opponent = &*answer.opponent;
    request.cap = cap(index, answer.asked.losing_payoff);
    return request;
  }
  [[nodiscard]] double cap(std::int64_t index, double losing_payoff) const;
  [[nodiscard]] Point in_objective(const Point& point) const {
    return widen_ == nullptr ? point : (*widen_)(point);
  }

  const RunTask& task_;
  Optimiser& optimiser_;
  RunView& view_;
  Evaluator& evaluator_;
  const std::vector<Point>& starts_;
  const WidenedSpace* widen_;
  std::int64_t width_;
  bool may_cap_;
  InstanceAwareSearch* instance_aware_ = nullptr;
  std::int64_t most_payoffs_ = 0;  ///< most payoffs that a call has brought
  std::size_t offered_ = 0;        ///< observations taken
  std::deque<Asked> in_flight_;
};

}  // namespace ntune
