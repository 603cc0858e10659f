#pragma once

#include "ntune/optim/optimiser.h"
#include "ntune/optim/sampled_points.h"

namespace ntune {

/// The frame of the optimisers that hold one incumbent against challengers. A round evaluates the
/// challenger `resamples` times and the incumbent as often again; the challenger takes over when
/// the mean of all its evaluations is higher. The means keep all evaluations, so that a lucky
/// incumbent is found out (Lucas, Liu and Perez-Liebana 2018 call this re-sampling).
class IncumbentSearch : public Optimiser {
 public:
  IncumbentSearch(const OptimiserContext& context, int resamples);

  Point ask(Rng& rng) final;
  void tell(const Point& point, double payoff) final;
  [[nodiscard]] Recommendation recommend() const final;

 protected:
  /// The next challenger; the first one is a random point.
  virtual Point propose(const Point& incumbent, Rng& rng) = 0;
  [[nodiscard]] const SearchSpace& space() const { return *space_; }

 private:
  [[nodiscard]] double mean(const Point& point) const;

  const SearchSpace* space_;
  SampledPoints points_;
  int resamples_;
  int step_ = 0;  ///< evaluations done in this round
  Point incumbent_;
  Point challenger_;
};

}  // namespace ntune
