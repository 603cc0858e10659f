#pragma once

#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/duels/match_search.h"
#include "ntune/optim/duels/tuple_strengths.h"

namespace ntune {

class Options;

struct NTupleDuelsOptions {
  double k = 3.0;  ///< standard deviations of the upper bound above the mean
  int neighbours = 50;

  void visit(Options& options);
};

/// NTBEA by duels: the mutant of the incumbent with the highest upper bound meets the incumbent,
/// and takes its place once it is expected to be stronger (TupleStrengths). A match costs
/// microseconds, however many came before. Recommends the strongest of the points that have played,
/// by the sum over their tuples, or the default; it has no claim.
class NTupleDuels final : public MatchSearch {
 public:
  NTupleDuels(const NTupleDuelsOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  [[nodiscard]] Recommendation recommend() const override;

 private:
  void learn(const Point& point, const Point& opponent, const MatchResult& result) override;
  /// The strongest of the points that have played and that are likely not to fail.
  [[nodiscard]] Point strongest() const;

  NTupleDuelsOptions options_;
  TupleStrengths strengths_;
  Neighbourhood neighbourhood_;
  Point incumbent_;
};

}  // namespace ntune
