#pragma once

#include <cstdint>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/restarts/restarts.h"

namespace ntune {

struct PooledStartsOptions {
  /// What it starts unless the study says something else.
  static constexpr const char* kInner = "gaussian_process";
  /// Whether what it starts is told payoffs that it did not ask for.
  static constexpr bool kPoolsPayoffs = true;

  int starts = 3;
  double share = 0.45;  ///< share of the budget for all starts together

  void visit(Options& options) {
    options.integer("starts", starts, between(1, 1e6), "searches that know nothing of each other");
    options.number(
        "share", share, between(0.001, 0.95),
        "share of the budget for these together; the rest goes on with all their payoffs");
  }
};

/// Several searches that know nothing of each other, then one that has the payoffs of all of them
/// and the rest of the budget. One search may stay on the first hill that it finds, but several
/// seldom find the same hill. For optimisers that learn from payoffs they did not ask for. What is
/// known of failures they have in common.
class PooledStarts final : public Restarts {
 public:
  PooledStarts(const PooledStartsOptions& options, OptimiserMaker inner,
               const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  /// The search under way has asked for it, before the first ask the first one. A start that has
  /// adopted more than its share takes the place of as many starts.
  void adopt(const Point& point, Rng& rng) override;
  using Restarts::tell;
  void tell(const Proposal& asked, const Report& report) override;
  /// What the last search recommends; before it, the start with the highest estimate.
  [[nodiscard]] Recommendation recommend() const override;
  /// Payoffs set aside in the last search; before it, in all starts.
  [[nodiscard]] PayoffsByPoint told() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;
  /// When the last search is done, or without noise every point is known.
  [[nodiscard]] bool done() const override;

 private:
  void start_next(Rng& rng);
  [[nodiscard]] bool pooled() const { return searches_.size() > starts_; }
  [[nodiscard]] const InnerSearch& best_search() const;

  std::size_t starts_;
  std::int64_t length_;              ///< asks of a start
  std::vector<KeptReport> reports_;  ///< of the starts, until the last search has them
};

}  // namespace ntune
