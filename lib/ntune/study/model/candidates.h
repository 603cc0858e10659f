#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/statistics.h"
#include "ntune/space/point.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/failure_statistics.h"

namespace ntune {

/// How a point stands among others that were compared with it.
struct Standing {
  double best_probability = 0.0;  ///< probability that no other point has a higher mean payoff
  double regret = 0.0;  ///< expected shortfall of its mean payoff from the best one's; >= 0
};

/// The payoff of a point with a random stream that all points share.
struct StreamPayoff {
  std::int64_t stream = 0;
  double payoff = 0.0;
};

/// How the recommendations of several runs are compared.
enum class ReEvaluationMethod { kSequentialHalving, kRepeats, kNone };

struct ReEvaluationOptions {
  ReEvaluationMethod method = ReEvaluationMethod::kSequentialHalving;
  /// The i-th evaluation of every candidate uses the same stream (common random numbers).
  bool common_random_numbers = true;
  /// Where the cost is the time: evaluations that can no longer change what is chosen are ended.
  bool capping = true;
};

/// A distinct recommendation.
struct Candidate {
  Point point;
  double estimate = 0.0;  ///< mean payoff by the model of `model_run`
  std::int64_t run = 0;   ///< first run that recommended it
  std::int64_t model_run =
      0;  ///< the run with the highest estimate, of those that recommended the point
  RunningStats payoffs = {};              ///< of the re-evaluations
  GameCounts games = {};                  ///< of them, where they were games
  std::vector<StreamPayoff> common = {};  ///< payoffs by call, where candidates share the streams
  std::vector<RunningStats> by_instance = {};   ///< payoffs, where the study has instances
  std::vector<PayoffOfGames> by_games = {};     ///< payoffs, where it has none and they were games
  std::optional<RunningStats> stratified = {};  ///< as in HoldOut
  std::optional<Standing> standing = {};        ///< by all its fresh payoffs, once they are known
  std::int64_t evaluations = 0;                 ///< spent on it, failed ones included
  std::int64_t failures = 0;
  FailureCauses failure_causes = {};
  EarlyEndings endings = {};
  double cost = 0.0;  ///< as its evaluations reported it
  /// It could no longer win, so that not all its evaluations were made: its mean is of the first.
  bool stopped = false;

  /// The payoffs, and the mean that is their value.
  [[nodiscard]] MeanSample sample() const {
    MeanSample sample = payoffs;
    if (stratified) sample.mean = *stratified;
    return sample;
  }
};

}  // namespace ntune
