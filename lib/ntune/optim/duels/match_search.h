#pragma once

#include "ntune/optim/base/point_search.h"

namespace ntune {

/// The frame of a search by matches, which begins with a point and compares others with it.
class MatchSearch : public PointSearch {
 public:
  using PointSearch::tell;
  /// Learns from each match, or lays its failure to its players.
  void tell(const Proposal& asked, const Report& report) override;
  /// A score against another point is no payoff of the point alone.
  [[nodiscard]] PayoffsByPoint told() const final { return {}; }

 protected:
  explicit MatchSearch(const OptimiserContext& context);

  /// A match has brought its first player this result.
  virtual void learn(const Point& point, const Point& opponent, const MatchResult& result) = 0;
  /// A payoff was told without an opponent: as a rule a score against the reference.
  virtual void learn_alone(const Point& point, double score);
  /// Whether a player is never to blame for a failure: the reference, or a point off the grid.
  [[nodiscard]] virtual bool is_trusted(const Point& point) const;
  /// Counts the score of both players, but not of an opponent off the grid.
  void count_match(const Point& point, const Point& opponent, double score);

  /// The incumbent, which may lie off the grid, or else the middle of all values, or a random point
  /// where that is not allowed.
  Point reference_;
  /// An allowed point to begin with: the reference as near as the grid has it, or else a random
  /// one.
  Point start_;
};

}  // namespace ntune
