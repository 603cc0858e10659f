#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/base/failures.h"
#include "ntune/optim/models/sampled_points.h"
#include "ntune/optim/restarts/inner_search.h"

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
class PooledStarts final : public Optimiser {
 public:
  PooledStarts(const PooledStartsOptions& options, OptimiserMaker inner,
               const OptimiserContext& context);

  Point ask(Rng& rng) override;
  /// The search under way has asked for it, before the first ask the first one. A start that has
  /// adopted more than its share takes the place of as many starts.
  void adopt(const Point& point, Rng& rng) override;
  void add_pending(const Point& point) override;
  void remove_pending(const Point& point) override;
  void tell(const Point& point, double payoff) override;
  void tell_cost(const Point& point, double cost) override;
  void fail(const Point& point) override;
  /// What the last search recommends; before it, the start with the highest estimate.
  [[nodiscard]] Recommendation recommend() const override;
  [[nodiscard]] PayoffsByPoint told() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;
  /// In the last search; before it, in all starts.
  [[nodiscard]] std::int64_t set_aside() const override;
  /// When the last search is done, or without noise every point is known.
  [[nodiscard]] bool done() const override;

 private:
  void start_search(Rng& rng);
  [[nodiscard]] bool pooled() const { return searches_.size() > starts_; }
  [[nodiscard]] const InnerSearch& best_search() const;

  OptimiserMaker inner_;  ///< what each search is
  Failures failures_;
  OptimiserContext context_;  ///< what each search gets
  std::size_t starts_;
  std::int64_t length_;   ///< asks of a start
  SampledPoints points_;  ///< all payoffs
  std::vector<InnerSearch> searches_;
  std::vector<std::pair<Point, double>> payoffs_;  ///< until the last search has them
  std::vector<std::pair<Point, double>> costs_;    ///< the same
  std::vector<Point> failed_;                      ///< the same, one per failure
  std::deque<std::size_t> in_flight_;              ///< which search asked, in the order of the asks
  std::size_t asker_ = 0;                          ///< which search asked for what is told next
};

}  // namespace ntune
