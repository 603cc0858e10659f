#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// What an evaluation is for.
enum class Stage : std::uint8_t { kSearch, kReEvaluation, kHoldOut };

/// "search", "re_evaluation" or "hold_out".
const char* stage_name(Stage stage);

/// The name of one evaluation within its study.
struct EvaluationKey {
  std::uint32_t cell = 0;
  Stage stage = Stage::kSearch;
  std::int64_t repeat = 0;
  std::int64_t run = 0;    ///< -1: of no single run
  std::int64_t index = 0;  ///< in order of asking

  friend bool operator==(const EvaluationKey&, const EvaluationKey&) = default;
  [[nodiscard]] std::uint64_t hash() const;
};

struct RunView;

/// An evaluation to be made. What it points to must outlive the call that it is passed to.
struct Request {
  EvaluationKey key;
  const Objective* objective = nullptr;
  const Point* point = nullptr;
  const Instance* instance = nullptr;  ///< on which; set by the Evaluator
  /// Of a search: all evaluations of a block have the same instance and stream.
  std::optional<std::int64_t> block = {};
  const Point* opponent = nullptr;  ///< a match against it, where the objective has matches
  Rng stream;
  const RunView* view = nullptr;  ///< of the run that asks; nullptr after the search
  const std::atomic<bool>* stop =
      nullptr;                      ///< set by the Evaluator; where it turns true: fail soon
  double cap = EvaluationId().cap;  ///< as there

  /// The opponent that a search has chosen, which is recorded with the evaluation; nullptr: none.
  [[nodiscard]] const Point* chosen_opponent() const {
    return key.stage == Stage::kSearch ? opponent : nullptr;
  }
};

/// Whom a match is against; the request must be of an objective with matches.
const Point& opponent_of(const Request& request);
/// True of a player against itself: its score is 1/2 by definition, and nothing is carried out.
bool is_without_game(const Request& request);

/// An outcome, and what it counts for by the study's rule for failures: the payoff of a failed one
/// is the rule's.
struct Evaluated : Outcome {
  bool skipped = false;   ///< failed and left out: no payoff
  bool recalled = false;  ///< known from the log

  [[nodiscard]] bool failed() const { return !failure.empty(); }
  /// Evaluations of the budget that it has used.
  [[nodiscard]] std::int64_t evaluations() const {
    return observations.empty() ? 1 : static_cast<std::int64_t>(observations.size());
  }
  /// Calls visit with the payoffs in order, the first `limit` at most; with none if it is skipped.
  template <class Visitor>
  void for_each(std::int64_t limit, Visitor&& visit) const {
    if (skipped || limit < 1) return;
    if (observations.empty()) return visit(payoff);
    for (std::int64_t i = 0; i < evaluations() && i < limit; ++i) {
      visit(observations[static_cast<std::size_t>(i)]);
    }
  }
};

/// How many evaluations were ended before their end, on purpose, and how many of their games were
/// lost by a fault.
struct EarlyEndings {
  std::int64_t cut_off = 0;  ///< at the cutoff
  std::int64_t capped = 0;   ///< when they could no longer win
  double capped_cost = 0.0;  ///< of searches: what these had cost when they were ended
  double saved = 0.0;      ///< what they would have cost beyond that, as others that lasted longer
  std::int64_t games = 0;  ///< counted ones
  Forfeits forfeits = {};

  void add(Ending ending, const GameCounts& counts) {
    cut_off += ending == Ending::kCutOff ? 1 : 0;
    capped += ending == Ending::kCapped ? 1 : 0;
    games += counts.games.games();
    forfeits.add(counts.forfeits);
  }
  void merge(const EarlyEndings& other) {
    cut_off += other.cut_off;
    capped += other.capped;
    capped_cost += other.capped_cost;
    saved += other.saved;
    games += other.games;
    forfeits.add(other.forfeits);
  }
};

/// The study's rule for a failed evaluation: it ends the study, or counts without a payoff, or
/// counts with a given value. Too many failures end the study in any case.
struct FailurePolicy {
  enum class Kind { kAbort, kSkip, kValue } kind = Kind::kAbort;
  double value = 0.0;      ///< for kValue, in the reported unit
  double max_rate = 0.99;  ///< share of a hundred evaluations in a row (see FailureLimit)
  /// Largest estimated probability to fail of what a run recommends, where there is a choice.
  double recommended = OptimiserContext().fail_limit;
  /// Whether optimisers are told of failures that are left out. Older versions did not.
  bool learn = true;
};

}  // namespace ntune
