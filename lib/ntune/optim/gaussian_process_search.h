#pragma once

#include <cstdint>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/statistics.h"
#include "ntune/optim/gaussian_process.h"
#include "ntune/optim/neighbourhood.h"
#include "ntune/optim/optimiser.h"
#include "ntune/optim/sampled_points.h"

namespace ntune {

/// What decides between candidates: the upper confidence bound mean + k * sd; one draw from the
/// joint posterior; or the gain in the best posterior mean that one payoff promises, with
/// candidate and best point alone in view (Frazier, Powell and Dayanik 2009).
enum class Acquisition { kUcb, kThompson, kKnowledgeGradient };

struct GaussianProcessOptions {
  KernelForm kernel = KernelForm::kTuples;
  Acquisition acquisition = Acquisition::kUcb;
  double k = 2.0;
  int candidates = 50;
  AutoNumber mutation_rate = {};
  AutoInteger initial = {};
  double refit = 1.5;
  int refit_steps = 15;
  int refit_points = 256;
  int most_points = 2000;

  void visit(Options& options);
};

/// Bayesian optimisation on a Gaussian process whose candidates are NTBEA's mutants, half of them
/// of the point asked for last, half of the best point, and the best point itself.
/// Hyperparameters are fitted when the number of payoffs has grown by the factor `refit`; between,
/// a payoff costs O(points^2). Points in flight count with the mean that the process expects of
/// them, so that they narrow the uncertainty and leave the means as they are.
class GaussianProcessSearch final : public Optimiser {
 public:
  GaussianProcessSearch(const GaussianProcessOptions& options, const OptimiserContext& context);

  Point ask(Rng& rng) override;
  void add_pending(const Point& point) override;
  void remove_pending(const Point& point) override;
  void tell(const Point& point, double payoff) override;
  [[nodiscard]] Recommendation recommend() const override;

 private:
  /// Payoffs less the first one, in units of their standard deviation at the last fit.
  [[nodiscard]] double standard(double payoff) const { return (payoff - centre_) / scale_; }
  [[nodiscard]] double raw(double standard) const { return first_ + centre_ + scale_ * standard; }
  [[nodiscard]] GaussianProcessRow known(std::size_t index) const;
  void hold(std::uint32_t rank);
  void refresh(std::size_t index);
  void fit();
  /// Index of the row with the highest posterior mean among those with payoffs.
  [[nodiscard]] std::size_t best_row() const;
  void gather_candidates(Rng& rng);
  void gather_sampled();
  [[nodiscard]] std::size_t choose(Rng& rng) const;
  [[nodiscard]] std::size_t choose_by_bound(const GaussianProcess::Posterior& posterior) const;
  [[nodiscard]] std::size_t choose_by_draw(const GaussianProcess::Posterior& posterior,
                                           Rng& rng) const;
  [[nodiscard]] std::size_t choose_by_gain(const GaussianProcess::Posterior& posterior) const;

  GaussianProcessOptions options_;
  const SearchSpace* space_;
  SampledPoints points_;  ///< payoffs less the first one; a row of process_ for each
  GaussianProcess process_;
  Neighbourhood neighbourhood_;
  Point current_;  ///< asked for last
  std::vector<Point> candidates_;
  std::vector<std::size_t> stale_;  ///< rows that have lost a mark
  RunningStats payoffs_;            ///< less the first one
  std::int64_t asked_ = 0;
  std::int64_t initial_ = 0;
  std::int64_t next_fit_ = 0;
  bool fitted_ = false;
  double first_ = 0.0;
  double centre_ = 0.0;
  double scale_ = 1.0;
};

}  // namespace ntune
