#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/base/point_search.h"

namespace ntune {

struct GridSearchOptions {
  int repeats = 1;

  void visit(Options& options) {
    options.integer("repeats", repeats, between(1, 1e9),
                    "least evaluations of each grid point; the grid is thinned until they fit");
  }
};

/// Grid search: the points of a grid in turn, again and again until the budget ends; recommends the
/// highest mean. Where the space has more points than budget / repeats, the grid keeps as many
/// evenly spaced values of each parameter as fit. Where clauses forbid points of the grid, others
/// take their place. After the first time points that are likely to fail are left out, and it
/// recommends none where it can.
class GridSearch final : public PointSearch {
 public:
  GridSearch(const GridSearchOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  /// The grid leaves the point out once.
  void adopt(const Point& point, Rng& rng) override { (void)rng, ++adopted_[point]; }
  [[nodiscard]] Recommendation recommend() const override;

 private:
  void fill_up(std::set<Point>& points, double most) const;
  /// Whether the grid passes over a point whose evaluation is likely to fail.
  [[nodiscard]] bool left_out(const Point& point) const;

  std::vector<Point> grid_;
  std::map<Point, std::int64_t> adopted_;  ///< evaluations to be left out
  std::size_t next_ = 0;
};

}  // namespace ntune
