#include "ntune/optim/bayesian/bayesian_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ntune/optim/bayesian/acquisition.h"

namespace ntune {

namespace {

/// Visits of a row whose evaluation has failed: as good as none.
constexpr double kNoVisits = 1e-6;

/// Returns how often each point is asked for in a row. `auto` spreads the budget over most_points
/// points.
std::int64_t repeats_of(const BayesianSearchOptions& options, const OptimiserContext& context) {
  if (!context.noisy) return 1;
  if (!options.repeats.automatic) return options.repeats.value;
  return 1 + (std::max(context.budget, context.common_budget) - 1) / options.most_points;
}

/// Whether the search may take logarithms. The end of a declared range may be a penalty, of which
/// they make little. Payoffs less an effect of their instance have lost their size.
bool may_take_logarithms(const BayesianSearchOptions& options, const OptimiserContext& context) {
  return options.scale == PayoffScaling::kAuto && context.noisy && !context.payoff_low &&
         context.payoff_slack == 0.0;
}

/// Whether each point is asked for once first. Where constraints leave few points, these may be far
/// from each other, so that payoffs of some say little of the others. All can be candidates at
/// once, and take no more than a third of the budget.
bool covers_space(const BayesianSearchOptions& options, const OptimiserContext& context) {
  const double points = context.space->size().points;
  return context.noisy && context.space->constrained() && options.k.automatic &&
         options.initial.automatic && points <= options.candidates &&
         3.0 * points <= static_cast<double>(context.budget);
}

}  // namespace

BayesianSearch::BayesianSearch(const BayesianSearchOptions& options,
                               const OptimiserContext& context)
    : options_(options),
      space_(context.space),
      noisy_(context.noisy),
      points_(*context.space, std::min<std::int64_t>(context.budget, options.most_points)),
      ordinary_(context.payoff_low, context.payoff_high, context.payoff_slack),
      scale_(context),
      failures_(context, points_),
      model_(*context.space, options.kernel),
      neighbourhood_(*context.space, {.size = std::max(1, options.candidates / (1 + kBestParents)),
                                      .mutation_rate = options.mutation_rate}),
      repeats_(repeats_of(options, context)),
      covers_(covers_space(options, context)) {
  failures_.foretell_by_process();
  if (may_take_logarithms(options, context)) logarithms_.emplace();
  if (context.cost_exponent > 0.0) {
    costs_.emplace(*context.space);
    cost_exponent_ = context.cost_exponent;
  }
  std::int64_t first =
      options.initial.automatic ? model_.kernel().axes() + 1 : options.initial.value;
  // What a search may gain by one ask more, which ends it by a price, is of one round.
  if (options.price == 0.0) {
    climbs_ = std::clamp<Eigen::Index>(model_.kernel().axes() - kAtOnce, 0, kMostClimbs);
  }
  if (covers_) first = std::max(first, static_cast<std::int64_t>(context.space->size().points));
  schedule_.random_asks = repeats_ * first;
  // A fit of one payoff has no spread to scale by.
  schedule_.next = std::max<std::int64_t>(schedule_.random_asks, 2);
}

/// The point of the next ask.
Point BayesianSearch::next(Rng& rng) {
  ++asked_;
  if (asks_left_ > 0) {
    --asks_left_;
    return current_;
  }
  asks_left_ = repeats_ - 1;
  // Payoffs that it did not ask for stand in for the random points.
  if (!schedule_.fitted || std::max(asked_, scale_.count()) <= schedule_.random_asks) {
    if (!noisy_) return current_ = new_point(rng).value_or(current_);
    current_ = failures_.draw(rng);
    if (covers_) current_ = new_point(rng).value_or(current_);
    return current_;
  }
  update();
  gather_candidates(rng);
  std::size_t chosen = choose(rng);
  for (Eigen::Index round = 0; round < climbs_; ++round) {
    gather_mutants_of(chosen, rng);
    chosen = choose(rng);
  }
  return current_ = candidates_[chosen].point;
}

void BayesianSearch::update() {
  solve_model();
  // Marks that have come or gone change rows, and only now they must count.
  if (stale_.empty()) return;
  for (const std::size_t index : stale_) refresh(index);
  stale_.clear();
  model_.solve();
}

std::vector<Belief> BayesianSearch::beliefs(std::span<const Point> points) const {
  std::vector<Query> queries;
  for (const Point& point : points) queries.push_back({.point = point, .row = row_of(point)});
  const Posterior posterior = whole_model().predict(queries);
  const Eigen::VectorXd variances = posterior.variances();
  std::vector<Belief> beliefs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    beliefs.push_back(belief_of(posterior.means()[at], variances[at]));
  }
  return beliefs;
}

std::vector<double> BayesianSearch::means() const {
  const GaussianProcess& model = whole_model();
  std::vector<double> means;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool told = points_.cell(i).count > 0;
    means.push_back(payoff_of(told ? worth(i) : model.mean(static_cast<Eigen::Index>(i))));
  }
  return means;
}

