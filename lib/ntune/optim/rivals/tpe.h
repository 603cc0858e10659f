#pragma once

#include <vector>

#include "ntune/optim/base/point_search.h"
#include "ntune/optim/rivals/parzen.h"

namespace ntune {

class Options;

struct TpeOptions {
  bool multivariate = true;
  double good = 0.25;
  double random = 0.1;
  int startup = 20;
  int candidates = 24;
  double bandwidth = 0.2;

  void visit(Options& options);
};

/// Tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kégl 2011, section 4) over
/// discrete parameters. The observations are split into the best ones and the rest; l and g are
/// Parzen densities of both. Of `candidates` values drawn from l the one with the highest l / g is
/// taken (the largest expected improvement, eq. 4).
///
/// Multivariate means one density over whole points, with some points from the whole space, as in
/// Falkner, Klein and Hutter 2018. It was better than the paper's form on NK, Trap and random
/// landscapes. Univariate (`multivariate: false`): every parameter by itself, with candidates of
/// its own, as in the paper. Observations are single payoffs, not means. Equal ones are good or not
/// together, whichever comes nearer to the share, so that with wins and losses l is the density of
/// wins. Points in flight and failures count among the rest; l / g counts as far as a point is
/// likely to succeed.
///
/// Recommends the sampled point with the highest l, the higher mean where these are equal, among
/// those unlikely to fail. (The highest l / g is often a lonely point that won once.)
class Tpe final : public PointSearch {
 public:
  Tpe(const TpeOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override { return {.point = next(rng)}; }
  void pending(const Point& point, bool is_in_flight) override;
  using PointSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

 private:
  /// A payoff as it was told.
  struct Observed {
    Point point;
    double payoff = 0.0;
  };
  struct Densities {
    ParzenDensity good;
    ParzenDensity rest;
  };

  Point next(Rng& rng);
  [[nodiscard]] double least_good() const;
  [[nodiscard]] Densities densities() const;
  [[nodiscard]] Point best_by_parameter(const Densities& densities, Rng& rng) const;
  [[nodiscard]] Point best_of_points(const Densities& densities, Rng& rng) const;

  TpeOptions options_;
  std::vector<Observed> observed_;
  std::vector<Point> pending_;
  std::vector<Point> failed_;  ///< one per failure
};

}  // namespace ntune
