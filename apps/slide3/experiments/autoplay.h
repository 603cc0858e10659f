#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/core/statistics.h"
#include "ntune/games/slide/depth_agent.h"

namespace ntune {

/// The summary of a player's games (Heuser 2003, Section 5.2.3).
struct Autoplay {
  std::int64_t games = 0;
  std::int64_t won = 0;
  RunningStats moves;  ///< per game won
  std::int64_t ties = 0;
  std::int64_t fat_moves = 0;
  std::int64_t evaluations = 0;

  void add(const SlideGame& game);
  void merge(const Autoplay& other);
  [[nodiscard]] double winning_quota() const;
  /// Wilson's interval of the winning quota, 95 %.
  [[nodiscard]] Interval quota_interval() const;
  /// Fat moves per tie; NaN without ties.
  [[nodiscard]] double fat_quota() const;
  /// Wilson's interval of the fat quota, 95 %; needs ties.
  [[nodiscard]] Interval fat_interval() const;
};

/// One experiment: a player, and the random stream of its games.
struct AutoplayTask {
  std::function<std::unique_ptr<SlideAgent>()> make_agent;
  Rng rng;
};

/// Plays a game from every position of the sample, for every task. Game i of a task uses its stream
/// ("game", i); the results do not depend on threads.
std::vector<Autoplay> autoplay(std::span<const AutoplayTask> tasks,
                               std::span<const SlidePosition<3>> sample, int most_moves,
                               Parallel& parallel, Progress& progress);

}  // namespace ntune