/// A point in flight gets a row, whose mean is what the model expects of it, so that the next
/// points keep away from it.
void BayesianSearch::pending(const Point& point, bool is_in_flight) {
  if (!is_in_flight) return make_stale(points_.mark(point, -1) - 1);
  marked_ = true;
  const std::uint32_t rank = points_.mark(point, 1);
  if (static_cast<Eigen::Index>(rank) <= model_.size()) {
    make_stale(rank - 1);
    return;
  }
  solve_model();
  append(rank);
  model_.solve();
}

/// A mark often comes and goes for one point in a row, which is noted once.
void BayesianSearch::make_stale(std::size_t index) {
  copy_.reset();
  if (stale_.empty() || stale_.back() != index) stale_.push_back(index);
}

/// Adds a payoff to what is known of its point; the rank of that among the sampled points.
std::uint32_t BayesianSearch::take(const Point& point, double payoff) {
  const double counts_as = ordinary_.add(
      point, payoff,
      {[this](const Point& earlier, double before, double now) { amend(earlier, before, now); },
       [this](std::span<const OrdinaryPayoffs::Counted> all) { relearn(all); }});
  scale_.add(counts_as);
  failures_.succeed(point);
  const std::uint32_t rank = points_.add(point, scale_.shifted(counts_as));
  if (logarithms_) {
    logarithms_->note(payoff);
    logarithms_->add(rank, counts_as);
  }
  return rank;
}

void BayesianSearch::tell(const Proposal& asked, const Report& report) {
  if (report.cost && costs_) costs_->add(asked.point, *report.cost);
  // Payoffs with more to come wait for the last of them, and all are then added by one fit.
  if (report.more || !waiting_.empty()) {
    for (const double payoff : report.payoffs) waiting_.push_back({asked.point, payoff});
    if (!report.more) add_all(std::exchange(waiting_, {}));
  } else {
    for (const double payoff : report.payoffs) add(asked.point, payoff);
  }
  if (!report.failed) return;
  if (asked_ == 0) current_ = asked.point;
  failures_.fail(asked.point);
  // A point that fails is not asked for again in this row of repeats.
  if (asked.point == current_) asks_left_ = 0;
}

/// Adds a payoff to the model.
void BayesianSearch::add(const Point& point, double payoff) {
  if (asked_ == 0) current_ = point;
  const std::uint32_t rank = take(point, payoff);
  copy_.reset();
  // The row of a known point waits in `retold_`, since its other repeats are likely to follow. A
  // new point gets its row at once.
  if (rank != retold_) {
    refresh_retold();
    if (static_cast<Eigen::Index>(rank) > model_.size()) {
      append(rank);
    } else {
      retold_ = rank;
    }
  }
  if (amended_) recount();
  // The scale of the model holds no such payoff.
  if (by_logarithms_ && !logarithms_->usable()) {
    schedule_.next = std::min(schedule_.next, scale_.count());
  }
  // A fit solves the model; else that waits until something is asked of it. With marks rows take
  // the mean of what was known before, so it cannot wait.
  if (scale_.count() >= schedule_.next) {
    fit(options_.refit_steps);
  } else {
    unsolved_ = true;
    if (marked_ && retold_ == 0) solve_model();
  }
}

void BayesianSearch::refresh_retold() {
  if (const std::uint32_t rank = std::exchange(retold_, 0); rank > 0) refresh(rank - 1);
}

void BayesianSearch::solve_model() {
  refresh_retold();
  static_cast<void>(whole_model());
}

const GaussianProcess& BayesianSearch::whole_model() const {
  if (retold_ == 0) {
    if (std::exchange(unsolved_, false)) model_.solve();
    return model_;
  }
  // The waiting row is brought up to date in a copy, so that a look leaves the model's rounding as
  // it was.
  if (!copy_) {
    copy_ = model_;
    copy_->update(static_cast<Eigen::Index>(retold_) - 1, known(retold_ - 1));
    copy_->solve();
  }
  return *copy_;
}

/// Adds payoffs to the model; many by one fit, in place of one each.
void BayesianSearch::add_all(const std::vector<PriorPayoff>& payoffs) {
  constexpr int kFits = 4;  // in one; each payoff by itself would have had more
  // Without a fit that is due, or with points in flight, payoffs are added one by one.
  const bool few = scale_.count() + std::ssize(payoffs) < schedule_.next;
  if (few || !stale_.empty()) {
    for (const auto& [point, payoff] : payoffs) add(point, payoff);
    return;
  }
  if (asked_ == 0) current_ = payoffs.back().point;
  for (const auto& [point, payoff] : payoffs) {
    const std::uint32_t rank = take(point, payoff);
    // The fit sets all rows anew, so that a row without its covariances is enough.
    if (static_cast<Eigen::Index>(rank) > model_.size()) model_.append_unknown(point);
  }
  if (amended_) recount();
  fit(kFits * options_.refit_steps);
  while (schedule_.next <= scale_.count()) advance_schedule();
}

