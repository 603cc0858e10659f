#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/bayesian/bayesian_model.h"
#include "ntune/optim/bayesian/bayesian_search_options.h"
#include "ntune/optim/models/sampled_points.h"
#include "ntune/optim/neighbourhood.h"
#include "ntune/optim/optimiser.h"

namespace ntune {

/// Bayesian optimisation whose candidates are the three best points by the model, and NTBEA's
/// mutants in equal parts of each of them and of the point asked for last. Hyperparameters are
/// fitted when the number of payoffs has grown by the factor `refit`; between, a payoff costs one
/// update. Points in flight count with the mean that the model expects of them, so that they narrow
/// the uncertainty and leave the means as they are. Without noise no point is asked for twice.
class BayesianSearch : public Optimiser {
 public:
  BayesianSearch(const BayesianSearchOptions& options, std::unique_ptr<BayesianModel> model,
                 const OptimiserContext& context);

  Point ask(Rng& rng) override;
  void add_pending(const Point& point) override;
  void remove_pending(const Point& point) override;
  void tell(const Point& point, double payoff) override;
  [[nodiscard]] Recommendation recommend() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;
  [[nodiscard]] std::optional<Certainty> certainty() const override;
  [[nodiscard]] bool done() const override;

 private:
  /// Payoffs less the first one, in units of unit() at the last fit.
  [[nodiscard]] double standard(double payoff) const { return (payoff - centre_) / scale_; }
  [[nodiscard]] double raw(double standard) const { return first_ + centre_ + scale_ * standard; }
  /// Of the model, or -1.
  [[nodiscard]] Eigen::Index row_of(const Point& point) const {
    return static_cast<Eigen::Index>(points_.rank_of(points_.key(point))) - 1;
  }
  [[nodiscard]] BayesianRow known(std::size_t index) const;
  void hold(std::uint32_t rank);
  void refresh(std::size_t index);
  void fit();
  [[nodiscard]] double unit() const;
  /// Of a point with payoffs, standardised: the posterior mean, or the payoff where noise has no
  /// part in it.
  [[nodiscard]] double worth(std::size_t index) const;
  /// Index of the row that is worth most.
  [[nodiscard]] std::size_t best_row() const;
  void gather_candidates(Rng& rng);
  void keep_new_candidates(Rng& rng);
  /// A random point that is not held, if one is found soon.
  [[nodiscard]] std::optional<Point> new_point(Rng& rng) const;
  /// So many points that are worth most.
  [[nodiscard]] std::vector<Query> highest_rows(std::size_t count) const;
  [[nodiscard]] std::size_t choose(Rng& rng);

  BayesianSearchOptions options_;
  const SearchSpace* space_;
  SampledPoints points_;  ///< payoffs less the first one; a row of model_ for each
  std::unique_ptr<BayesianModel> model_;
  Neighbourhood neighbourhood_;
  Point current_;  ///< asked for last
  std::vector<Query> candidates_;
  std::vector<std::size_t> stale_;  ///< rows that have lost a mark
  RunningStats payoffs_;            ///< less the first one
  std::vector<double> values_;      ///< distinct payoffs, up to one more than coarse ones have
  std::int64_t asked_ = 0;
  std::int64_t initial_ = 0;
  std::int64_t next_fit_ = 0;
  bool fitted_ = false;
  bool noisy_ = true;
  bool exhausted_ = false;  ///< without noise: no point was found that is not known
  int content_ = 0;         ///< asks in a row whose expected improvement was below the price
  std::optional<double> half_range_;  ///< of payoffs, as declared
  double first_ = 0.0;
  double centre_ = 0.0;
  double scale_ = 1.0;
};

}  // namespace ntune
