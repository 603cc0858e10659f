#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/bayesian/bayesian_search_options.h"
#include "ntune/optim/bayesian/cost_process.h"
#include "ntune/optim/bayesian/payoff_scale.h"
#include "ntune/optim/gaussian/bayesian_fit.h"
#include "ntune/optim/gaussian/gaussian_process.h"
#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// Bayesian optimisation on a Gaussian process. Its candidates are the three best points by the
/// model, and NTBEA's mutants of each of them and of the point asked for last, in equal parts. With
/// more than 20 parameters a mutant changes few of them: the best candidate has mutants in turn,
/// for as many rounds as there are parameters beyond these, at most 60. Where there is noise, each
/// point is asked for `repeats` times in a row. Hyperparameters are fitted when the number of
/// payoffs has grown by the factor `refit`; between, a payoff costs one update. Points in flight
/// count with the mean that the model expects of them, so that they narrow the uncertainty and
/// leave the means as they are. Payoffs that are not those of games have their spread as the unit,
/// whatever range is declared, so that the search explores as far as they differ, unless `k` is
/// given. Noisy payoffs of one sign, without a declared range and without penalties, are modelled
/// by their logarithms where these have the higher marginal likelihood. Without noise no point is
/// asked for twice. What a candidate promises above the best point counts as far as it is likely to
/// succeed. Where costs are weighed it is divided by a power of what the candidate is expected to
/// cost.
class BayesianSearch final : public Optimiser {
 public:
  BayesianSearch(const BayesianSearchOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override { return {.point = next(rng)}; }
  void pending(const Point& point, bool is_in_flight) override;
  using Optimiser::tell;
  /// Reports with more to follow wait for the last one, and then make one fit of more steps.
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;
  [[nodiscard]] PayoffsByPoint told() const override {
    return {.points = &points_, .origin = scale_.origin(), .set_aside = ordinary_.set_aside()};
  }
  [[nodiscard]] bool done() const override;

  // For who asks the model itself, in place of `ask`.

  /// Whether the model has been fitted, so that it can be asked.
  [[nodiscard]] bool is_fitted() const { return schedule_.fitted; }
  /// Brings the model up to date with what was told and marked.
  void update();
  /// What the model says of each of the points.
  [[nodiscard]] std::vector<Belief> beliefs(std::span<const Point> points) const;
  /// The same of all points in `told().points`, means alone; one without payoffs has what is
  /// expected of it.
  [[nodiscard]] std::vector<double> means() const;

 private:
  /// Mutants of this many of the best points are candidates, and of the point asked for last.
  static constexpr int kBestParents = 3;

  /// Up to so many parameters one round of mutants is enough; and as many rounds follow at most.
  static constexpr Eigen::Index kAtOnce = 20;
  static constexpr Eigen::Index kMostClimbs = 60;

  /// When hyperparameters are fitted.
  struct FitSchedule {
    std::int64_t random_asks = 0;  ///< points asked for at random first
    std::int64_t next = 0;         ///< payoffs at the next fit
    bool fitted = false;           ///< once at least
  };
  /// Why the search may end before its budget.
  struct Ending {
    bool exhausted = false;  ///< without noise: no point was found that is not known
    int below_price = 0;     ///< asks in a row whose expected improvement was below the price
  };

  Point next(Rng& rng);
  void add(const Point& point, double payoff);
  void add_all(const std::vector<PriorPayoff>& payoffs);
  /// The row of a point in the model, or -1.
  [[nodiscard]] Eigen::Index row_of(const Point& point) const {
    return static_cast<Eigen::Index>(points_.rank_of(points_.key(point))) - 1;
  }
  /// What the payoffs of a point say, standardised, by its index among the sampled points.
  [[nodiscard]] BayesianRow known(std::size_t index) const;
  void append(std::uint32_t rank);
  void refresh(std::size_t index);
  std::uint32_t take(const Point& point, double payoff);
  void amend(const Point& point, double before, double now);
  void relearn(std::span<const OrdinaryPayoffs::Counted> all);
  void recount();
  /// Sets the payoffs at which the next fit is due.
  void advance_schedule();
  void fit(int steps);
  /// What each row is expected to bring, as a payoff.
  [[nodiscard]] std::vector<double> expected_payoffs() const;
  /// What a fit finds on one of the two scales.
  struct ScaleFit {
    bool by_logarithms = false;
    Eigen::VectorXd means;  ///< of all rows, standardised
    BayesianParameters parameters;
    double evidence = 0.0;  ///< log posterior density, of the payoffs in their own unit
  };
  /// Fits on both scales, and returns the fit that payoffs are likelier by.
  ScaleFit likelier_fit(std::span<const double> expected, bool coarse, int steps);
  [[nodiscard]] ScaleFit fit_on(bool by_logarithms, std::span<const double> expected, bool coarse,
                                int steps) const;
  /// Notes that the marks of a row have changed.
  void make_stale(std::size_t index);
  /// Brings the row of `retold_` up to date.
  void refresh_retold();
  /// Brings what the model predicts up to date with its rows.
  void solve_model();
  /// The model with all payoffs. Where the row of `retold_` has not seen them it is a copy that
  /// has, so that what is asked of a search changes nothing that follows, not by rounding either.
  [[nodiscard]] const GaussianProcess& whole_model() const;
  /// A standardised mean as a payoff, and what a payoff is as such a mean.
  [[nodiscard]] double payoff_of(double standard) const;
  [[nodiscard]] double standard_of(double payoff) const {
    return by_logarithms_ ? logarithms_->standard(payoff) : scale_.standard(scale_.shifted(payoff));
  }
  /// How far a payoff moves when its standardised mean does by 1.
  [[nodiscard]] double unit_at(double payoff) const {
    return by_logarithms_ ? std::abs(payoff) * logarithms_->unit() : scale_.unit();
  }
  /// The mean of a point with payoffs, standardised, by its index.
  [[nodiscard]] double mean_of(std::size_t index) const {
    if (by_logarithms_) return log_mean_of(index, std::exp(model_.parameters().log_noise));
    return scale_.standard(points_.cell(index).mean());
  }
  /// The same on the scale of logarithms, which have this variance.
  [[nodiscard]] double log_mean_of(std::size_t index, double variance) const {
    const Cell& cell = points_.cell(index);
    if (cell.count == 1) return logarithms_->mean(index);
    return logarithms_->mean_behind(scale_.origin() + cell.mean(), cell.count, variance);
  }
  /// A standardised mean and its variance as a belief of payoffs.
  [[nodiscard]] Belief belief_of(double mean, double variance) const;
  /// What a point with payoffs is worth, standardised: the posterior mean, or the payoff where
  /// there is no noise.
  [[nodiscard]] double worth(std::size_t index) const;
  /// The rows with payoffs; once anything has failed those alone that are reliable, if any is.
  [[nodiscard]] std::vector<Eigen::Index> eligible_rows() const;
  /// The eligible row that is worth most.
  [[nodiscard]] std::size_t best_row() const;
  void gather_candidates(Rng& rng);
  /// Leaves a candidate, by its index, and its mutants as candidates.
  void gather_mutants_of(std::size_t index, Rng& rng);
  /// Adds mutants of a point to the candidates.
  void add_mutants(const Point& parent, Rng& rng);
  /// A random point that is not held, if one is found soon.
  [[nodiscard]] std::optional<Point> new_point(Rng& rng) const;
  /// The `count` points that are worth most, best first.
  [[nodiscard]] std::vector<Query> highest_rows(std::size_t count) const;
  [[nodiscard]] std::size_t choose(Rng& rng);
  /// Index of the candidate to ask for where evaluations have failed, or costs are weighed.
  [[nodiscard]] std::size_t choose_weighed(const Posterior& posterior, Rng& rng);
  [[nodiscard]] double known_points() const;
  /// Standard deviations above the mean, for the upper confidence bound.
  [[nodiscard]] double k() const {
    return options_.k.automatic ? BayesianSearchOptions::kUsualK : options_.k.value;
  }

  BayesianSearchOptions options_;
  const SearchSpace* space_;
  bool noisy_;
  SampledPoints points_;  ///< with shifted payoffs; a row of model_ for each
  OrdinaryPayoffs ordinary_;
  PayoffScale scale_;
  std::optional<PayoffLogarithms> logarithms_;  ///< where the search may take them
  bool by_logarithms_ = false;                  ///< the model's payoffs are logarithms
  /// The last parameters on the scale of logarithms, where they were fitted.
  std::optional<BayesianParameters> logarithmic_;
  std::optional<BayesianParameters> linear_;  ///< and on that of the payoffs
  std::vector<PriorPayoff> waiting_;          ///< payoffs after which more are to come
  bool amended_ = false;  ///< an earlier payoff counts as another number than at the last fit
  Failures failures_;
  std::optional<CostProcess> costs_;  ///< where costs are weighed
  double cost_exponent_ = 0.0;
  mutable GaussianProcess model_;  ///< solved when it is looked at
  /// Payoffs have been told since the model was solved. Where they come one after another, as in a
  /// search that begins with those of others, it is solved once.
  mutable bool unsolved_ = false;
  /// The point told last, by its rank, if its row has not seen the payoff: several payoffs of a
  /// point in a row change its row once. 0: none.
  std::uint32_t retold_ = 0;
  mutable std::optional<GaussianProcess> copy_;  ///< of whole_model, until something changes
  /// Points have been in flight: rows without payoffs take the mean of what was known before.
  bool marked_ = false;
  Neighbourhood neighbourhood_;
  FitSchedule schedule_;
  Ending ending_;
  std::int64_t asked_ = 0;
  Point current_;               ///< asked for last
  std::int64_t repeats_ = 1;    ///< asks of a point in a row
  std::int64_t asks_left_ = 0;  ///< of `current_`
  bool covers_;                 ///< the random points first are all points
  Eigen::Index climbs_ = 0;     ///< rounds of mutants of the best candidate, behind the first
  std::vector<Query> candidates_;
  std::vector<std::size_t> stale_;  ///< rows whose marks the model has not seen
};

}  // namespace ntune