/// Makes an earlier payoff count as another number, as OrdinaryPayoffs asks for.
void BayesianSearch::amend(const Point& point, double before, double now) {
  const std::uint32_t rank = points_.amend(point, scale_.shifted(before), scale_.shifted(now));
  if (logarithms_) logarithms_->amend(rank, before, now);
  amended_ = true;
}

/// Takes what payoffs count as in place of all so far.
void BayesianSearch::relearn(std::span<const OrdinaryPayoffs::Counted> all) {
  points_.clear_payoffs();
  if (logarithms_) logarithms_->clear();
  scale_.move_origin(ordinary_.lowest());
  for (const auto& [point, payoff] : all) {
    const std::uint32_t rank = points_.add(point, scale_.shifted(payoff));
    if (logarithms_) logarithms_->add(rank, payoff);
  }
  amended_ = true;
}

/// Brings all that stands on the payoffs up to date, hyperparameters too.
void BayesianSearch::recount() {
  amended_ = false;
  const double low = ordinary_.lowest();
  // An origin far off, as of a wild first payoff, would cost the digits that it is to save.
  if (scale_.origin() < low || scale_.origin() > ordinary_.highest()) {
    points_.shift(low - scale_.origin());
    scale_.move_origin(low);
  }
  scale_.recount(points_, low, ordinary_.highest());
  schedule_.next = std::min(schedule_.next, scale_.count());
}

/// A row without payoffs, of a point in flight or failed, keeps the mean that the model has for it.
BayesianRow BayesianSearch::known(std::size_t index) const {
  const Cell& cell = points_.cell(index);
  const double visits = cell.visits() > 0 ? cell.visits() : kNoVisits;
  if (cell.count > 0) return {mean_of(index), visits};
  return {model_.mean(static_cast<Eigen::Index>(index)), visits};
}

/// Adds the row of a point that the model does not hold.
void BayesianSearch::append(std::uint32_t rank) {
  const std::size_t index = rank - 1;
  const Query asked = {.point = points_.point(index)};
  const Cell& cell = points_.cell(index);
  // Without payoffs the mean is what the model expects, so that the row narrows variances alone.
  const double mean =
      cell.count > 0 ? mean_of(index) : model_.predict(std::span(&asked, 1)).means()[0];
  model_.append(asked.point, {mean, static_cast<double>(cell.visits())});
}

void BayesianSearch::refresh(std::size_t index) {
  model_.update(static_cast<Eigen::Index>(index), known(index));
}

void BayesianSearch::advance_schedule() {
  schedule_.next =
      static_cast<std::int64_t>(std::ceil(static_cast<double>(schedule_.next) * options_.refit));
}

Recommendation BayesianSearch::recommend() const {
  const std::size_t best = best_row();
  // Where the model stands beyond all payoffs, the nearest payoff is the better estimate.
  const double estimate = std::clamp(payoff_of(worth(best)), scale_.lowest(), scale_.highest());
  return {
      .point = points_.point(best), .estimate = estimate, .evaluations = points_.cell(best).count};
}

std::optional<Belief> BayesianSearch::belief(const Point& point) const {
  if (!schedule_.fitted) return std::nullopt;
  const Eigen::Index row = row_of(point);
  if (!noisy_ && row >= 0 && points_.cell(static_cast<std::size_t>(row)).count > 0) {
    return Belief{.mean = payoff_of(worth(static_cast<std::size_t>(row))), .sd = 0.0};
  }
  const Query query = {.point = point, .row = row};
  const Posterior posterior = whole_model().predict(std::span(&query, 1));
  constexpr Eigen::Index kOnly = 0;
  const double variance = posterior.variances(std::span(&kOnly, 1))[0];
  return belief_of(posterior.means()[0], variance);
}

bool BayesianSearch::done() const {
  constexpr int kAsks = 10;
  const double most = std::min<double>(options_.most_points, space_->size().points);
  const bool all_known = !noisy_ && known_points() >= most;
  return all_known || ending_.exhausted || ending_.below_price >= kAsks;
}

/// Points with a payoff, in flight, or failed.
double BayesianSearch::known_points() const {
  if (!failures_.any()) return static_cast<double>(points_.size());
  std::size_t known = failures_.failed_points();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).visits() > 0 && !failures_.refused(points_.point(i))) ++known;
  }
  return static_cast<double>(known);
}

std::size_t BayesianSearch::choose(Rng& rng) {
  const Posterior posterior = model_.predict(candidates_);
  if (options_.price > 0.0) {
    // The run ends after ten asks in a row whose gain is below the price (see `done`).
    const double best = worth(best_row());
    const double gain = unit_at(payoff_of(best)) * expected_improvement(posterior, best);
    ending_.below_price = gain < options_.price ? ending_.below_price + 1 : 0;
  }
  if (failures_.any() || costs_) return choose_weighed(posterior, rng);
  switch (options_.acquisition) {
    case Acquisition::kThompson:
      return highest_of(draw_all(posterior, rng));
    case Acquisition::kKnowledgeGradient:
      return highest_of(gains(posterior, std::exp(model_.parameters().log_noise)));
    case Acquisition::kUcb:
      break;
  }
  return choose_by_bound(posterior, k());
}

}  // namespace ntune
