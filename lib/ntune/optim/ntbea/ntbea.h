#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/optim/ntbea/recommendations.h"

namespace ntune {

struct NtbeaOptions {
  ModelOptions model;
  NeighbourhoodOptions neighbourhood;
  /// Exploration constant of eq. 5; automatic: half the declared range of the payoffs, or half the
  /// observed range of the ordinary payoffs where none is declared.
  AutoNumber k;
  const RecommendationRule* recommend = &kRecommendationRules.front();
};

/// The N-Tuple Bandit Evolutionary Algorithm (Goodman and Lucas 2020, section 2.2). With
/// evaluations in flight it moves on from the point asked for last, as the paper's chain does.
/// Points asked for before anything was told are random.
///
/// A failed evaluation stays a visit in the exploration term. A neighbour's bound then counts as
/// far as it is likely to succeed, above the lowest payoff.
template <LandscapeModel Model>
class Ntbea : public Optimiser {
 public:
  Ntbea(const NtbeaOptions& options, const OptimiserContext& context)
      : options_(options),
        space_(context.space),
        budget_(context.budget),
        model_(*context.space, options.model, context.budget),
        neighbourhood_(*context.space, options.neighbourhood),
        failures_(context, model_.points()),
        ordinary_(context.payoff_low, context.payoff_high, context.payoff_slack) {
    if (context.payoff_low && context.payoff_high) {
      declared_range_ = *context.payoff_high - *context.payoff_low;
    }
  }

  Proposal ask(Rng& rng) override {
    Point& current = place_.last;
    if (!told_) return {.point = current = failures_.draw(rng)};
    if (current.size() == 0) current = recommend().point;  // it was told before its first ask
    model_.focus(current);
    const double k = exploration_constant();
    const double tie = kTie * half_range();
    double best_bound = -std::numeric_limits<double>::infinity();
    std::uint32_t ties = 0;
    const auto score_of = model_.neighbours();
    ++place_.asks;
    std::size_t changed = 0;
    const bool failing = failures_.any();
    neighbourhood_.for_each(current, rng, [&](const auto& changes) {
      const Score score = score_of(changes);
      double bound = score.mean + k * score.exploration;
      if (failing) [[unlikely]] {
        if (!discount(changes, bound)) return;
      }
      if (bound < best_bound - tie) return;
      ties = bound > best_bound + tie ? 1 : ties + 1;
      best_bound = std::max(best_bound, bound);
      if (ties > 1 && rng.stream("tie", place_.asks, ties).below(ties) != 0) return;
      changed = changes.size();
      std::ranges::copy(changes, best_.begin());
    });
    for (std::size_t i = 0; i < changed; ++i) current[best_[i].parameter] = best_[i].value;
    if (failing && changed == 0 && failures_.refused(current)) current = failures_.draw(rng);
    return {.point = current};
  }

  /// The model and what is known of failures follow from what it was told.
  [[nodiscard]] SearchPlace* place() override { return &place_; }

  void pending(const Point& point, bool is_in_flight) override {
    if (is_in_flight) {
      model_.add_pending(point);
    } else {
      model_.remove_pending(point);
    }
  }

  using Optimiser::tell;
  void tell(const Proposal& asked, const Report& report) override {
    for (const double payoff : report.payoffs) {
      told_ = true;
      model_.add(asked.point, ordinary_.add(asked.point, payoff, changes_));
      failures_.succeed(asked.point);
    }
    if (!report.failed) return;
    failures_.fail(asked.point);
    model_.add_pending(asked.point);
  }

  [[nodiscard]] Recommendation recommend() const override {
    const double k = exploration_constant();
    return failures_.highest([&](std::size_t i, const Point& point) {
      const Score score = model_.score(point);
      const auto count = static_cast<double>(model_.points().cell(i).count);
      return Failures::Rated{options_.recommend->rank(score, count, k), score.mean};
    });
  }

  [[nodiscard]] PayoffsByPoint told() const override {
    return {.points = &model_.points(), .set_aside = ordinary_.set_aside()};
  }

  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override {
    return Belief{.mean = model_.score(point).mean};
  }

  [[nodiscard]] const Model& model() const { return model_; }

 private:
  /// Bounds closer than this share of the payoffs' half range are tied, and ties are broken at
  /// random: far below any difference that matters, far above rounding.
  static constexpr double kTie = 1e-9;

  [[nodiscard]] double half_range() const {
    if (declared_range_ > 0.0) return declared_range_ / 2.0;
    const double observed = ordinary_.highest() - ordinary_.lowest();
    return observed > 0.0 ? observed / 2.0 : 1.0;
  }
  [[nodiscard]] double exploration_constant() const {
    return options_.k.automatic ? half_range() : options_.k.value;
  }

  /// Lowers the bound of a neighbour that may fail; false where it is not to be asked for.
  template <class NeighbourChanges>
  [[nodiscard]] bool discount(const NeighbourChanges& changes, double& bound) const {
    Point neighbour = place_.last;
    for (const Change& change : changes) neighbour[change.parameter] = change.value;
    if (failures_.refused(neighbour)) return false;
    bound = Failures::discounted(bound, failures_.risk(neighbour), ordinary_.lowest());
    return true;
  }

  /// Learns all payoffs anew. Points keep the order in which they were met, and their marks.
  void relearn(std::span<const OrdinaryPayoffs::Counted> all) {
    Model model(*space_, options_.model, budget_);
    const SampledPoints& points = model_.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point point = points.point(i);
      for (std::uint32_t mark = 0; mark <= points.cell(i).pending; ++mark) model.add_pending(point);
      model.remove_pending(point);
    }
    for (const auto& [point, payoff] : all) model.add(point, payoff);
    model_ = std::move(model);
  }

  NtbeaOptions options_;
  const SearchSpace* space_;
  std::int64_t budget_;
  Model model_;
  Neighbourhood neighbourhood_;
  Failures failures_;
  OrdinaryPayoffs ordinary_;
  OrdinaryPayoffs::Changes changes_ = {
      [this](const Point& point, double before, double now) { model_.amend(point, before, now); },
      [this](std::span<const OrdinaryPayoffs::Counted> all) { relearn(all); }};
  SearchPlace place_;
  std::array<Change, kMaxDimensions> best_{};  ///< changes of the best neighbour so far
  double declared_range_ = 0.0;                ///< of the payoffs; 0: the objective declares none
  bool told_ = false;                          ///< at least one payoff
};

}  // namespace ntune
