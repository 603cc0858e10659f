#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "apps/bao/players.h"
#include "apps/common/arguments.h"
#include "apps/common/terminal.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/core/statistics.h"
#include "ntune/games/bao/player.h"

namespace ntune::bao {

/// South against North from every start position, each `repeats` times.
struct Match {
  BaoPlayer south;
  BaoPlayer north;
  Rng rng;
};

/// What became of a match.
struct MatchResult {
  std::int64_t games = 0;  ///< 0: not played to the end
  std::int64_t south_wins = 0;
  RunningStats plies;
  RunningStats deviations;  ///< South's deviations from alpha-beta in a game
  SearchCounts south;
  SearchCounts north;

  void add(const TurnGameResult& game);
  void merge(const MatchResult& other);
  [[nodiscard]] double share() const {
    return static_cast<double>(south_wins) / static_cast<double>(games);
  }
  /// 95 %, of the share.
  [[nodiscard]] Interval interval() const {
    return wilson_interval(static_cast<double>(south_wins), static_cast<double>(games));
  }
};

/// games, south_wins, share, share_low, share_high, plies, plies_sd, deviations, …: numbers of a
/// result.
Json result_json(const MatchResult& result);

/// Plays all matches. Game (start s, repeat r) draws from its match's stream ("game", s, r), so
/// that the result is the same for any number of threads. Calls finished(i, result) when match i is
/// complete, one call at a time. Where `progress.stop` turns true, the matches that are not
/// complete have no games.
std::vector<MatchResult> play_matches(
    std::span<const Match> matches, std::span<const Bao> starts, std::int64_t repeats,
    Parallel& parallel, Progress& progress,
    const std::function<void(std::size_t, const MatchResult&)>& finished = {});

/// All matches from these starts, with a display meanwhile. Throws cli::Interrupted.
std::vector<MatchResult> play_watched(const std::vector<Match>& matches, const Starts& starts,
                                      std::int64_t repeats, const cli::OutputArguments& output,
                                      const cli::Terminal& terminal);

/// "54.7 % [44.7, 64.4]".
std::string percent_text(double share, const Interval& interval);

}  // namespace ntune::bao
