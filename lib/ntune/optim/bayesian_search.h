#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/statistics.h"
#include "ntune/optim/acquisition.h"
#include "ntune/optim/bayesian_model.h"
#include "ntune/optim/neighbourhood.h"
#include "ntune/optim/optimiser.h"
#include "ntune/optim/sampled_points.h"

namespace ntune {

struct BayesianSearchOptions {
  Acquisition acquisition = Acquisition::kUcb;
  double k = 3.0;
  int candidates = 50;
  AutoNumber mutation_rate = {};
  AutoInteger initial = {};
  double refit = 1.5;
  int refit_steps = 15;
  int refit_points = 256;
  int most_points = 2000;
  double price = 0.0;

  void visit(Options& options);
};

/// Bayesian optimisation whose candidates are NTBEA's mutants, half of them
/// of the point asked for last, half of the best point, and the best point itself.
/// Hyperparameters are fitted when the number of payoffs has grown by the factor `refit`; between,
/// a payoff costs one update. Points in flight count with the mean that the model expects of
/// them, so that they narrow the uncertainty and leave the means as they are.
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
  /// Payoffs less the first one, in units of their standard deviation at the last fit.
  [[nodiscard]] double standard(double payoff) const { return (payoff - centre_) / scale_; }
  [[nodiscard]] double raw(double standard) const { return first_ + centre_ + scale_ * standard; }
  [[nodiscard]] BayesianRow known(std::size_t index) const;
  void hold(std::uint32_t rank);
  void refresh(std::size_t index);
  void fit();
  /// Index of the row with the highest posterior mean among those with payoffs.
  [[nodiscard]] std::size_t best_row() const;
  void gather_candidates(Rng& rng);
  /// So many points with the highest posterior means among those with payoffs.
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
  std::int64_t asked_ = 0;
  std::int64_t initial_ = 0;
  std::int64_t next_fit_ = 0;
  bool fitted_ = false;
  int content_ = 0;  ///< asks in a row whose expected improvement was below the price
  double first_ = 0.0;
  double centre_ = 0.0;
  double scale_ = 1.0;
};

}  // namespace ntune
