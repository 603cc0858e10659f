#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "ntune/core/hash.h"
#include "ntune/core/rng.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/limits.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

/// Payoffs of a point that no search has asked for. The budget does not count them.
struct OfferedObservation {
  /// The search evaluation that was asked for next when they came, in the order of a study that
  /// runs on one thread. From there on every search of the same objective knows them that learns
  /// from what it did not ask for.
  EvaluationKey key;
  Point point;
  std::vector<double> payoffs = {};
  /// The place of its instance among those that searches visit; nothing: of no single one.
  std::optional<std::size_t> instance = {};

  /// Whether a search that asks for the evaluation `next` knows them.
  [[nodiscard]] bool known_before(const EvaluationKey& next) const {
    const auto order = [](const EvaluationKey& at) {
      return std::tuple(at.cell, at.repeat, at.run, at.index);
    };
    return order(key) <= order(next);
  }
};

/// Observations in the order in which they came, so that those that a search knows stand first.
using OfferedObservations = std::vector<OfferedObservation>;

/// Names a point, and the opponent that a search has chosen for it; nullptr: none.
inline std::uint64_t hash_of(const Point& point, const Point* opponent) {
  const std::uint64_t hash = std::hash<Point>()(point);
  return opponent == nullptr ? hash : mix64(hash) ^ std::hash<Point>()(*opponent);
}

/// Where the search of a run is after so many evaluations, beside what it was told.
struct SearchState {
  /// Evaluations between two recorded states of a run: to ask so often takes about 10 ms.
  static constexpr std::int64_t kInterval = 4096;

  std::int64_t evaluations = 0;
  std::uint64_t optimiser = 0;  ///< Optimiser::state
  Rng::State stream = {};       ///< of the random stream that it is asked with
};

/// Keeps what a study has finished, and gives it back when the study is run again; this one keeps
/// nothing. All members may be called from several threads at once.
class StudyLog {
 public:
  using Time = std::chrono::system_clock::time_point;

  virtual ~StudyLog() = default;

  /// The outcome of an evaluation that was recorded earlier. Throws InputError if the record is of
  /// another point, or against another opponent (Request::chosen_opponent).
  [[nodiscard]] virtual std::optional<Outcome> find(const EvaluationKey& /*key*/,
                                                    const Point& /*point*/,
                                                    const Point* /*opponent*/) const {
    return std::nullopt;
  }
  /// The point of a recorded evaluation of a search, and what it has used of the budget, for runs
  /// that go on from it. Nothing where it is not known.
  struct Recorded {
    Point point;
    std::int64_t cost = 1;
    bool capped = false;                 ///< ended when it could no longer win
    std::optional<Point> opponent = {};  ///< whom it met, where the search has chosen that
  };
  [[nodiscard]] virtual std::optional<Recorded> recorded(const EvaluationKey& /*key*/) const {
    return std::nullopt;
  }
  virtual void append(const Request& /*request*/, const Outcome& /*outcome*/, Time /*start*/,
                      Time /*end*/) {}

  /// The last state of a run's search that was recorded, if `recorded` knows all evaluations before
  /// it, and that run has asked for them and for no others. `key` names the run.
  [[nodiscard]] virtual std::optional<SearchState> search_state(
      const EvaluationKey& /*key*/) const {
    return std::nullopt;
  }
  virtual void append_search_state(const EvaluationKey& /*key*/, const SearchState& /*state*/) {}
  /// Calls visit with the evaluations before that state, in their order, until it says false.
  using VisitSearched = std::function<bool(const Point& point, Outcome outcome)>;
  virtual void visit_searched(const EvaluationKey& /*key*/, const VisitSearched& /*visit*/) const {}

  [[nodiscard]] virtual std::optional<RunRecord> find_run(std::uint32_t /*cell*/,
                                                          std::int64_t /*repeat*/,
                                                          std::int64_t /*run*/) const {
    return std::nullopt;
  }
  virtual void append_run(std::uint32_t /*cell*/, const RunRecord& /*record*/) {}

  /// Decisions of a study with limits: the last one of that name, and another one.
  [[nodiscard]] virtual std::optional<PlannedStep> planned(const EvaluationKey& /*key*/) const {
    return std::nullopt;
  }
  /// Whether an evaluation of that name is recorded, at whichever point.
  [[nodiscard]] virtual bool holds(const EvaluationKey& /*key*/) const { return false; }
  virtual void append_planned(const PlannedStep& /*step*/) {}
  /// Seconds that the study has used while it ran, before it was interrupted too; nothing where
  /// that is not kept.
  [[nodiscard]] virtual std::optional<double> used() const { return std::nullopt; }
  /// The same when the last evaluation was recorded.
  [[nodiscard]] virtual std::optional<double> recorded_seconds() const { return std::nullopt; }

  /// What was offered without being asked for. Grows only while the study runs on one thread.
  [[nodiscard]] virtual const OfferedObservations& offered() const {
    static const OfferedObservations kNone;
    return kNone;
  }
};

}  // namespace ntune
