#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/censored_costs.h"

namespace ntune {

/// Another optimiser's search, whose evaluations end when they have lost. For payoffs that are
/// negative costs. It is told what a longer evaluation would have cost on average in place of the
/// bound, which would draw it to points whose costs are only known to be high.
class CappedSearch final : public Optimiser {
 public:
  explicit CappedSearch(std::unique_ptr<Optimiser> search) : search_(std::move(search)) {}

  Point ask(Rng& rng) override { return search_->ask(rng); }
  void adopt(const Point& point, Rng& rng) override { search_->adopt(point, rng); }
  void add_pending(const Point& point) override { search_->add_pending(point); }
  void remove_pending(const Point& point) override { search_->remove_pending(point); }
  void tell(const Point& point, double payoff) override;
  void tell_cost(const Point& point, double cost) override { search_->tell_cost(point, cost); }
  void tell_all(std::span<const Point> points, std::span<const double> payoffs) override;
  void fail(const Point& point) override { search_->fail(point); }
  /// As the search sees the best point now.
  [[nodiscard]] double losing_payoff() const override;
  void tell_at_most(const Point& point, double payoff) override;
  [[nodiscard]] Recommendation recommend() const override { return search_->recommend(); }
  [[nodiscard]] std::optional<Certainty> certainty() const override { return search_->certainty(); }
  [[nodiscard]] PayoffsByPoint told() const override { return search_->told(); }
  [[nodiscard]] bool done() const override { return search_->done(); }
  [[nodiscard]] std::int64_t set_aside() const override { return search_->set_aside(); }
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override {
    return search_->belief(point);
  }

 private:
  std::unique_ptr<Optimiser> search_;
  CensoredCosts costs_;
  bool told_ = false;  ///< it has a best point
};

}  // namespace ntune
