#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "ntune/objective/capabilities.h"

namespace ntune::test {

/// An objective whose outcomes a function makes, with a reported unit of `zero + unit * payoff`.
class Scripted final : public Objective, public OutsideProgram {
 public:
  using Script = std::function<Outcome(const Point&, Rng&)>;

  Scripted(SearchSpace space, Script script, Payoffs payoffs = {}, double unit = 1.0,
           double zero = 0.0)
      : space_(std::move(space)),
        script_(std::move(script)),
        payoffs_(payoffs),
        unit_{.zero = zero, .slope = unit} {}

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return script_(point, rng).payoff;
  }
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng, const EvaluationId&) const override {
    return script_(point, rng);
  }
  [[nodiscard]] Rehearsal rehearse(const Point&, Rng&, const EvaluationId&) const override {
    return {};
  }
  [[nodiscard]] std::string description() const override { return "arms"; }
  [[nodiscard]] Payoffs payoffs() const override { return payoffs_; }
  [[nodiscard]] Unit unit() const override { return unit_; }

 private:
  SearchSpace space_;
  Script script_;
  Payoffs payoffs_;
  Unit unit_;
};

/// One parameter `arm` with the values 0 … count - 1.
inline std::shared_ptr<const Objective> scripted(int count, Scripted::Script script,
                                                 Payoffs payoffs = {}, double unit = 1.0,
                                                 double zero = 0.0) {
  return std::make_shared<Scripted>(SearchSpace({make_integers("arm", 0, count - 1)}),
                                    std::move(script), payoffs, unit, zero);
}

/// One to five observations of an arm a call, or a plain payoff.
inline std::shared_ptr<const Objective> several(int count) {
  Payoffs payoffs;
  payoffs.several = true;
  return scripted(
      count,
      [](const Point& point, Rng& rng) {
        const auto observations = rng.below(6);
        const auto payoff = [&] { return 0.3 * point[0] + rng.normal(); };
        if (observations == 0) return Outcome{.payoff = payoff()};
        Outcome outcome;
        for (std::uint32_t i = 0; i < observations; ++i) {
          outcome.observations.push_back(payoff());
          outcome.payoff += outcome.observations.back() / observations;
        }
        return outcome;
      },
      payoffs);
}

}  // namespace ntune::test
