#pragma once

#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/duels/tuple_strengths.h"
#include "ntune/optim/models/sampled_points.h"

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
class NTupleDuels final : public Optimiser {
 public:
  NTupleDuels(const NTupleDuelsOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  using Optimiser::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

 private:
  void fail_match(const Point& point, const Point& opponent);
  void learn(const Point& point, const Point& opponent, const MatchResult& result);
  /// The strongest of the points that have played and that are likely not to fail.
  [[nodiscard]] Point strongest() const;

  NTupleDuelsOptions options_;
  const SearchSpace* space_;
  Point reference_;  ///< see reference_point
  TupleStrengths strengths_;
  Neighbourhood neighbourhood_;
  SampledPoints points_;
  Failures failures_;
  Point incumbent_;
};

}  // namespace ntune
