#pragma once

#include <optional>

#include "ntune/study/evaluation/evaluation.h"
#include "ntune/study/followup/game_evidence.h"
#include "ntune/study/followup/paired_games.h"
#include "ntune/study/followup/verify.h"

namespace ntune {

/// What a pair of evaluations has brought; of a match the first alone.
struct PairOfEvaluations {
  std::optional<Evaluated> first = {};
  std::optional<Evaluated> second = {};
  int failures = 0;
};

/// Takes pairs into a verification, by its options: counts, payoffs and games, and the ratio of the
/// test that they allow.
class VerifiedPairs {
 public:
  /// Both must outlive the object.
  VerifiedPairs(const Objective& objective, Verification& result)
      : objective_(objective), result_(result), by_payoffs_(objective.payoffs()) {}

  /// Throws InputError where the payoffs do not allow the test that was asked for.
  void add(const PairOfEvaluations& pair);
  /// Chooses the test by all pairs so far and computes its ratio, from two pairs on.
  void rate();
  /// Fills in counts and Elo of the games.
  void summarise();

 private:
  [[nodiscard]] GameCounts games_of(const Evaluated& evaluated) const;
  void add_match(const Evaluated& evaluated);
  void add_evaluations(const Evaluated& first, const Evaluated& second);
  [[nodiscard]] const GameEvidence* games() const;
  void check_test() const;
  [[nodiscard]] VerifyTest chosen_test() const;
  [[nodiscard]] double ratio_of_t() const;
  [[nodiscard]] double ratio_of_games() const;

  const Objective& objective_;
  Verification& result_;
  GameEvidence by_games_;
  PairedGames by_payoffs_;
};

}  // namespace ntune
