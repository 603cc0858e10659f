#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// Mean of a normal variable that is known to be above `bound`.
double normal_mean_above(double mean, double sd, double bound);

/// Costs of evaluations that grow while these last, of which some were ended: their cost is at
/// least what it was then (censored). Logarithms of costs are held for normal, but for those of
/// evaluations that had no end, which cost a penalty.
class CensoredCosts {
 public:
  /// Adds a cost that is known. One of 0 or less says nothing of the scatter.
  void add(double cost);
  /// Adds the penalty of an evaluation that was cut off.
  void add_penalty(double penalty);
  /// The cost at which an evaluation has lost, where the best mean is `best`: five times that, or
  /// five times the least known cost where this is more. Infinite before 20 costs are known.
  [[nodiscard]] double losing(double best) const;
  /// What a cost above `bound` is on average, by logarithms, at a point whose mean is held for
  /// `mean` (Schmee and Hahn 1979; Hutter, Hoos and Leyton-Brown 2011). Costs scatter about it as
  /// all known ones do about theirs. Without a mean above 0 the point is held for an average one.
  /// As many as of those that were known to last longer than the bound would have been cut off.
  [[nodiscard]] double imputed(std::optional<double> mean, double bound) const;

 private:
  std::int64_t known_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  RunningStats logs_;
  std::vector<double> ended_;  ///< costs of those that were not cut off
  RunningStats penalties_;
};

/// Another optimiser's search, whose evaluations end when they have lost. For payoffs that are
/// negative costs. It is told what a longer evaluation would have cost on average in place of the
/// bound, which would draw it to points whose costs are only known to be high. Where a cutoff has a
/// penalty, points that may be recommended run to their ends: how often these are cut off decides
/// what they are worth.
class CappedSearch final : public Optimiser {
 public:
  /// `ends_leaders`: evaluations of the leading points are ended too.
  CappedSearch(std::unique_ptr<Optimiser> search, bool ends_leaders)
      : search_(std::move(search)), ends_leaders_(ends_leaders) {}

  /// Asks the search, and adds the payoff that loses against the best point as it is seen now.
  Proposal ask(Rng& rng) override;
  void adopt(const Point& point, Rng& rng) override { search_->adopt(point, rng); }
  void pending(const Point& point, bool is_in_flight) override {
    search_->pending(point, is_in_flight);
  }
  using Optimiser::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override { return search_->recommend(); }
  [[nodiscard]] PayoffsByPoint told() const override { return search_->told(); }
  [[nodiscard]] std::optional<Certainty> certainty() const override { return search_->certainty(); }
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override {
    return search_->belief(point);
  }
  [[nodiscard]] bool done() const override { return search_->done(); }

 private:
  [[nodiscard]] bool leads(const Point& point, double best) const;

  std::unique_ptr<Optimiser> search_;
  bool ends_leaders_;
  CensoredCosts costs_;
  bool told_ = false;  ///< it has a best point
};

}  // namespace ntune
