#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "apps/amazons/players.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/core/statistics.h"

namespace ntune::amazons {

/// Two players who play every one of so many random sums twice, with either colour. Black begins.
struct SumMatch {
  SumPlayer player;
  SumPlayer opponent;
  SumArguments sums;
  std::int64_t count = 100;  ///< of sums
  Rng rng;
  std::shared_ptr<const AmazonsDatabase> database;
};

/// What came of it, from the player's side. Intervals take the two games of a sum for one
/// observation.
struct SumMatchResult {
  std::int64_t games = 0;
  std::int64_t wins = 0;
  RunningStats score;       ///< of a game
  RunningStats pair_score;  ///< mean of a sum's two games
  RunningStats pair_wins;   ///< share of them
  RunningStats plies;
  std::array<SumCounts, 2> counts;  ///< the player's, the opponent's

  [[nodiscard]] double share() const {
    return static_cast<double>(wins) / static_cast<double>(games);
  }
  [[nodiscard]] Interval share_interval() const {
    const Interval interval = student_interval(pair_wins);
    return {std::max(interval.low, 0.0), std::min(interval.high, 1.0)};
  }
  [[nodiscard]] Interval score_interval() const { return student_interval(pair_score); }
};

/// Sum i is drawn from the stream ("sum", i), its games from ("game", i, colour): with limits of
/// nodes the same for any number of threads. Not complete where `progress.stop` turns true.
SumMatchResult play_match(const SumMatch& match, Parallel& parallel, Progress& progress);

/// games, wins, share, share_low, …, score, score_low, …: numbers of a result.
Json result_json(const SumMatchResult& result);
/// "57.0 % [48.1, 65.9]" and "+1.25 [-0.31, 2.81]".
std::string share_text(const SumMatchResult& result);
std::string score_text(const SumMatchResult& result);
/// Who needed what, as a table.
std::string counts_text(const SumMatchResult& result, const SumMatch& match);

}  // namespace ntune::amazons
