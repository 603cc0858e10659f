#pragma once

#include <array>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// Pairs of payoffs that may be results of games: declared wins and losses, or -1, 0 and 1, or 0,
/// 1/2 and 1. All payoffs together decide which of these scales they have.
class PairedGames {
 public:
  explicit PairedGames(const Payoffs& payoffs);

  /// The payoffs of both players with the same seed.
  void add(double first, double second);
  /// False where a payoff was no win, draw or loss.
  [[nodiscard]] bool are_games() const { return !scales_.empty(); }

  // Counts of the pairs; without meaning unless all are games.
  [[nodiscard]] const WinDrawLoss& first() const { return first_; }
  [[nodiscard]] const WinDrawLoss& second() const { return second_; }
  [[nodiscard]] const PairedElo& elo() const { return elo_; }
  /// Of 1 + score of the first - score of the second points.
  [[nodiscard]] const Pentanomial& pentanomial() const { return pentanomial_; }

 private:
  struct Scale {
    double low = 0.0;
    double range = 1.0;
    [[nodiscard]] double score(double payoff) const { return (payoff - low) / range; }
    [[nodiscard]] bool fits(double payoff) const;
  };
  void count(const std::array<double, 2>& pair);

  std::vector<Scale> scales_;  ///< those that fit so far; the first counts
  std::vector<std::array<double, 2>> pairs_;
  WinDrawLoss first_;
  WinDrawLoss second_;
  PairedElo elo_;
  Pentanomial pentanomial_;
};

}  // namespace ntune
