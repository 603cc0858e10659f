#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "ntune/objective/capabilities.h"

namespace ntune::test {

/// A program whose time is its cost, without waiting: a function makes the times in seconds.
class Timed final : public Objective, public OutsideProgram {
 public:
  using Time = std::function<double(const Point&, Rng&)>;

  Timed(int arms, Time time, double cutoff = 1e300)
      : Timed(SearchSpace({make_integers("arm", 0, arms - 1)}), std::move(time), cutoff) {}
  Timed(SearchSpace space, Time time, double cutoff = 1e300)
      : space_(std::move(space)), time_(std::move(time)), cutoff_(cutoff) {}

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return observe(point, rng, {}).payoff;
  }
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }
  /// A negative time is a failure.
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng,
                                const EvaluationId& id) const override {
    const double time = time_(point, rng);
    if (time < 0.0) return {.failure = "crashed"};
    const double most = std::min(id.cap, cutoff_);
    spent_.fetch_add(std::min(time, most));
    if (time <= most) return {.payoff = -time};
    if (id.cap < cutoff_) return {.payoff = -id.cap, .ending = Ending::kCapped};
    return {.payoff = -10.0 * cutoff_, .ending = Ending::kCutOff};
  }
  [[nodiscard]] Rehearsal rehearse(const Point&, Rng&, const EvaluationId&) const override {
    return {};
  }
  [[nodiscard]] bool costs_time() const override { return true; }
  [[nodiscard]] double cutoff() const override {
    return cutoff_ < 1e300 ? cutoff_ : OutsideProgram::cutoff();
  }
  [[nodiscard]] std::optional<double> penalty() const override {
    return cutoff_ < 1e300 ? std::optional(10.0 * cutoff_) : std::nullopt;
  }
  [[nodiscard]] Payoffs payoffs() const override {
    Payoffs payoffs{.negated_costs = true};
    if (penalty()) payoffs.low = -*penalty();
    if (penalty()) payoffs.high = 0.0;
    return payoffs;
  }
  [[nodiscard]] std::string description() const override { return "timed"; }
  [[nodiscard]] Unit unit() const override { return Unit::cost(); }

  /// Seconds of all evaluations so far.
  [[nodiscard]] double spent() const { return spent_; }

 private:
  SearchSpace space_;
  Time time_;
  double cutoff_;
  mutable std::atomic<double> spent_ = 0.0;
};

}  // namespace ntune::test
