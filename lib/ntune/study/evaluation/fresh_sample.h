#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/failure_statistics.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

class Evaluator;

/// Payoffs of one point from fresh evaluations.
struct Sample {
  std::vector<double> payoffs = {};
  GameCounts games = {};
  std::vector<std::int64_t> call_of = {};  ///< by payoff: index of the call that brought it
  std::vector<double> games_of = {};       ///< by payoff: counted games; 0: none are known
  std::int64_t evaluations = 0;            ///< spent, failed ones included
  std::int64_t failures = 0;
  std::vector<std::int64_t> skipped_calls = {};  ///< indices of calls that failed without a payoff
  FailureCauses failure_causes = {};
  EarlyEndings endings = {};
  double cost = 0.0;       ///< as the calls reported it
  std::int64_t calls = 0;  ///< of the objective
  bool stopped = false;

  /// Adds a sample of the calls that follow.
  void append(const Sample& next);
  /// The mean payoff of every call that brought any, and the games of all of them.
  [[nodiscard]] std::map<std::int64_t, PayoffOfGames> by_call() const;
  /// Every payoff with its games.
  [[nodiscard]] std::vector<PayoffOfGames> by_games() const;
  [[nodiscard]] FreshFailures fresh_failures() const {
    return {failures, std::ssize(skipped_calls), failure_causes};
  }
};

/// Differences of the calls that both samples have, first less second; call i of either had the
/// same stream. Calls of different numbers of games count by these.
MeanSample differences_of(const Sample& first, const Sample& second);

/// Spends `evaluations` on a point. `key` names the first call; `stream_of` gives the random stream
/// of a call by its index. An objective with several payoffs a call is called until they suffice;
/// the last call may bring more payoffs than were to be spent, which the sample has too.
/// `cap` as in EvaluationId.
Sample draw_sample(Evaluator& evaluator, const Objective& objective, const Point& point,
                   std::int64_t evaluations, EvaluationKey key,
                   const std::function<Rng(std::uint64_t)>& stream_of, Parallel& parallel,
                   double cap = EvaluationId().cap);

}  // namespace ntune
