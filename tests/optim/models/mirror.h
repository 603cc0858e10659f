#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "catch.h"
#include "optim/pending_reference.h"
#include "support/spaces.h"

namespace ntune::test {

/// Relative to the largest payoff.
inline constexpr double kTolerance = 1e-9;

/// Changes in number known to the compiler, as Neighbourhood::for_each passes them.
template <std::size_t kSize>
using Fixed = std::span<const Change, kSize>;

using Payoff = double (*)(Rng&);

/// Feeds a model and the reference the same random calls and compares every answer.
template <class Model>
class Mirror {
 public:
  Mirror(const SearchSpace& space, const ModelOptions& options, Payoff payoff, std::uint64_t seed,
         std::int64_t budget)
      : space_(space),
        model_(space, options, budget),
        reference_(space, options),
        payoff_(payoff),
        rng_(seed),
        last_(space.sample(rng_)) {}

  /// One payoff at a random point, a neighbour of the last one, or the last one again.
  void add() {
    move();
    const double payoff = payoff_(rng_);
    scale_ = std::max(scale_, std::abs(payoff));
    model_.add(last_, payoff);
    reference_.add(last_, payoff);
  }

  /// Marks a point, told before or not, as in flight; or takes away one mark.
  void mark() {
    const auto in_flight = static_cast<std::uint32_t>(reference_.pending().size());
    if (rng_.below(10) < 10 - std::min(in_flight, 9U)) {
      move();
      model_.add_pending(last_);
      reference_.add_pending(last_);
    } else {
      unmark(rng_.below(in_flight));
    }
  }

  /// Focus, some neighbours, and now and then a score out of focus.
  void compare(int neighbours) {
    const bool sampled = rng_.below(3) > 0;
    const Point focus = sampled ? last_ : space_.sample(rng_);
    model_.focus(focus);
    if (rng_.below(4) == 0) model_.focus(focus);
    reference_.focus(focus);
    for (int i = 0; i < neighbours; ++i) {
      const std::vector<Change> changes = changes_of(focus);
      const Score wanted = reference_.score_neighbour(changes);
      expect_equal("neighbour", model_.neighbours()(Changes(changes)), wanted);
      const std::span span(changes);
      const auto score_of = model_.neighbours();
      expect_equal("any size", score_of(Changes(span)), wanted);
      if (span.size() == 1) expect_equal("one", score_of(Fixed<1>(span)), wanted);
      if (span.size() == 2) expect_equal("two", score_of(Fixed<2>(span)), wanted);
      if (rng_.below(4) > 0) continue;
      const Point point = rng_.below(2) == 0 ? last_ : space_.sample(rng_);
      expect_equal("score", model_.score(point), reference_.score(point));
    }
    expect_equal("no change", model_.neighbours()(Changes()), reference_.score(focus));
  }

  void run(int adds, int neighbours) {
    compare(neighbours);  // nothing is known yet
    for (int i = 0; i < adds; ++i) {
      add();
      compare(neighbours);
    }
    compare_points();
  }

  /// Marks and payoffs in random order, at first marks alone, at the end payoffs alone.
  void run_in_flight(int steps, int neighbours) {
    for (int i = 0; i < steps; ++i) {
      if (rng_.below(3) > 0 || i < 3) {
        mark();
      } else {
        add();
      }
      compare(neighbours);
    }
    compare_points();
    while (!reference_.pending().empty()) unmark(0);
    compare_points();
    if (!reference_.points().empty()) compare(neighbours);
  }

  void compare_points() {
    const SampledPoints& points = model_.points();
    std::size_t told = 0;
    std::size_t pending = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      told += points.cell(i).count > 0 ? 1U : 0U;
      pending += points.cell(i).pending;
    }
    bool same = told == reference_.points().size() && pending == reference_.pending().size();
    for (const Point& point : reference_.pending()) {
      same = same && points.find(points.key(point)).pending ==
                         std::ranges::count(reference_.pending(), point);
    }
    for (const auto& [point, wanted] : reference_.points()) {
      const Cell& cell = points.find(points.key(point));
      const double scale = kTolerance * static_cast<double>(wanted.count) * scale_;
      same = same && cell.count == wanted.count &&
             std::abs(cell.sum - static_cast<double>(wanted.sum)) <= scale &&
             std::abs(cell.deviations - wanted.deviations()) <= scale * scale_;
    }
    CHECK(same);
  }

  [[nodiscard]] Model& model() { return model_; }

 private:
  /// To a random point, a neighbour of the last one, or nowhere.
  void move() {
    switch (rng_.below(4)) {
      case 0:
        last_ = space_.sample(rng_);
        break;
      case 1:
      case 2:
        last_ = test::mutant(last_, changes_of(last_));
        break;
      default:
        break;
    }
  }

  void unmark(std::size_t index) {
    last_ = reference_.pending()[index];
    model_.remove_pending(last_);
    reference_.remove_pending(last_);
  }

  std::vector<Change> changes_of(const Point& point) {
    const auto most = static_cast<std::uint32_t>(space_.dimensions());
    const std::uint32_t size = rng_.below(2) == 0 ? 1 + rng_.below(2) : 1 + rng_.below(most);
    return random_changes(space_, point, static_cast<int>(size), rng_);
  }

  void expect_equal(const char* what, const Score& score, const Score& wanted) {
    const bool same = std::abs(score.mean - wanted.mean) <= kTolerance * scale_ &&
                      std::abs(score.exploration - wanted.exploration) <=
                          kTolerance * std::max(1.0, wanted.exploration);
    if (same) return;
    CAPTURE(what, scale_, score.mean, wanted.mean, score.exploration, wanted.exploration);
    FAIL("model and reference differ");
  }

  const SearchSpace& space_;
  Model model_;
  PendingReference reference_;
  Payoff payoff_;
  Rng rng_;
  Point last_;
  double scale_ = 0.0;
};

}  // namespace ntune::test
