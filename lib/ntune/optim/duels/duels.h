#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ntune/optim/duels/duel_choice.h"
#include "ntune/optim/duels/duel_claims.h"
#include "ntune/optim/duels/duel_process.h"
#include "ntune/optim/duels/losing_values.h"
#include "ntune/optim/duels/match_search.h"

namespace ntune {

class Options;

/// Which two points are to meet: the duel after which most is gained by changing the incumbent.
enum class DuelPairing { kExpectedGain };

struct DuelsOptions {
  DuelPairing pairing = DuelPairing::kExpectedGain;
  double default_share =
      0.05;  ///< of the matches, against each fixed opponent; in all at most half
  bool cliffs = true;
  double confirmation = 0.15;  ///< of the matches, the last ones, of the recommendation

  void visit(Options& options);
};

/// Tuning by duels: candidates play each other, a Gaussian process learns their strengths from the
/// results (DuelProcess), and the next duels are those after which most is gained (DuelChoice).
/// Nothing has to be set. A part of the matches is between the incumbent and the default, which
/// says how much is won; where there are other fixed opponents, they share these matches by their
/// weights, and meet each other in every third of them. Duels are planned anew when 4 % more
/// matches are known, so that a suggestion takes a short time in a long search; beyond 5,000
/// matches when 10 % more are, and then a plan has a duel for each parameter.
///
/// Recommends the point of the highest expected strength, which need not have played. Its estimate
/// is the expected score against the default. Its claim has a 95 % interval of it, by an average
/// over the variances that the strengths may have (DuelClaims). The last matches are of this point
/// against the default, and then the claim rests on them (LeadConfirmation). Where they refute it
/// the next point has its turn. If the default is expected to be better, it is recommended.
///
/// Values whose players lose nearly every game are looked for and left (LosingValues). A match that
/// fails is laid to both players by how likely each was to fail, but never to a fixed opponent.
/// Duels are then chosen by what they promise and by the chance that neither player fails, and no
/// player is asked for that is known to.
///
/// Payoffs that are told without an opponent are scores against the default.
class Duels final : public MatchSearch {
 public:
  Duels(const DuelsOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  void adopt(const Point& point, Rng& rng) override;
  using MatchSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;
  [[nodiscard]] std::optional<Certainty> certainty() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;

  [[nodiscard]] const DuelProcess& process() const { return process_; }

 private:
  /// What is known when so many matches are.
  struct View {
    std::int64_t answered = -1;
    DuelProcess process;
    Point incumbent;
    DuelClaims claims = {};  ///< made when they are asked for
  };

  /// The last matches, of what is then recommended against the default.
  struct Confirmation {
    Point point;
    std::int64_t first = 0;  ///< matches asked for before it
    LeadConfirmation lead;
  };

  void learn(const Point& point, const Point& opponent, const MatchResult& result) override;
  void learn_alone(const Point& point, double score) override;
  void plan(Rng& rng);
  void begin_confirmation();
  [[nodiscard]] bool is_refuted() const;
  const Point& confirming_opponent();
  [[nodiscard]] Certainty confirmed() const;
  [[nodiscard]] std::int64_t last_matches() const;
  /// The fixed opponent that is due next.
  const Point& next_anchor();
  /// Two fixed opponents that are to meet, as every third match with one of several is; else
  /// nothing.
  std::optional<std::pair<Point, Point>> next_anchors();
  void update();
  [[nodiscard]] Point find_incumbent(const DuelProcess& process, const Point& last) const;
  [[nodiscard]] bool is_reliable(const Point& point) const;
  [[nodiscard]] double risk(const Point& point) const;
  /// Whether a point may not be asked for: it loses nearly every game, or is likely to fail.
  [[nodiscard]] bool is_hopeless(const Point& point) const;
  /// The default and the fixed opponents are known to work; a point in the middle is not. Failures
  /// are counted for points of the space alone.
  [[nodiscard]] bool is_trusted(const Point& point) const override;
  /// Whether fresh matches tell of what is recommended.
  [[nodiscard]] bool is_confirming() const;
  [[nodiscard]] const View& view() const;
  [[nodiscard]] const View& view_with_claims() const;
  [[nodiscard]] std::int64_t planned_matches() const;
  [[nodiscard]] std::size_t planned_duels() const;
  [[nodiscard]] bool is_late() const;

  DuelsOptions options_;
  std::int64_t budget_;
  DuelProcess process_;
  LosingValues losing_;
  Point incumbent_;
  std::int64_t told_ = 0;
  std::int64_t answered_ = 0;    ///< reports, of whatever was asked for
  std::int64_t fitted_ = 0;      ///< matches that the process was fitted to
  double next_learning_ = 15.0;  ///< matches at which hyperparameters are learned next
  double anchor_debt_ = 0.0;     ///< matches with fixed opponents that are due
  std::vector<Point> anchors_;   ///< with the reference
  bool trusts_anchors_ = false;  ///< they are declared
  bool confirms_ = false;        ///< the default may be played
  std::optional<Confirmation> confirmation_ = {};
  std::vector<double> weights_;                        ///< of the anchors; their sum is 1
  std::vector<double> dues_;                           ///< matches that are due to each anchor
  std::vector<std::pair<Point, Point>> anchor_pairs_;  ///< those that can meet
  std::size_t anchor_matches_ = 0;                     ///< planned with anchors
  std::deque<std::pair<Point, Point>> queue_;
  mutable std::unique_ptr<View> view_;
};

}  // namespace ntune
