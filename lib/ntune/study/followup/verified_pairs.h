#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/study/followup/game_evidence.h"
#include "ntune/study/followup/verify.h"
#include "ntune/study/model/evaluation.h"

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
  VerifiedPairs(const Study& study, Verification& result);

  /// The pair with this index. Throws InputError where the payoffs do not allow the test that was
  /// asked for.
  void add(const PairOfEvaluations& pair, std::int64_t index);
  /// Chooses the test by all pairs so far and computes its ratio, from two pairs on.
  void rate();
  /// Fills in the samples of payoffs.
  void summarise_samples();
  /// The same, and counts and Elo of the games.
  void summarise();

 private:
  [[nodiscard]] GameCounts games_of(const Evaluated& evaluated) const;
  /// What one observation of both brought, on its instance.
  struct OnInstance {
    RunningStats first = {};
    RunningStats second = {};
    RunningStats difference = {};
  };

  void add_match(const Evaluated& evaluated, OnInstance& on);
  void add_evaluations(const Evaluated& first, const Evaluated& second, OnInstance& on);
  void add_payoffs(double first, double second, double difference, OnInstance& on);
  [[nodiscard]] MeanSample sample_of(const RunningStats& all,
                                     RunningStats OnInstance::*member) const;
  /// Of both points so far, of instances by their weights.
  [[nodiscard]] MeanSample difference() const;
  void rate_by_samples();
  [[nodiscard]] const GameEvidence* games() const;
  void check_test() const;
  [[nodiscard]] VerifyTest chosen_test() const;
  [[nodiscard]] double ratio_of_t() const;
  [[nodiscard]] double ratio_of_games() const;

  const Study& study_;
  const Objective& objective_;
  Verification& result_;
  std::vector<OnInstance> on_instances_;  ///< of the study; one where it has none
  GameEvidence by_games_;
  PairedGames by_payoffs_;
};

}  // namespace ntune
