#pragma once

#include <array>
#include <vector>

#include "ntune/objective/objective.h"
#include "ntune/study/followup/game_evidence.h"

namespace ntune {

/// Pairs of payoffs that may be results of single games: declared wins and losses, or -1, 0 and 1,
/// or 0, 1/2 and 1. All payoffs together decide which of these scales they have.
class PairedGames {
 public:
  explicit PairedGames(const Payoffs& payoffs);

  /// The payoffs of both players with the same seed.
  void add(double first, double second);
  /// False where a payoff was no win, draw or loss.
  [[nodiscard]] bool are_games() const { return !scales_.empty(); }

  /// Without meaning unless all are games.
  [[nodiscard]] const GameEvidence& evidence() const { return evidence_; }

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
  GameEvidence evidence_;
};

}  // namespace ntune
