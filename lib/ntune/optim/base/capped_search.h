#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/censored_costs.h"

namespace ntune {

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
