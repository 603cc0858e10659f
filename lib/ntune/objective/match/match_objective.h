#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/objective/seated_games.h"

namespace ntune {

/// How the matches of an objective are played.
struct MatchRules {
  std::vector<Point> anchors = {};   ///< fixed opponents; empty: the default alone
  std::vector<double> weights = {};  ///< of the anchors, > 0
  int games = 2;                     ///< of a match; even. A program of two plays as it likes.
  /// Seats of a game, which the players of the two points share; 0: it is for two, and has none.
  int players = 0;
};

/// Matches between the players of two points, as evaluations. A search may choose both, or leave
/// the opponent to be drawn from the anchors by their weights. A payoff is the points per game of
/// the first player, from 0 to 1. An anchor against itself has 1/2 without a game.
///
/// Where games have seats, both change theirs in the second game of a pair, which has the same
/// random numbers. So equal players have 1/2, whatever a seat is worth. An instance may have fewer
/// seats, as its value `players` says.
class MatchObjective final : public Objective, public Matches, public OutsideProgram {
 public:
  /// The objective must have matches, or seats for the players of the rules, and a default of every
  /// parameter unless anchors are given.
  /// Throws InputError.
  MatchObjective(std::shared_ptr<const Objective> objective, MatchRules rules);

  [[nodiscard]] const SearchSpace& space() const override { return objective_->space(); }
  /// Throws EvaluationError.
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] Json defaults() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = 0.0, .high = 1.0, .games = true};
  }
  /// The known truth of the game itself, where that is of matches against the only anchor.
  [[nodiscard]] const KnownTruth* known_truth() const override;
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] const OutsideProgram* outside_program() const override {
    return is_external(*objective_) ? this : nullptr;
  }

  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  /// The anchor, if it is the only one.
  [[nodiscard]] std::optional<Point> opponent() const override;
  [[nodiscard]] std::span<const Point> anchors() const override { return rules_.anchors; }
  [[nodiscard]] std::span<const double> anchor_weights() const override { return rules_.weights; }
  [[nodiscard]] const Point& anchor_for(const Rng& stream) const override;
  [[nodiscard]] std::vector<SeatedGame> seats_of(const Point& first, const Point& second,
                                                 const Rng& stream,
                                                 const Instance* instance) const override;

  // These members belong to an outside program, which plays the matches.
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng,
                                const EvaluationId& id) const override {
    return meet_anchor(*this, point, rng, id);
  }
  [[nodiscard]] Rehearsal rehearse(const Point& point, Rng& rng,
                                   const EvaluationId& id) const override;
  void check_instances(std::span<const Instance> instances, const YamlNode& options) const override;

  [[nodiscard]] const MatchRules& rules() const { return rules_; }
  /// The game or program that plays.
  [[nodiscard]] const Objective& inner() const { return *objective_; }

 private:
  /// Who sits where in a game on the instance.
  [[nodiscard]] Seating seats_for(const Point& first, const Point& second, const Rng& stream,
                                  const Instance* instance) const;
  [[nodiscard]] Outcome play_seated(const Point& first, const Point& second, const Rng& rng,
                                    const EvaluationId& id) const;

  std::shared_ptr<const Objective> objective_;
  MatchRules rules_;
  double all_weights_ = 0.0;
};

}  // namespace ntune
